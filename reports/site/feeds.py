"""Feeds of what changed: one entry for each run in which requirements flipped, as JSON Feed 1.1 and
as Atom.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Any

from plumbline.reports.compare.run_history import Flip
from plumbline.reports.text import file_name, named, plural, printable

MAX_ENTRIES, MAX_NAMED = 50, 4
JSON_FEED = "https://jsonfeed.org/version/1.1"


def entries(flips: Sequence[Flip]) -> list[dict[str, Any]]:
    """The entries, the latest first; each with id, page, title, what happened, the moment and a
    sentence for each flip.
    """
    grouped = groupby(flips, key=lambda flip: (flip.deployment, flip.attempt, flip.started))
    return [
        *islice((_entry(*key, [*flips_of_night]) for key, flips_of_night in grouped), MAX_ENTRIES)
    ]


def json_feed(title: str, url: str, flips: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A JSON Feed.

    Args:
        title: of the feed.
        url: where the site is published, with a slash at its end; empty where nobody said.
        flips: entries.
    """
    items = [
        {
            "id": entry["id"],
            "url": url + entry["page"],
            "title": entry["title"],
            "content_text": "\n".join(entry["sentences"]),
            "date_published": entry["moment"],
        }
        for entry in flips
    ]
    places = {"home_page_url": url, "feed_url": f"{url}feed.json"} if url else {}
    return {"version": JSON_FEED, "title": title, **places, "items": items}


def _entry(
    deployment: str, attempt: str, started: datetime, flips: Sequence[Flip]
) -> dict[str, Any]:
    """An entry about one run."""
    what = "; ".join(_title(flips))
    return {
        "id": f"urn:plumbline:run:{file_name(attempt)}",
        "page": f"deployment/{file_name(deployment)}.html",
        "title": f"{printable(deployment)}: {what}",
        "what": what,
        "moment": started.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "sentences": [flip.sentence for flip in flips],
    }


def _title(flips: Sequence[Flip]) -> Iterator[str]:
    for fails, words in ((True, ("fails", "fail")), (False, ("no longer fails", "no longer fail"))):
        ids = [flip.requirement for flip in flips if flip.fails is fails]
        if len(ids) == 1:
            yield f"{ids[0]} {words[0]}"
        elif ids:
            yield f"{plural(len(ids), 'requirement')} {words[1]}: {named(ids, MAX_NAMED)}"
