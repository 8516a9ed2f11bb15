"""The contract has the fields of the service document: no name, type, constraint or parameter is lost, none is made up.

Both are turned into facts such as `Lead.email: string (email)`. What differs on purpose stands in DIFFERENCES, with its reason.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.spec.compiler.links import compile_contract
from plumbline.spec.compiler.model import Contract, Field, Shape, Type
from plumbline.spec.compiler.reader import Row, Section, Table, read

HERE = Path(__file__).parent
DOCUMENT = read("service-document.md", (HERE / "service-document.md").read_text(encoding="utf-8"))
CONTRACT = compile_contract({path.name: path.read_text(encoding="utf-8") for path in (HERE.parent / "contract").glob("*.md")})

RESOURCES = {
    "Lead": "Lead",
    "Call": "Call",
    "Payment": "Payment",
    "Opportunity (read-only)": "Opportunity",
    "Booking-form field (read-only)": "BookingField",
}
"""Headings of tables of fields, and the resource that each describes."""

SHAPES = {
    r"^`(\{ field_id: .*\})`": "CallAnswer",
    r"Top-level wrapper: `(\{.*?\})`": "Delivery",
    r"attribution fields ([^.]*)\.": "Delivery.data",
    r"The `call\.booked` `data` keys: (.*?)\. Attribution": "CallBooked",
    r"userErrors: \[(\{.*?\})\]": "UserError",
    r"standard `(\{ data, errors \})` envelope": "GraphQLAnswer",
    r"Lead `metadata` keys: (.*)\.$": "Lead.metadata",
    r"Lead `source` keys: (.*)\.$": "Lead.source",
}
"""Objects that stand in prose."""

FORMATS = {
    r"\buuid\b": "uuid",
    r"\(email\)|^email$": "email",
    r"E\.164": "e164",
    r"IANA": "iana",
    r"ISO 4217": "iso-4217",
    r"user_": "user",
    r"timestamp|date-time|ISO 8601": "timestamp",
    r"\\d\{4\}-|same pattern": "date",
    r"string holding": "days",
}
"""Words of the document that name a format."""

CONSTRAINTS = {
    r"length (\d+) to (\d+)": "length {}..{}",
    r"length <= (\d+)": "length ..{}",
    r"\b(3) characters": "length {0}..{0}",
    r">= (\d+)": "{}..",
    r"(?<!length )\b(\d+) to (\d+)": "{}..{}",
    r"up to (two) decimals": "2 decimals",
    r"default (USD|\d+)": "default {}",
    r"must be (?:in the|a) (future)": "now or later",
    r"(today) or later": "today or later",
    r"at most (\d+) days": "within {} days",
    r"(or null|null or omitted)": "nullable",
}
"""Words of the document that constrain a value."""

DIFFERENCES = [
    (
        "document",
        r".+\.(lead_id|call_id|booking_link_id|linked_payment_id): (string|any)",
        "these name leads, calls, payments and links",
    ),
    ("contract", r".+\.(lead_id|call_id|booking_link_id|linked_payment_id): string \(uuid\)", "which are UUIDs unless stated"),
    ("document", r"(Opportunity\.lead|CallBooked)\.id: any", "the id of a lead and of a call"),
    ("contract", r"(Opportunity\.lead|CallBooked)\.id: string \(uuid\)", "are UUIDs unless stated"),
    ("contract", r"(\w+|Delivery\.data|.* data\.fields)\.id \| required", "an id is always present"),
    ("document", r"GET /v1/(analytics|team)/\S+ data\.\S+: any", "figures are untyped there"),
    ("contract", r"GET /v1/(analytics|team)/\S+ data\.\S+: number", "and read as numbers here (ANA-O03)"),
    ("document", r"CallBooked\.\S+: any", "untyped there"),
    ("contract", r"CallBooked\.\S+: string( \(.*\))?", "and typed like the call here, because data is the full entity"),
    ("document", r"Delivery\.data\.\S+: any", "untyped there"),
    ("contract", r"Delivery\.data\.\S+: string", "and typed like the call here"),
    ("contract", r"Delivery\.data\.id(: string)?", "receivers deduplicate by data.id"),
    ("document", r"Payment\.match_candidates\.reason: any", "its observed value"),
    ("contract", r"Payment\.match_candidates\.reason: string", "is a text"),
    ("document", r"(UserError\.message|GraphQLAnswer\.errors): any", "GraphQL itself says that a message is a text"),
    ("contract", r"UserError\.message: string|GraphQLAnswer\.errors: array of object", "and that errors are a list of objects"),
    ("contract", r"GraphQLAnswer\.errors\.message(: string| \| required)?", "with a message"),
    ("contract", r"(UserError\.message|Connection\.\S+) \| required", "an error says what is wrong, a connection is whole"),
    ("contract", r"GraphQLAnswer\.data \| unless errors", "an answer has data or errors"),
    ("document", r"Pagination\.next_cursor: string", "on the last page its value is open"),
    ("contract", r"Pagination\.next_cursor: any", "PAG-O01"),
    ("contract", r"Pagination\.(has_more \| required|next_cursor \| filled while has_more)", "the next request takes it"),
    ("contract", r"(Error|Delivery)\.\S+ \| (required|length 1\.\.)", "an error and a delivery are whole"),
    ("contract", r"GET /v1/\S+ data\.(slots|timezone|fields|answers|notes|slots\.\S+) \| required", "the answer is these fields"),
    ("contract", r"GET /v1/analytics/ad-performance data\.(spend|roas|cac)(: any| \| forbidden)?", "prose: none is provided"),
    ("document", r"PATCH /v1/leads/\{id\} body\.(full_name|company|timezone): any", "named without a type"),
    ("contract", r"PATCH /v1/leads/\{id\} body\.(full_name|company): string", "and typed like on create"),
    ("contract", r"PATCH /v1/leads/\{id\} body\.timezone: string \(iana\)", "and typed like on create"),
    ("document", r"PATCH /v1/payments/\{id\} body\.external_id: any", "named without a type"),
    ("contract", r"PATCH /v1/payments/\{id\} body\.external_id: string", "and typed like on create"),
    ("contract", r"PATCH /v1/payments/\{id\} body\.amount \| 2 decimals", "the unit note: dollars, up to two decimals"),
    ("contract", r"PATCH /v1/payments/\{id\} body\.currency \| length 3\.\.3", "the format has 3 characters, as on create"),
    ("document", r"GET /v1/(leads|opportunities) query\.\S+: any", "named without a type"),
    (
        "contract",
        r"GET /v1/(leads|opportunities) query\.(cursor|direction|stage|lead_id): string",
        "and typed like on the calls list",
    ),
    (
        "contract",
        r"GET /v1/(leads|payments) query\.limit(: integer| \| 1\.\.100)?",
        "the limits: every list takes a limit of 1 to 100",
    ),
    ("contract", r"GET /v1/payments query\.cursor(: string)?", "pagination: every list takes a cursor"),
    ("document", r"GET /v1/(analytics|webhooks)/\S+ query\.(product_id|subscription_id): any", "named without a type"),
    ("contract", r"GET /v1/(analytics|webhooks)/\S+ query\.(product_id|subscription_id): string", "and sent as text"),
    ("document", r"GET /v1/team/performance query\.days \| 1\.\.365", "the format days says it"),
    ("contract", r"POST /v1/calls body\.guest\.(email|name) \| required", "both are always given (CALL-O05)"),
    ("document", r"POST /v1/calls body\.guest\.(email|name): any", "named without a type"),
    ("contract", r"POST /v1/calls body\.guest\.(email: string \(email\)|name: string)", "what finds or makes the lead"),
    ("contract", r"POST /graphql body\.query \| required", "the body carries it"),
    ("document", r"Lead\.email \| required|Call\.\S+ \| nullable", "said of the create, and of every answer"),
    ("document", r"Lead\.metadata \| nullable", "said of the body"),
]
"""(side that has more, facts that match, why). An entry that matches nothing is an error."""

Facts = Iterator[str]


def surplus(contract: Contract) -> dict[str, set[str]]:
    """What one side has and the other has not, without the differences that are stated."""
    said, restated = set(document_facts()), set(contract_facts(contract))
    found = {"document": said - restated, "contract": restated - said}
    for side, pattern, _ in DIFFERENCES:
        found[side] = {fact for fact in found[side] if not re.fullmatch(pattern, fact)}
    return found


def test_contract_has_the_fields_of_the_document() -> None:
    assert len(set(document_facts())) > 900
    assert surplus(CONTRACT) == {"document": set(), "contract": set()}


@pytest.mark.parametrize(
    ("chapter", "old", "new", "noticed"),
    [
        ("04-leads.md", "| company | string | | |\n", "", "Lead.company"),
        ("04-leads.md", "length 8..128", "length 8..127", "POST /v1/leads body.visitor_id | length 8..128"),
        ("05-calls.md", "| duration_minutes | number |", "| duration_minutes | integer |", "Call.duration_minutes: number"),
        ("07-payments.md", "| source | string | yes |", "| source | string | no |", "POST /v1/payments body.source | required"),
    ],
)
def test_lost_fact_is_found(chapter: str, old: str, new: str, noticed: str) -> None:
    chapters = {path.name: path.read_text(encoding="utf-8") for path in (HERE.parent / "contract").glob("*.md")}
    assert old in chapters[chapter]
    changed = compile_contract(chapters | {chapter: chapters[chapter].replace(old, new)})
    assert noticed in surplus(changed)["document"]


@pytest.mark.parametrize(("side", "pattern", "reason"), DIFFERENCES)
def test_stated_difference_matches_a_fact_of_its_side(side: str, pattern: str, reason: str) -> None:
    said, restated = set(document_facts()), set(contract_facts(CONTRACT))
    more = said - restated if side == "document" else restated - said
    assert any(re.fullmatch(pattern, fact) for fact in more)
    assert reason


def document_facts() -> Facts:
    """The facts of the service document."""
    for section in DOCUMENT:
        if owner := RESOURCES.get(section.heading.text):
            for row in section.tables[0].rows:
                yield from _resource_field(owner, row)
        for paragraph in section.paragraphs:
            for pattern, name in SHAPES.items():
                if found := re.search(pattern, paragraph.text):
                    yield from _described(name, found[1])
        yield from _operations(section)
    envelopes = next(section for section in DOCUMENT if section.heading.text.startswith("Response envelopes")).tables[0]
    lists, errors = envelopes.rows[1]["Body"].text, envelopes.rows[2]["Body"].text
    yield from _described("Pagination", lists[lists.index("pagination:") :].rsplit("}", 1)[0])
    yield from _described("Error", errors)
    yield from ("POST /graphql body.query", "POST /graphql body.query: string")
    for name, kind in (("pageInfo", "object"), ("edges", "array of object"), ("edges.cursor", "string"), ("edges.node", "any")):
        yield from (f"Connection.{name}", f"Connection.{name}: {kind}")


def contract_facts(contract: Contract) -> Facts:
    """The facts of the contract."""
    for name in (*RESOURCES.values(), *("CallAnswer", "Delivery", "CallBooked", "UserError", "Connection")):
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
                words.get(word, "") for word in (("minLength", "maxLength") if rule.word == "length" else ("minimum", "maximum"))
            )
            yield f"{'length ' if rule.word == 'length' else ''}{low}..{high}"
        elif rule.word in ("decimals", "default", "earliest", "within", "filled", "unless", "nullable", "forbidden"):
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


def _operations(section: Section) -> Facts:
    """Bodies, queries and data of the operations of a section: each table belongs to the operation that stands before it."""
    heads = [
        (cell.line, found[1], cell.text) for cell in section.paragraphs if (found := re.match(r"\*\*(\w+ /\S+)\*\*", cell.text))
    ]
    for table in section.tables if heads else ():
        operation = [name for line, name, _ in heads if line < table.line][-1]
        yield from _parameters(operation, table)
    windows = "start_date" in "".join(cell.text for cell in section.paragraphs) and "analytics" in section.heading.text.lower()
    for _, operation, text in heads:
        if windows:
            for name in ("start_date", "end_date"):
                yield from _field(f"{operation} query", name, "string, ISO 8601")
        yield from _inline(operation, text)
    for cell in section.paragraphs:
        if found := re.match(r"Response: `\{ success, data: (\{.*\}) \}`", cell.text):
            yield from _described("GET /v1/booking-links/{id}/availability data", found[1])


def _inline(operation: str, text: str) -> Facts:
    """What one paragraph says about an operation."""
    if found := re.search(r"Body(?: fields)?(?: \(all optional\))?: (.*?)\.(?: |$)", text):
        yield from _described(f"{operation} body", found[1])
    for found in re.finditer(r"Query: (.*?)\. |\(query ([^)]*)\)|query (?:also )?(`\w+`(?: \([^)]*\))?)", text):
        yield from _described(f"{operation} query", next(filter(None, found.groups())))
    if found := re.search(r"`data` fields: (.*)\.$|(?:array of|one row per ad:) `(\{.*?\})`|data: (\{ \w+: \[<.*?>\] \})", text):
        yield from _described(f"{operation} data", next(filter(None, found.groups())))


def _parameters(operation: str, table: Table) -> Facts:
    kind = "query" if table.columns[0] == "Query" else "body"
    for row in table.rows:
        text = "; ".join(cell.text for column, cell in row.cells.items() if column not in (table.columns[0], "Required"))
        required = row["Required"].text == "yes" if "Required" in row.cells else "required" in row["Type"].text
        for name in row[table.columns[0]].text.split(", "):
            yield from _field(f"{operation} {kind}", name, text)
            if required:
                yield f"{operation} {kind}.{name} | required"
            if name == "guest":
                yield from _described(f"{operation} {kind}.guest", "email, name")
            if name == "metadata":
                keys = next(
                    cell.text for section in DOCUMENT for cell in section.paragraphs if cell.text.startswith("Lead `metadata`")
                )
                yield from _described(f"{operation} {kind}.metadata", keys.partition(": ")[2].rstrip("."))


def _described(owner: str, text: str) -> Facts:
    """The fields of a list such as `{ content: string, user_id?: string }` or `label, confidence (number)`."""
    plain = text.replace("`", "").strip()
    if plain.startswith("pagination:"):
        plain = plain.partition(":")[2].strip()
    if plain.startswith("{"):
        plain = plain[1:-1]
    for item in _split(plain):
        if item.startswith("plus extra keys"):
            continue
        found = re.fullmatch(r"(?:and )?(\w+)(\??)(?:: (.*)| \((.*)\)(?: plus extra keys)?)?", item)
        assert found, f"{item!r} of {owner} is not understood"
        description = found[3] or found[4] or ""
        yield from _field(owner, found[1], description)
        marked = "?" in plain and not found[2]
        if marked or description.startswith("required") or description.endswith(", required"):
            yield f"{owner}.{found[1]} | required"


def _field(owner: str, name: str, text: str) -> Facts:
    path, plain = f"{owner}.{name}", text.replace("`", "")
    inner = re.search(r"\{ .*\}", plain)
    is_list = plain.startswith(("array", "[")) or " array of " in plain
    yield path
    yield from (f"{path} | {rule}" for rule in _constraints(text) if not inner)
    if "<note>" in plain or "array of note" in plain:
        plain = next(row["Notes"].text for row in _section("Lead").tables[0].rows if row["Field"].text == "notes")
        inner = re.search(r"\{.*?\}", plain)
    if "<Call answer>" in plain:
        inner = re.search(r"\{.*?\}", _section("Call answer (read-only)").paragraphs[0].text)
    if inner:
        yield f"{path}: {'array of object' if is_list else 'object'}"
        yield from _described(path, inner[0])
    elif "<Booking-form field>" in plain:
        yield f"{path}: array of object"
        for row in _section("Booking-form field (read-only)").tables[0].rows:
            yield from _resource_field(path, row)
    else:
        scalar = _scalar(plain.strip("[]"))
        yield f"{path}: {'array of ' if is_list else ''}{scalar}"


def _scalar(text: str) -> str:
    if text.startswith("array of "):
        text = text.removeprefix("array of ")
    kind = next(
        (kind for kind in ("object", "integer", "boolean", "number", "string", "any") if re.search(rf"\b{kind}\b", text)), None
    )
    if kind in (None, "string") and (form := next((form for word, form in FORMATS.items() if re.search(word, text)), None)):
        return f"string ({form})"
    if re.search(r"\bdollars\b", text):
        return "number"
    return kind or ("boolean" if text in ("true", "false") else "string" if re.search(r"values?\b|one of", text) else "any")


def _constraints(text: str) -> Facts:
    plain = text.replace("`", "")
    for pattern, form in CONSTRAINTS.items():
        if found := re.search(pattern, plain):
            yield form.format(*found.groups())


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


def _section(heading: str) -> Section:
    return next(section for section in DOCUMENT if section.heading.text == heading)
