"""How a deployment stands today: what was last shown, how it looks, until when that holds, and its
badge.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from plumbline.reports.compare.run_history import LETTERS, Deployment, Flip
from plumbline.reports.pages.overview import TONES
from plumbline.reports.text import file_name, printable

LABEL = "Sales Pipeline API"
"""What a badge says on its left side."""
COLOURS: Mapping[str, str] = {
    "sound": "#1d6a44",
    "broken": "#a3211b",
    "void": "#63389c",
    "unsettled": "#855200",
    "lapsed": "#5f5a50",
}
"""Of badges, by tone; white text on each has a contrast of at least 5."""


@dataclass(frozen=True)
class Standing:
    """A deployment as its page shows it.

    Attributes:
        deployment: what the store knows of it.
        lapses: when its last verdict ceases to say anything.
        now: when the site is written.
        since: the last flip of each requirement that has any.
    """

    deployment: Deployment
    lapses: datetime
    now: datetime
    since: Mapping[str, Flip]

    @property
    def name(self) -> str:
        """Its name, fit for a page."""
        return printable(self.deployment.name)

    @property
    def slug(self) -> str:
        """Its name in file names."""
        return file_name(self.deployment.name)

    @property
    def lapsed(self) -> bool:
        """Whether its last verdict is too old."""
        return self.lapses < self.now

    @property
    def word(self) -> str:
        """The verdict in the words of the run, or that it lapsed."""
        return "lapsed" if self.lapsed else self.deployment.standing.headline

    @property
    def tone(self) -> str:
        """How that looks; a partial run is never sound."""
        run = self.deployment.standing
        tone = TONES.get(run.verdict, "unsettled")
        return "lapsed" if self.lapsed else "unsettled" if tone == "sound" and run.partial else tone

    @property
    def failing(self) -> list[str]:
        """Requirements that fail by what was last found."""
        return [
            name for name, letter in self.deployment.known.items() if letter == LETTERS["failed"]
        ]

    @property
    def message(self) -> str:
        """What the badge says, with a day, because a picture cannot change by itself.

        What is well says until when that holds; anything else is no promise, and says as of when it
        was found.
        """
        run = self.deployment.standing
        if self.lapsed:
            return f"lapsed, last run {run.started:%Y-%m-%d}"
        failed = f", {run.failed} failed" if self.tone == "broken" and run.failed else ""
        when = (
            f"until {self.lapses:%Y-%m-%d}"
            if self.tone == "sound"
            else f"as of {run.ended:%Y-%m-%d}"
        )
        return f"{run.verdict}{failed}, {when}"

    @property
    def shields(self) -> dict[str, object]:
        """The badge as shields.io reads it from an endpoint."""
        return {
            "schemaVersion": 1,
            "label": LABEL,
            "message": self.message,
            "color": COLOURS[self.tone],
            "isError": self.tone == "broken",
            "cacheSeconds": 3600,
        }


def standing_of(
    deployment: Deployment, lapse: timedelta, now: datetime, flips: Sequence[Flip]
) -> Standing:
    """How a deployment stands, its verdict lapsing so long after the run that showed it.

    Args:
        deployment: what the store knows of it.
        lapse: how long a verdict says something.
        now: when the site is written.
        flips: of the deployment, the latest first.
    """
    since = {flip.requirement: flip for flip in reversed(flips)}
    return Standing(deployment, deployment.standing.ended + lapse, now, since)
