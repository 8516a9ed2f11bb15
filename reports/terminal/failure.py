"""The one template for everything that a deployment is found to do wrong: in full, and in one line.

A reader needs nothing else to act on it: the sentence that was broken, what was seen instead, the
exchange, and how to see it again. All text that comes from the deployment is shown with its control
characters escaped.
"""

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from plumbline.reports.run_context import RunContext
from plumbline.reports.text import excerpt, focus_of, printable, shorten, wrap
from plumbline.spec.findings import Finding

if TYPE_CHECKING:
    from plumbline.reports.verdict.ledger import Tally
    from plumbline.reports.verdict.verdicts import RequirementVerdict
    from plumbline.spec import Requirement

LABEL_WIDTH = 10
"""Width of the column of labels, with the space after it."""
MIN_LINE_WIDTH, MIN_SEEN_WIDTH, INDENT = 120, 40, "  "
"""Columns from which a broken requirement fits one line, the least for what was seen, and the
indent of a second line.
"""
CONTRACT_HEADERS = frozenset(
    {
        "authorization",
        "content-type",
        "idempotency-key",
        "location",
        "retry-after",
        "www-authenticate",
        "x-automation-signature",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-svc-signature",
        "x-svc-signature-v1",
    }
)
"""Headers that the contract speaks of, in lower case; the others only make a failure longer."""
EXPECTED_LIMIT = 160
WHERE_LIMIT = 68
RECEIVED_LIMIT = 240
URL_LIMIT = 160
HEADER_LIMIT = 68
REQUEST_BODY_LIMIT = 130
RESPONSE_BODY_LIMIT = 260
STEP_LIMIT = 100
STEP_BODY_LIMIT = 50
NOTE_LIMIT = 400
"""In characters; such that a failure fits about 25 lines, and only a hostile one comes to 30."""


def render_failure(
    finding: Finding, requirement: "Requirement", context: RunContext, width: int = 100
) -> str:
    """A failed finding as about 25 lines of text.

    Args:
        finding: one that failed.
        requirement: the requirement that it names.
        context: the run.
        width: of the lines in characters; what is meant to be copied (the commands) is never broken
            into lines.
    """
    lines = [printable(_title(finding))]
    lines += [f"  {line}" for line in wrap(requirement.sentence, width - 2)]
    lines.append("")
    for label, text in _rows(finding, requirement, context):
        copied = label in {"again", "curl", "test"}
        first, *rest = [text] if copied else wrap(text, width - LABEL_WIDTH - 2)
        lines += [
            f"  {label:{LABEL_WIDTH}}{first}",
            *(f"  {'':{LABEL_WIDTH}}{part}" for part in rest),
        ]
    return "\n".join(lines)


def finding_line(finding: Finding, width: int = 100) -> str:
    """A failed finding in one line, where the same was shown in full before."""
    violation = finding.violation
    comparison = (
        f"expected {violation.expected}, received {violation.received}" if violation else ""
    )
    return shorten(f"{_title(finding)}  {printable(comparison)}", width)


def live_line(record: Mapping[str, Any], sentence: str) -> str:
    """A finding that has just failed in one line: id, place, and the sentence that was broken.

    Args:
        record: as `Finding.to_dict` gives it.
        sentence: of the requirement.
    """
    where = (record.get("violation") or {}).get("where", "")
    places = (shorten(text, WHERE_LIMIT) for text in (record.get("operation", ""), where) if text)
    place = ", ".join(places)
    head = f"{record['requirement']} failed" + (f" ({place})" if place else "")
    return printable(f"{head}: {sentence}")


def failure_line(entry: "RequirementVerdict", width: int) -> str:
    """A broken requirement in one line of at most `width` characters: id, operation, expected,
    received, how often.
    """
    head, tail = _broken_where(entry), _how_often(entry)
    if not (
        comparison := _expected_received(
            entry, max(width - len(head) - len(tail) - 2, MIN_SEEN_WIDTH)
        )
    ):
        return shorten(head, width - len(tail)) + tail
    return shorten(f"{head}  {comparison}", width - len(tail)) + tail


def failure_lines(entry: "RequirementVerdict", width: int) -> tuple[str, ...]:
    """The same in two lines where one is too narrow to say both what was expected and what was
    received.
    """
    comparison = _expected_received(entry, width - len(INDENT))
    fits = len(failure_line(entry, 2 * MIN_LINE_WIDTH)) <= width
    if fits or width >= MIN_LINE_WIDTH or not comparison:
        return (failure_line(entry, width),)
    return shorten(_broken_where(entry) + _how_often(entry), width), f"{INDENT}{comparison}"


def _broken_where(entry: "RequirementVerdict") -> str:
    """The id and the operation that failed most often."""
    operation, _ = _most_often(entry)
    others = len(entry.violations) - 1
    where = " ".join(part for part in (operation, f"and {others} more" if others else "") if part)
    return "  ".join(part for part in (entry.requirement.id, where) if part)


