"""Checks of the class upstream: what the calendar provider makes of a request."""
