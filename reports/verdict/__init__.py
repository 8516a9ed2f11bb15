"""From findings to verdicts: the ledger that merges them, the rules, the words, and known
failures.
"""
