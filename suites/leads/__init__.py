"""Checks of the contract chapter leads."""
