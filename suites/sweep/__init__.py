"""Checks that follow the generated OpenAPI document instead of a chapter."""
