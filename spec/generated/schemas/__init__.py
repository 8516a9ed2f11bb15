"""JSON Schema 2020-12 files, one per resource, request body, query, answer and event."""
