"""Checks of the contract chapter service."""
