"""Inputs that break a rule."""
