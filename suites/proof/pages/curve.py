"""How much a run with a bare address and key catches for how many requests, in the order in which a
run takes its checks.

It is read from the matrix: a fault counts as caught by the checks that the proof saw catching it. A
check that was not tried with a fault, because it does not declare what the fault breaks, may catch
it earlier by what an oracle sees in its exchanges.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from plumbline.fixtures.planning.budget import affordable, any_number
from plumbline.fixtures.planning.costs import Cost
from plumbline.fixtures.planning.mark import Tier
from plumbline.fixtures.planning.matrix import Matrix
from plumbline.fixtures.planning.selection import priced
from plumbline.fixtures.profile.profile import build_profile
from plumbline.fixtures.profile.settings import Value
from plumbline.spec import catalogue

from ..trials.collected import all_items

STOPS = (30, 60, 90, 120, 180, 240, 300)
"""Requests at which the table says what was caught."""
BARE = {"base_url": "http://127.0.0.1", "keys.api": "svc_pk_test_bare"}
"""All that the profile of the curve has."""
CLASS = "core"
"""The class that such a profile opens."""
WIDTH, HEIGHT, MARGIN = 640, 320, 48
"""Of the picture, in pixels."""
STYLE = (
    "text{font:12px sans-serif;fill:#57606a}.grid{fill:none;stroke:#d0d7de}"
    ".curve{fill:none;stroke:#0969da;stroke-width:2}"
)
Points = Sequence[tuple[int, float]]
"""Requests with the share of the faults that are caught by then, from 0 to 1."""


def curve(matrix: Matrix) -> Points:
    """The points of the curve, one for each check."""
    asked = {
        name
        for name, requirement in catalogue().requirements.items()
        if requirement.conformance_class == CLASS
    }
    profile = build_profile({key: Value(text, "the curve") for key, text in BARE.items()})
    faults = {name for name, row in matrix.faults.items() if row.red & asked}
    checks = [
        replace(item_priced, catches=matrix.caught_by(item_priced.name) & faults)
        for item_priced in (priced(item, profile) for item in all_items())
        if item_priced.requirements & asked and item_priced.tier <= Tier.standard
    ]
    whole = len(frozenset().union(*(check.catches for check in checks))) or 1
    cost, caught, points = Cost(), set[str](), []
    for check in affordable(checks, any_number, Cost(), asked):
        cost.pay(check)
        caught |= check.catches
        points.append((cost.total, len(caught) / whole))
    return points


def table(points: Points) -> Iterator[str]:
    """The curve as a table in Markdown."""
    shares = [
        (stop, max((share for sent, share in points if sent <= stop), default=0.0))
        for stop in STOPS
    ]
    yield "| requests | " + " | ".join(str(stop) for stop, _ in shares) + f" | {points[-1][0]} |"
    yield "|---" * (len(shares) + 2) + "|"
    yield (
        "| caught of what the standard tier catches | "
        + " | ".join(f"{share:.0%}" for _, share in shares)
        + " | 100% |"
    )


def picture(points: Points) -> str:
    """The curve as an SVG file."""
    last = points[-1][0]

    def place(sent: float, share: float) -> str:
        x = MARGIN + sent / last * (WIDTH - 2 * MARGIN)
        y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
        return f"{x:.1f},{y:.1f}"

    def text(
        sent: float, share: float, words: str, anchor: str, *, down: int = 0, left: int = 0
    ) -> str:
        x, y = map(float, place(sent, share).split(","))
        return f'<text x="{x - left:.1f}" y="{y + down:.1f}" text-anchor="{anchor}">{words}</text>'

    line = " ".join([place(0, 0), *(place(*point) for point in points)])
    across = [
        f'<polyline class="grid" points="{place(0, share)} {place(last, share)}"/>'
        for share in (0.25, 0.5, 0.75, 1)
    ]
    sides = [
        text(0, share, f"{share:.0%}", "end", down=4, left=8) for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    below = [text(stop, 0, str(stop), "middle", down=18) for stop in (*STOPS[1::2], last)]
    title = "Share of the faults that the standard tier catches, by requests sent"
    parts = (
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' aria-label="{title}">'
        ),
        f"<style>{STYLE}</style>",
        text(0, 1, title, "start", down=-16),
        *(*across, *sides, *below),
        f'<polyline class="curve" points="{line}"/>',
        "</svg>",
    )
    return "\n".join(parts) + "\n"
