"""The proof that the checks find what they are for; part of the project's own tests, not
shipped.
"""
