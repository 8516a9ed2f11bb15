"""Checks of the contract chapter opportunities."""
