"""Fleets on real clusters: how many runs go on at once, and that nothing is lost, doubled or driven
by two.
"""
