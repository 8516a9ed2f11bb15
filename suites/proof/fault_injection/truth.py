"""What may come of a fault: the same as without it, *unfinished*, or one sentence."""

import re
from collections.abc import Iterator

from .injector import FAILURES, Point
from .trying import Command, Ending

INTERRUPTED, INCOMPLETE, CONFIGURATION, FAULT_OF_THE_KIT, USAGE = 2, 10, 11, 12, 4
BLAMED = frozenset({CONFIGURATION, FAULT_OF_THE_KIT, USAGE})
"""Exit codes that say nothing about a deployment."""
OF_SIGNALS = {2: frozenset({2, 130, -2}), 9: frozenset({-9, 137}), 15: frozenset({2, 143, -15})}
"""How a process ends by a signal: by itself, as a shell says it, or by the signal."""
NETWORK = frozenset({"connect", "send", "receive", "resolve", "socket", "accept", "listen"})
UNWELCOME = (
    "Traceback (most recent call last)",
    "INTERNALERROR",
    "Exception ignored",
    "During handling of the above",
)
SENTENCE = re.compile(
    r"^plumbline: \S.*[.!?)]$|^INVALID RUN|invalid run|^INCOMPLETE|^UNFINISHED|^problem |: not"
    r" judged: ",
    re.MULTILINE | re.IGNORECASE,
)


def untruths(
    command: Command, plain: Ending, ending: Ending, point: Point, failure: str
) -> Iterator[str]:
    """What is wrong with an ending, one sentence each; nothing if it is true.

    Args:
        command: that was carried out.
        plain: how it ends without a fault.
        ending: how it has ended.
        point: the operation that failed.
        failure: how that failed.
    """
    signal = FAILURES[failure].signal
    yield from (f"{text!r} on the terminal" for text in UNWELCOME if text in ending.shown)
    allowed = {plain.code, FAULT_OF_THE_KIT} | (OF_SIGNALS[signal] if signal else BLAMED)
    allowed |= {INCOMPLETE} if command.report else set()
    is_lossy = bool(command.report) and point.kind in NETWORK
    allowed |= {0} if is_lossy else set()
    if ending.code not in allowed:
        yield f"ends with {ending.code}"
    if ending.code in {0, 1, plain.code}:
        yield from _not_whole(command, plain, ending)
    elif ending.code in BLAMED | {INCOMPLETE} and not SENTENCE.search(ending.shown):
        yield f"ends with {ending.code} without a sentence"
    if command.report:
        yield from _untrue_report(plain, ending, is_ended=bool(signal), is_lossy=is_lossy)
    yield from _half(plain, ending)


def _not_whole(command: Command, plain: Ending, ending: Ending) -> Iterator[str]:
    """What is missing of an ending that looks as if nothing had failed."""
    if command.report and ending.state != plain.state:
        yield f"ends with {ending.code}, and the report is {ending.state}"
    if ending.outputs.keys() != plain.outputs.keys():
        missing = sorted(plain.outputs.keys() - ending.outputs.keys())
        yield f"ends with {ending.code} without {', '.join(missing)}"


def _untrue_report(
    plain: Ending, ending: Ending, *, is_ended: bool, is_lossy: bool
) -> Iterator[str]:
    """What a report says that is not so."""
    if ending.state == "unreadable":
        yield "conformance.json is half a file"
    if ending.state == "finished":
        yield from (f"the report is finished, but {seal}" for seal in ending.seals)
        if ending.says != ending.code and not is_ended and ending.code != FAULT_OF_THE_KIT:
            yield (
                f"the report is finished and says {ending.says}, the command ends with"
                f" {ending.code}"
            )
        differing = [
            name
            for name, verdict in plain.requirements.items()
            if ending.requirements.get(name) != verdict
        ]
        if is_lossy:  # what was not answered is not judged
            differing = [
                name for name in differing if ending.requirements.get(name) != "not exercised"
            ]
        if differing and ending.code in {0, 1}:
            yield f"a verdict, but another one of {', '.join(differing[:5])}"
    elif ending.says == 0 or (ending.says == 1 and plain.says != 1):
        yield f"the report is {ending.state} and says {ending.says}"
    charged = [
        name for name, verdict in ending.requirements.items() if verdict in {"failed", "warned"}
    ]
    if charged := [
        name for name in charged if plain.requirements.get(name) != ending.requirements[name]
    ]:
        yield f"{', '.join(charged[:5])} charged to the deployment"


def _half(plain: Ending, ending: Ending) -> Iterator[str]:
    """Files that are there, but not whole; of a folder of pages the command says so itself."""
    for name, content in ending.outputs.items():
        whole = plain.outputs.get(name)
        if whole and b"\0" not in whole and len(content) < len(whole) // 2:
            yield f"{name} has {len(content)} bytes of {len(whole)}"


def spoiled(plain: Ending, following: Ending) -> Iterator[str]:
    """What is wrong with the next run into the same folder."""
    yield from (
        f"the next run: {text!r} on the terminal" for text in UNWELCOME if text in following.shown
    )
    if following.code != plain.code:
        yield f"the next run ends with {following.code}: {following.shown[-200:]}"
    elif following.requirements != plain.requirements or following.seals:
        yield (
            f"the next run does not say the same: {', '.join(following.seals) or following.verdict}"
        )
    elif left := following.names - plain.names:
        yield f"after the next run {', '.join(sorted(left))} is left"
