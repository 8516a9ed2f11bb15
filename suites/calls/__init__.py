"""Checks of the contract chapter calls."""
