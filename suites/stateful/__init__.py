"""Stateful checks: what a chapter fixes has to hold in the middle of everything else."""
