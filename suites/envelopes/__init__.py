"""Checks of the contract chapter envelopes."""
