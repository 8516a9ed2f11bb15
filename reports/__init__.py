"""Turns what the checks of a run have found into verdicts, and shows them; each room says in its
first line what it holds.
"""
