"""Checks of the contract chapter pagination."""
