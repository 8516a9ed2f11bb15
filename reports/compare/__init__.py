"""Runs beside each other: what changed between two, and several on one page."""
