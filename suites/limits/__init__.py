"""Checks of contract chapter 13, limits."""
