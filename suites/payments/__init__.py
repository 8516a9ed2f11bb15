"""Checks of the contract chapter payments."""
