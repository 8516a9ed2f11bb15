"""What the compiler wrote; never edited by hand."""
