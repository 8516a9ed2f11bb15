"""Shows a plan: what a run would send and judge, before it sends anything."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.reports.text import columns, duration, named, plural, printable, wrap

KINDS = ("REST", "bookings", "GraphQL")
MAX_NAMED = 4
"""Ids that are shown of those that stay unjudged for one reason."""


def plan_lines(plan: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """A plan as lines of text.

    Args:
        plan: as `plumbline plan --json` gives it.
        width: of running text, in characters.
    """
    budget = f", budget {plan['budget']}" if plan["budget"] else ""
    workers = f", {plural(plan['workers'], 'worker')}" if plan["workers"] > 1 else ""
    yield f"{printable(plan['target'])}, {plan['tier']} tier{budget}{workers}; nothing was sent"
    yield ""
    rows = [
        (
            class_["id"],
            f"{class_['requirements']} of {class_['of']}",
            class_["checks"],
            class_["requests"],
        )
        for class_ in plan["classes"]
    ]
    judged, of = (
        sum(class_[name] for class_ in plan["classes"]) for name in ("requirements", "of")
    )
    rows.append(("in all", f"{judged} of {of}", plan["checks"], plan["requests"]))
    yield from columns(("class", "requirements", "checks", "requests"), rows)
    if plan["lanes"]:
        yield ""
        lanes = [
            (lane["title"], *(lane[kind] or "" for kind in KINDS), _time(lane["seconds"]))
            for lane in plan["lanes"]
        ]
        yield from columns(
            ("requests by the limits of", "REST", "bookings", "GraphQL", "at the limits"), lanes
        )
    yield ""
    yield from wrap(_sentence(plan), width)
    for lane in plan["lanes"]:
        if lane["beyond"]:
            yield (
                f"{lane['title']}: {plural(lane['beyond'], 'request')} beyond what the tier allows"
                " will not be sent"
            )
    if hidden := plan.get("hidden_by_the_hour"):
        yield from wrap(f"At this hour: {hidden}.", width)
    if unmeasured := plan.get("unmeasured"):
        yield from wrap(_guessed(unmeasured), width)
    yield from _left_out(plan, width)


def _left_out(plan: Mapping[str, Any], width: int) -> Iterator[str]:
    """What the run would not exercise: what makes it incomplete, and apart from that the classes
    that it does not claim.
    """
    titles = {
        "not exercised": "not exercised:",
        "not selected": "not selected:",
        "not claimed": "not claimed, so the verdict does not depend on it:",
    }
    for verdict, title in titles.items():
        entries = [entry for entry in plan["not_exercised"] if entry["verdict"] == verdict]
        if entries:
            yield ""
            yield title
        for entry in entries:
            first, *rest = wrap(_unjudged(entry), width - 4)
            yield from (f"  {first}", *(f"    {line}" for line in rest))


def _time(seconds: int | None) -> str:
    """How long a lane takes; the lanes that meet their limits on purpose do so while everything
    else goes on.
    """
    if seconds is None:
        return "in the background"
    return f"about {duration(seconds)}" if seconds else "at once"


def _sentence(plan: Mapping[str, Any]) -> str:
    whole, limited = duration(plan["seconds"]), duration(plan["seconds_at_documented_limits"])
    if plan["limits"] == "lifted":
        return (
            f"About {whole}, because the limits of this deployment are lifted; about {limited} at"
            " the documented limits."
        )
    wider = plan.get("seconds_with_one_more")
    saved = (
        f" One more organization would save {duration(plan['seconds'] - wider)}."
        if wider and wider < plan["seconds"]
        else ""
    )
    return f"About {whole} at the documented limits; organizations are served side by side.{saved}"


def _guessed(checks: Sequence[str]) -> str:
    verb, they = ("is", "it") if len(checks) == 1 else ("are", "each of them")
    return (
        f"{named(checks, MAX_NAMED)} {verb} not in costs.json, so {they} counts as one request; "
        "`python -m plumbline.suites.proof.pages.costs` measures that."
    )


def _unjudged(entry: Mapping[str, Any]) -> str:
    remedy = f"; {entry['remedy']}" if entry["remedy"] else ""
    return f"{entry['class']}: {named(entry['requirements'], MAX_NAMED)}: {entry['reason']}{remedy}"
