"""Checks of the contract chapter graphql."""
