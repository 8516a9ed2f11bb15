"""The contract has the fields of the service document: no name, type, constraint or parameter is
lost, none is made up.

Both are turned into facts such as `Lead.email: string (email)`. What differs on purpose stands in
`fidelity.toml`, with a reason.
"""

import re
from collections.abc import Iterator

import pytest

from plumbline.spec.compiler.model import Contract, Field, Shape, Type
from plumbline.spec.compiler.reading.linking import compile_contract
from plumbline.spec.compiler.reading.reader import Row, Section, Table
from plumbline.spec.tests.fidelity import CHAPTERS, CONTRACT, DOCUMENT, TABLES, section

RESOURCES, SHAPES, FORMATS, CONSTRAINTS = (
    TABLES[name] for name in ("resources", "shapes", "formats", "constraints")
)
DIFFERENCES = TABLES["differences"]["facts"]
Facts = Iterator[str]


def surplus(contract: Contract) -> dict[str, set[str]]:
    """What one side has and the other has not, without the differences that are stated."""
    said, restated = set(document_facts()), set(contract_facts(contract))
    surplus_of_side = {"document": said - restated, "contract": restated - said}
    for side, pattern, _ in DIFFERENCES:
        surplus_of_side[side] = {
            fact for fact in surplus_of_side[side] if not re.fullmatch(pattern, fact)
        }
    return surplus_of_side


def test_contract_has_the_fields_of_the_document() -> None:
    assert len(set(document_facts())) > 900
    assert surplus(CONTRACT) == {"document": set(), "contract": set()}


@pytest.mark.parametrize(
    ("chapter", "old", "new", "noticed"),
    [
        (
            "04-leads.md",
            "| company | string | | company that the lead works for |\n",
            "",
            "Lead.company",
        ),
        (
            "04-leads.md",
            "length 8..128",
            "length 8..127",
            "POST /v1/leads body.visitor_id | length 8..128",
        ),
        (
            "05-calls.md",
            "| duration_minutes | number |",
            "| duration_minutes | integer |",
            "Call.duration_minutes: number",
        ),
        (
            "07-payments.md",
            "| source | string | yes |",
            "| source | string | no |",
            "POST /v1/payments body.source | required",
        ),
    ],
)
def test_lost_fact_is_found(chapter: str, old: str, new: str, noticed: str) -> None:
    assert old in CHAPTERS[chapter]
    changed = compile_contract(CHAPTERS | {chapter: CHAPTERS[chapter].replace(old, new)})
    assert noticed in surplus(changed)["document"]


def test_stated_differences_match_facts_of_their_side() -> None:
    said, restated = set(document_facts()), set(contract_facts(CONTRACT))
    more = {"document": said - restated, "contract": restated - said}
    unused = [
        entry
        for entry in DIFFERENCES
        if not any(re.fullmatch(entry[1], fact) for fact in more[entry[0]])
    ]
    assert unused == []
    assert all(reason for _, _, reason in DIFFERENCES)


def document_facts() -> Facts:
    """The facts of the service document."""
    for section_ in DOCUMENT:
        if owner := RESOURCES.get(section_.heading.text):
            for row in section_.tables[0].rows:
                yield from _resource_field(owner, row)
        for paragraph in section_.paragraphs:
            for pattern, name in SHAPES.items():
                if match := re.search(pattern, paragraph.text):
                    yield from _described(name, match[1])
        yield from _operations(section_)
    envelopes = next(
        section_ for section_ in DOCUMENT if section_.heading.text.startswith("Response envelopes")
    ).tables[0]
    lists, errors = envelopes.rows[1]["Body"].text, envelopes.rows[2]["Body"].text
    yield from _described("Pagination", lists[lists.index("pagination:") :].rsplit("}", 1)[0])
    yield from _described("Error", errors)
    yield from ("POST /graphql body.query", "POST /graphql body.query: string")
    for name, kind in (
        ("pageInfo", "object"),
        ("edges", "array of object"),
        ("edges.cursor", "string"),
        ("edges.node", "any"),
    ):
        yield from (f"Connection.{name}", f"Connection.{name}: {kind}")


