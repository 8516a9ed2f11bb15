"""What the proof writes: tables, curves, examples, and the pages that show them."""
