"""Compiles the chapters of the contract into schemas, an OpenAPI document and a catalogue.

reader -> kinds (with cells) -> links -> schemas, openapi, listing -> build
"""
