"""The contract of the Sales Pipeline Service: its chapters, its compiler, and what is generated from them."""

from plumbline.spec.catalogue import (
    Catalogue,
    ConformanceClass,
    ErrorCase,
    Event,
    Limit,
    OpenItem,
    Operation,
    Requirement,
    catalogue,
    openapi,
    schema,
)

__all__ = [
    "Catalogue",
    "ConformanceClass",
    "ErrorCase",
    "Event",
    "Limit",
    "OpenItem",
    "Operation",
    "Requirement",
    "catalogue",
    "openapi",
    "schema",
]
