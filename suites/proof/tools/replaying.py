"""Sends the requests of a recording once more, to another deployment, with the ids that this one
gives.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import httpx

from plumbline.fixtures.observing.seen import Recorded

ID = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
CURSOR = "next_cursor"


def replayed(
    recorded: Iterable[Recorded], old_url: str, new_url: str, keys: dict[str, str]
) -> Iterator[httpx.Response]:
    """The answers to the requests of a recording; ids and cursors of its answers become those that
    are answered now.

    Args:
        recorded: the recording.
        old_url: of the deployment that was recorded.
        new_url: of the one that is asked now.
        keys: the API keys of the new one: for each key of the old one, or for each client of a
            transcript, which holds no keys.
    """
    names: dict[str, str] = {}
    with httpx.Client(timeout=30) as client:
        for exchange in recorded:
            headers = {
                name: value
                for name, value in exchange.request_headers.items()
                if name not in OF_THE_CONNECTION
            }
            if "authorization" in headers:
                scheme, _, key = headers["authorization"].rpartition(" ")
                headers["authorization"] = (
                    f"{scheme or 'Bearer'}"
                    f" {keys.get(exchange.client if key == '[secret]' else key, key)}"
                )
            url = new_url + _renamed(exchange.url.removeprefix(old_url), names)
            body = _renamed(
                (exchange.request_body or b"").decode("utf-8", "surrogateescape"), names
            )
            try:
                answer = client.request(
                    exchange.method,
                    url,
                    headers=headers,
                    content=body.encode("utf-8", "surrogateescape"),
                )
            except httpx.HTTPError:
                continue
            names |= dict(_pairs(_json(exchange.body or b""), _json(answer.content)))
            yield answer


OF_THE_CONNECTION = frozenset(
    {"host", "content-length", "connection", "accept-encoding", "transfer-encoding"}
)


def _renamed(text: str, names: dict[str, str]) -> str:
    names_in_text = [name for name in names if name in text]
    return (
        re.sub("|".join(map(re.escape, names_in_text)), lambda match: names[match[0]], text)
        if names_in_text
        else text
    )


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _pairs(old: Any, new: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Ids and cursors at the same places of two answers."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() & new.keys():
            yield from _pairs(old[key], new[key], key)
    elif isinstance(old, list) and isinstance(new, list):
        for one, other in zip(old, new, strict=False):
            yield from _pairs(one, other)
    elif (
        isinstance(old, str)
        and isinstance(new, str)
        and old != new
        and (name == CURSOR or ID.fullmatch(old.encode()))
    ):
        yield old, new
