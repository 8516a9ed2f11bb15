"""Compiles the chapters of the contract into schemas, an OpenAPI document and a catalogue.

reading: reader -> kinds (fields, facts and statements, over cells and rules) -> links -> model
writing: model -> schemas, openapi, listing -> build
"""