def contract_facts(contract: Contract) -> Facts:
    """The facts of the contract."""
    for name in (
        *RESOURCES.values(),
        *("CallAnswer", "Delivery", "CallBooked", "UserError", "Connection"),
    ):
        yield from _shape_facts(contract, contract.shapes[name], name)
    for name in ("Pagination", "Error", "GraphQLAnswer"):
        yield from _shape_facts(contract, contract.shapes[name], name)
    for endpoint in contract.endpoints.values():
        of = endpoint.data.of or endpoint.data
        if endpoint.envelope == "single" and of.name and of.name not in RESOURCES.values():
            yield from _shape_facts(contract, contract.shapes[of.name], f"{endpoint.id} data")
    for kind, shapes in (("body", contract.bodies), ("query", contract.queries)):
        for operation, shape in shapes.items():
            yield from _shape_facts(contract, shape, f"{operation} {kind}")


def _shape_facts(contract: Contract, shape: Shape, owner: str) -> Facts:
    for field in shape.fields.values():
        path = f"{owner}.{field.name}"
        yield path
        yield f"{path}: {_type_text(field.type)}"
        yield from (f"{path} | {rule}" for rule in _rule_texts(field))
        inner = field.type.of or field.type
        if inner.kind == "shape":
            yield from _shape_facts(contract, contract.shapes[inner.name or ""], path)


def _type_text(kind: Type) -> str:
    if kind.kind == "array" and kind.of:
        return f"array of {_type_text(kind.of)}"
    return {"enum": "string", "shape": "object", "map": "object"}.get(
        kind.kind, f"string ({kind.name})" if kind.name else kind.kind
    )


def _rule_texts(field: Field) -> Facts:
    if field.required or field.rule("required in requests"):
        yield "required"
    for rule in field.rules:
        words = dict(rule.keywords)
        if rule.word in ("length", "range"):
            low, high = (
                words.get(word, "")
                for word in (
                    ("minLength", "maxLength") if rule.word == "length" else ("minimum", "maximum")
                )
            )
            yield f"{'length ' if rule.word == 'length' else ''}{low}..{high}"
        elif rule.word in (
            "decimals",
            "default",
            "earliest",
            "within",
            "filled",
            "unless",
            "nullable",
            "forbidden",
        ):
            yield {
                "decimals": f"{words.get('x-decimals')} decimals",
                "default": f"default {words.get('default')}",
                "earliest": f"{words.get('x-earliest')} or later",
                "within": f"within {words.get('x-within-days', {}).get('maximum')} days",
                "filled": f"filled while {words.get('x-filled-while')}",
                "unless": f"unless {words.get('x-unless')}",
            }.get(rule.word, rule.word)


def _resource_field(owner: str, row: Row) -> Facts:
    kind, *notes = [row[column].text for column in row.cells][1:]
    text = "; ".join([kind, *notes])
    for name in row["Field"].text.split(", "):
        if name in ("metadata", "source"):
            yield from (f"{owner}.{name}", f"{owner}.{name}: object")
            yield from (f"{owner}.{name} | {rule}" for rule in _constraints(text))
        elif kind == "object" and notes:
            yield from (f"{owner}.{name}", f"{owner}.{name}: object")
            yield from _described(f"{owner}.{name}", notes[0])
        else:
            yield from _field(owner, name, text)


def _operations(part: Section) -> Facts:
    """Bodies, queries and data of the operations of a section: each table belongs to the operation
    that stands before it.
    """
    heads = [
        (cell.line, match[1], cell.text)
        for cell in part.paragraphs
        if (match := re.match(r"\*\*(\w+ /\S+)\*\*", cell.text))
    ]
    for table in part.tables if heads else ():
        operation = [name for line, name, _ in heads if line < table.line][-1]
        yield from _parameters(operation, table)
    windows = (
        "start_date" in "".join(cell.text for cell in part.paragraphs)
        and "analytics" in part.heading.text.lower()
    )
    for _, operation, text in heads:
        if windows:
            for name in ("start_date", "end_date"):
                yield from _field(f"{operation} query", name, "string, ISO 8601")
        yield from _inline(operation, text)
    for cell in part.paragraphs:
        if match := re.match(r"Response: `\{ success, data: (\{.*\}) \}`", cell.text):
            yield from _described("GET /v1/booking-links/{id}/availability data", match[1])


def _inline(operation: str, text: str) -> Facts:
    """What one paragraph says about an operation."""
    if match := re.search(r"Body(?: fields)?(?: \(all optional\))?: (.*?)\.(?: |$)", text):
        yield from _described(f"{operation} body", match[1])
    for match in re.finditer(
        r"Query: (.*?)\. |\(query ([^)]*)\)|query (?:also )?(`\w+`(?: \([^)]*\))?)", text
    ):
        yield from _described(f"{operation} query", next(filter(None, match.groups())))
    if match := re.search(
        r"`data` fields: (.*)\.$|(?:array of|one row per ad:) `(\{.*?\})`|data: (\{ \w+:"
        r" \[<.*?>\] \})",
        text,
    ):
        yield from _described(f"{operation} data", next(filter(None, match.groups())))


