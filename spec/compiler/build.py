"""Builds every file that follows from the chapters, as text by path."""

import json
from collections.abc import Mapping
from typing import Any

from plumbline.spec.compiler.freezing import snapshot
from plumbline.spec.compiler.links import compile_contract
from plumbline.spec.compiler.listing import listing
from plumbline.spec.compiler.openapi import openapi_document
from plumbline.spec.compiler.schemas import all_schemas

NOTE = {"x-generated": "by `python -m plumbline.spec` from spec/contract; change the chapters and generate again"}


def build(chapters: Mapping[str, str]) -> dict[str, str]:
    """The files that follow from a contract.

    Args:
        chapters: text by file name.

    Returns:
        Text by path below `spec`.

    Raises:
        ContractError: the contract cannot be understood.
    """
    contract = compile_contract(chapters)
    schemas = all_schemas(contract)
    files = {f"generated/schemas/{name}.json": schema for name, schema in schemas.items()}
    files["generated/openapi.json"] = openapi_document(contract)
    files["generated/catalogue.json"] = listing(contract, list(schemas))
    files[f"frozen/{contract.properties['revision']}.json"] = snapshot(contract)
    return {path: _text(content) for path, content in files.items()}


def _text(content: dict[str, Any]) -> str:
    return json.dumps(NOTE | content, indent=2, ensure_ascii=False) + "\n"
