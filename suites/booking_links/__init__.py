"""Checks of the contract chapter booking links."""
