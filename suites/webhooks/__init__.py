"""Checks of contract chapter 11, webhooks."""
