"""The checks, one folder per chapter of the contract; statements only."""
