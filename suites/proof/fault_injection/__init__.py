"""Fault injection: an operation of our own machine fails, and no verdict becomes untrue."""
