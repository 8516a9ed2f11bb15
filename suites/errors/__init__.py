"""Checks of the contract chapter errors."""
