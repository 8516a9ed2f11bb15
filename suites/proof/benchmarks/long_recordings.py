"""Long recordings: the exchanges of one run again and again, each time about other records and on
another day.

Ids, mail addresses, request ids and idempotency keys differ from copy to copy, so nothing is
quicker because it was seen before.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import Any

from plumbline.fixtures.cli.verbs.har import entry_of

ROOT = Path(__file__).parents[3]
PARTS = re.compile(
    r"(?P<id>\b[0-9a-fA-F]{8}(?=-[0-9a-fA-F]{4}-))"
    r"|(?P<day>\b20\d\d-\d\d-\d\d)"
    r"|(?P<date>\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d)"
    r"|(?P<unix>\b1[789]\d{8}(?:\d{3})?\b)"
    r"|(?P<mail>@example\.)"
    r'|(?P<key>requestId\\": ?\\"|"idempotency-key": ")'
)
"""What differs from copy to copy in a line of a transcript; of an id its first digits, of a key
what stands before it.
"""
HTTP_DAY = "%a, %d %b %Y"
DAY_SECONDS = 86_400
SCRIPT = "function report(a,b){return a===b?null:{a:a,b:b}};" * 2000
"""What a page loads beside the API; 100 kB."""


def record(folder: Path) -> Path:
    """The transcript of a run against the embedded deployment with its limits lifted; the one that
    is there, if any.

    Args:
        folder: of the report.
    """
    transcript = folder / "transcript" / "main.jsonl"
    if not (folder / "conformance.json").exists():
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            f"--report-dir={folder}",
            "--seed=20",
        ]
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith("PLUMBLINE_")
        }
        done = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return transcript


def copies(transcript: Path) -> Iterator[list[str]]:
    """The lines of a transcript, without end: as they are, then those of other records a day later,
    and so on.
    """
    lines = transcript.read_text(encoding="utf-8").splitlines()
    for number in count():
        yield [_copy(line, number) for line in lines] if number else lines


def write_transcript(transcript: Path, number: int, file: Path) -> None:
    """Write so many copies as a transcript."""
    with file.open("w", encoding="utf-8") as out:
        for lines in islice(copies(transcript), number):
            out.writelines(f"{line}\n" for line in lines)


def write_har(transcript: Path, number: int, file: Path, *, beside: int = 0) -> None:
    """Write so many copies as a HAR file, as a browser does that shows the keys of its requests.

    Args:
        transcript: to copy.
        number: of copies.
        file: to write.
        beside: further entries after each one, of what a page loads from elsewhere.
    """
    with file.open("w", encoding="utf-8") as out:
        out.write(
            '{"log": {"version": "1.2", "creator": {"name": "benchmark", "version": "1"},'
            ' "entries": [\n'
        )
        comma = ""
        for lines in islice(copies(transcript), number):
            for line in lines:
                entry = _entry(line)
                for copy in (entry, *([_loaded(entry)] * beside)):
                    out.write(comma + json.dumps(copy))
                    comma = ",\n"
        out.write("\n]}}\n")


def _entry(line: str) -> dict[str, Any]:
    stored = json.loads(line)
    if "authorization" in stored["request_headers"]:
        stored["request_headers"]["authorization"] = f"Bearer key-of-{stored['actor']}"
    return entry_of(stored)


def _loaded(entry: dict[str, Any]) -> dict[str, Any]:
    """What a page loads at the time of another entry."""
    request = {
        "method": "GET",
        "url": "https://pages.example.org/app.js",
        "httpVersion": "HTTP/1.1",
        "headers": [],
    }
    content = {"size": len(SCRIPT), "mimeType": "text/javascript", "text": SCRIPT}
    response = {
        "status": 200,
        "statusText": "OK",
        "httpVersion": "HTTP/1.1",
        "headers": [],
        "content": content,
    }
    return entry | {"request": request, "response": response}


def _copy(line: str, number: int) -> str:
    def other(match: re.Match[str]) -> str:
        text = match[0]
        match match.lastgroup:
            case "id":
                digits = f"{int(text, 16) ^ number * 0x10001:08x}"
                return digits.upper() if text != text.lower() else digits
            case "day":
                return _later_day(text, number)
            case "date":
                return _later_date(text, number)
            case "unix":
                milliseconds = 1000 if len(text) > 10 else 1
                return str(int(text) + number * DAY_SECONDS * milliseconds)
            case "mail":
                return f"@copy-{number}.example."
        return f"{text}{number}-"

    return PARTS.sub(other, line)


@lru_cache(maxsize=10_000)
def _later_day(text: str, days: int) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days)).isoformat()
    except ValueError:  # a day that does not exist, which a check has sent
        return text


@lru_cache(maxsize=1000)
def _later_date(text: str, days: int) -> str:
    # a day of no zone
    return (datetime.strptime(text, HTTP_DAY) + timedelta(days)).strftime(HTTP_DAY)  # noqa: DTZ007
