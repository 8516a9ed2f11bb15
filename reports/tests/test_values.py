"""What the values that were sent amount to, in the results and on the page."""

from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.page import page
from plumbline.reports.tests.parsed_html import parsed, text_of
from plumbline.reports.tests.samples import CONTEXT, FAILED, GREEN, SMALL, finding, run_of, values
from plumbline.reports.verdict.value_shares import Share, class_counts, shares, totals

LEADS, CALLS = "POST /v1/leads", "POST /v1/calls"
SENT = (
    values("name", markup=True, empty=False, long=False),
    values("company", markup=True, empty=True, long=False),
    values("note", "CORE-03", CALLS, markup=False, long=True),
    values("note", "CORE-02", CALLS, markup=False),
)
HOSTILE = "</table><script>alert(1)</script>\u202e"


def test_class_counts_for_an_operation_when_any_of_its_fields_took_it() -> None:
    rows = run_of(*SENT).values_sent
    assert [(row["operation"], row["field"]) for row in rows] == [
        (CALLS, "note"),
        (LEADS, "company"),
        (LEADS, "name"),
    ]
    assert shares(rows) == [
        Share(CALLS, "line", ["long"], ["markup"]),
        Share(LEADS, "line", ["empty", "markup"], ["long"]),
    ]
    assert shares(rows, together=True) == [Share("", "line", ["empty", "long", "markup"], [])]
    assert totals(shares(rows)) == (3, 5)


def test_rows_of_several_reports_add_up_in_any_order() -> None:
    reports = [run_of(record).values_sent for record in SENT]
    rows = [row for report in reports for row in report]
    assert shares(rows) == shares(reversed(rows)) == shares(run_of(*SENT).values_sent)


def test_requirement_is_told_how_many_classes_its_fields_took() -> None:
    rows = run_of(*SENT).values_sent
    assert class_counts("CORE-01", rows) == {"sent": 2, "of": 3}
    assert class_counts("CORE-03", rows) == {"sent": 1, "of": 2}
    assert class_counts("CORE-04", rows) == {}
    entries = {entry["id"]: entry for entry in document_of(run_of(*SENT), CONTEXT)["requirements"]}
    assert entries["CORE-01"]["classes"] == {"sent": 2, "of": 3}
    assert "classes" not in entries["CORE-04"]


def test_run_that_sent_no_values_says_nothing_of_them() -> None:
    document = document_of(run_of(*GREEN), CONTEXT)
    assert "values_sent" not in document
    assert [entry["id"] for entry in document["requirements"] if "classes" in entry] == []
    assert not [*parsed(page(document, SMALL)).query(".tried, .values-sent")]


def test_page_says_with_how_many_classes_a_requirement_passed() -> None:
    document = document_of(
        run_of(*GREEN, FAILED, *SENT, values("size", "CORE-03", small=True)), CONTEXT
    )
    read = parsed(page(document, SMALL))
    assert text_of(read, "#CORE-01 .tried summary") == "Failed with 2 of 3 classes of values"
    assert "Passed with 1 of 2 classes of values" in text_of(read, "#CORE-02 .tried")
    assert text_of(read, "#CORE-02 .tried dt") == "line"
    assert text_of(read, "#CORE-02 .tried dd") == "markup"
    assert not [*read.query("#CORE-04 .tried")]


def test_page_says_that_all_classes_were_sent() -> None:
    document = document_of(
        run_of(*GREEN, values("name", a=True, b=True), values("size", "CORE-03", a=True)), CONTEXT
    )
    read = parsed(page(document, SMALL))
    assert text_of(read, "#CORE-01 .tried") == "Passed with all 2 classes of values"


def test_page_says_nothing_of_classes_where_nothing_was_judged() -> None:
    unmet = finding("CORE-01", "unmet", reason="no key")
    read = parsed(page(document_of(run_of(unmet, *SENT), CONTEXT), SMALL))
    assert not [*read.query("#CORE-01 .tried")]


def test_table_has_operations_formats_and_what_is_missing() -> None:
    read = parsed(page(document_of(run_of(*GREEN, *SENT), CONTEXT), SMALL))
    rows = [
        " ".join(node.to_text(separator=" ").split())
        for node in read.query(".values-sent tbody tr")
    ]
    assert rows == [CALLS, "line 1 of 2 1 not sent markup", LEADS, "line 2 of 3 1 not sent long"]
    assert "3 of 3 classes to some operation, and 3 of 5 counted" in text_of(read, "#requests")


def test_names_on_the_page_are_text() -> None:
    record = {
        "values": {
            HOSTILE: {
                HOSTILE: {
                    "format": HOSTILE,
                    "requirements": ["CORE-01"],
                    "classes": {HOSTILE: False},
                }
            }
        }
    }
    read = parsed(page(document_of(run_of(*GREEN, record), CONTEXT), SMALL))
    assert len([*read.query("script")]) == 1
    shown = text_of(read, ".values-sent tbody") + text_of(read, "#CORE-01 .tried")
    assert shown.count("</table><script>alert(1)</script>\\u202e") == 5
