"""The contract: Markdown chapters, the only normative text of the project."""
