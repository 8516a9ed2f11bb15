"""Each revision of the contract with its facts, for those who kept it."""
