"""Checks of the contract chapter analytics."""
