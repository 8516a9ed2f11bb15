"""Everything that the command line and the terminal show as lines of text."""
