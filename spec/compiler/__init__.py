"""Compiles the chapters of the contract into schemas, an OpenAPI document and a catalogue.

reader -> kinds (fields, facts and statements, over cells and rules) -> links -> schemas, openapi, listing -> build
"""
