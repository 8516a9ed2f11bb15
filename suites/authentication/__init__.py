"""Checks of the contract chapter authentication."""
