"""The published OpenAPI document in the hands of its readers' tools, at fixed versions; see
README.md.
"""
