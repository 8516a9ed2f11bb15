"""The proof that the checks bite; part of the project's own tests, not of the kit."""
