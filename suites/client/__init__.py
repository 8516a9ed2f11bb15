"""Checks of the chapter of clients."""