def _how_often(entry: "RequirementVerdict") -> str:
    total = sum(tally.count for tally in entry.violations.values())
    return f" ({total:,} times)" if total > 1 else ""


def _expected_received(entry: "RequirementVerdict", width: int) -> str:
    """What was expected and received, each with a fair share of the width; empty where no sample is
    kept.
    """
    _, sample = _most_often(entry)
    if not sample.samples:
        return ""
    expected, received = (printable(sample.samples[0][name]) for name in ("expected", "received"))
    room = width - len("expected , received ")
    kept = max(room - len(received), room // 2)
    expected = shorten(expected, kept)
    return f"expected {expected}, received {shorten(received, room - len(expected))}"


def _most_often(entry: "RequirementVerdict") -> "tuple[str, Tally]":
    return max(entry.violations.items(), key=lambda violations: violations[1].count)


def _title(finding: Finding) -> str:
    often = f"failed {finding.count:,} times" if finding.count > 1 else "failed"
    return "  ".join(part for part in (finding.requirement, finding.operation, often) if part)


def _rows(
    finding: Finding, requirement: "Requirement", context: RunContext
) -> Iterator[tuple[str, str]]:
    """Label and text of each row; an empty label continues the row before it."""
    if violation := finding.violation:
        yield "expected", shorten(violation.expected, EXPECTED_LIMIT)
        yield "received", shorten(violation.received, RECEIVED_LIMIT)
        if violation.where:
            yield "where", shorten(violation.where, WHERE_LIMIT)
        for number, note in enumerate(violation.notes):
            yield "" if number else "details", shorten(note, NOTE_LIMIT)
        for number, step in enumerate(violation.sequence):
            yield "" if number else "sequence", f"{number + 1}. {_step(step)}"
        if violation.exchange:
            yield from _request(violation.exchange, violation.where)
            yield from _response(violation.exchange, violation.where)
    yield from _repeating(finding, requirement, context)
    if finding.test:
        yield "test", shlex.quote(printable(finding.test))
    if requirement.line:
        yield "contract", f"spec/contract/{requirement.line}"


def _repeating(
    finding: Finding, requirement: "Requirement", context: RunContext
) -> Iterator[tuple[str, str]]:
    """The lines that show it again, after what they need from the environment."""
    curl = finding.violation.curl if finding.violation else ""
    if context.before_repeating:
        yield "first", context.before_repeating
    if curl:
        yield "curl", printable(curl)
    if requirement.line and not context.tests:  # an own check of the tester has none
        yield "again", printable(context.again(finding.requirement))


def _step(step: Mapping[str, Any]) -> str:
    """One of several exchanges in a line."""
    exchange = step["exchange"]
    asked = f"{exchange['method']} /{exchange['url'].split('/', 3)[-1]}"
    sent = (
        f" {shorten(exchange['request_body'], STEP_BODY_LIMIT)}" if exchange["request_body"] else ""
    )
    note = f", {shorten(step['note'], STEP_LIMIT)}" if step["note"] else ""
    fault = " (at fault)" if step["at_fault"] else ""
    return f"{shorten(asked, STEP_LIMIT)}{sent}: {exchange['status'] or 'no answer'}{note}{fault}"


def _request(exchange: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    yield "request", f"{printable(exchange['method'])} {shorten(exchange['url'], URL_LIMIT)}"
    yield from _headers(exchange["request_headers"], where)
    if exchange["request_body"]:
        yield from (
            ("", part)
            for part in excerpt(
                exchange["request_body"], REQUEST_BODY_LIMIT, focus_of(exchange, "request_body")
            )
        )


def _response(exchange: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    if exchange["status"] is None:
        yield (
            "response",
            f"none: {shorten(exchange.get('failure') or 'no answer arrived', URL_LIMIT)}",
        )
        return
    elapsed = f" in {exchange['elapsed_ms']:,.0f} ms" if "elapsed_ms" in exchange else ""
    request_id = exchange.get("request_id")
    yield (
        "response",
        f"{exchange['status']}{elapsed}"
        + (f", requestId {shorten(request_id, 80)}" if request_id else ""),
    )
    yield from _headers(exchange["response_headers"], where)
    body = exchange["response_body"] or "(no body)"
    yield from (
        ("", part)
        for part in excerpt(body, RESPONSE_BODY_LIMIT, focus_of(exchange, "response_body"))
    )


def _headers(headers: Mapping[str, str], where: str) -> Iterator[tuple[str, str]]:
    shown = CONTRACT_HEADERS | {where.lower()}
    for name, value in headers.items():
        if name.lower() in shown:
            yield "", shorten(f"{name}: {value}", HEADER_LIMIT)