def _parameters(operation: str, table: Table) -> Facts:
    kind = "query" if table.columns[0] == "Query" else "body"
    for row in table.rows:
        text = "; ".join(
            cell.text
            for column, cell in row.cells.items()
            if column not in (table.columns[0], "Required")
        )
        required = (
            row["Required"].text == "yes"
            if "Required" in row.cells
            else "required" in row["Type"].text
        )
        for name in row[table.columns[0]].text.split(", "):
            yield from _field(f"{operation} {kind}", name, text)
            if required:
                yield f"{operation} {kind}.{name} | required"
            if name == "guest":
                yield from _described(f"{operation} {kind}.guest", "email, name")
            if name == "metadata":
                keys = next(
                    cell.text
                    for section_ in DOCUMENT
                    for cell in section_.paragraphs
                    if cell.text.startswith("Lead `metadata`")
                )
                yield from _described(
                    f"{operation} {kind}.metadata", keys.partition(": ")[2].rstrip(".")
                )


def _described(owner: str, text: str) -> Facts:
    """The fields of a list such as `{ content: string, user_id?: string }` or `label, confidence
    (number)`.
    """
    plain = text.replace("`", "").strip()
    if plain.startswith("pagination:"):
        plain = plain.partition(":")[2].strip()
    if plain.startswith("{"):
        plain = plain[1:-1]
    for item in _split(plain):
        if item.startswith("plus extra keys"):
            continue
        match = re.fullmatch(r"(?:and )?(\w+)(\??)(?:: (.*)| \((.*)\)(?: plus extra keys)?)?", item)
        assert match, f"{item!r} of {owner} is not understood"
        description = match[3] or match[4] or ""
        yield from _field(owner, match[1], description)
        marked = "?" in plain and not match[2]
        if marked or description.startswith("required") or description.endswith(", required"):
            yield f"{owner}.{match[1]} | required"


def _field(owner: str, name: str, text: str) -> Facts:
    path, plain = f"{owner}.{name}", text.replace("`", "")
    inner = re.search(r"\{ .*\}", plain)
    is_list = plain.startswith(("array", "[")) or " array of " in plain
    yield path
    yield from (f"{path} | {rule}" for rule in _constraints(text) if not inner)
    if "<note>" in plain or "array of note" in plain:
        plain = next(
            row["Notes"].text
            for row in section("Lead").tables[0].rows
            if row["Field"].text == "notes"
        )
        inner = re.search(r"\{.*?\}", plain)
    if "<Call answer>" in plain:
        inner = re.search(r"\{.*?\}", section("Call answer (read-only)").paragraphs[0].text)
    if inner:
        yield f"{path}: {'array of object' if is_list else 'object'}"
        yield from _described(path, inner[0])
    elif "<Booking-form field>" in plain:
        yield f"{path}: array of object"
        for row in section("Booking-form field (read-only)").tables[0].rows:
            yield from _resource_field(path, row)
    else:
        scalar = _scalar(plain.strip("[]"))
        yield f"{path}: {'array of ' if is_list else ''}{scalar}"


def _scalar(text: str) -> str:
    if text.startswith("array of "):
        text = text.removeprefix("array of ")
    kind = next(
        (
            kind
            for kind in ("object", "integer", "boolean", "number", "string", "any")
            if re.search(rf"\b{kind}\b", text)
        ),
        None,
    )
    if kind in (None, "string") and (
        form := next((form for word, form in FORMATS.items() if re.search(word, text)), None)
    ):
        return f"string ({form})"
    if re.search(r"\bdollars\b", text):
        return "number"
    return kind or (
        "boolean"
        if text in ("true", "false")
        else "string"
        if re.search(r"values?\b|one of", text)
        else "any"
    )


def _constraints(text: str) -> Facts:
    plain = text.replace("`", "")
    for pattern, form in CONSTRAINTS.items():
        if match := re.search(pattern, plain):
            yield form.format(*match.groups())


def _split(text: str) -> list[str]:
    """Split at commas outside of braces, brackets and parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "{[(") - (character in "}])")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
