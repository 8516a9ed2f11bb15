"""What a run leaves in its folder: conformance.json, the manifest over all files, and the signed
statement.
"""
