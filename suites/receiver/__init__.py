"""Checks of the chapter of receivers."""
