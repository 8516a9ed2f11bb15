"""The address of a deployment, in the one spelling that all spellings of it share."""

import ipaddress
import re
from urllib.parse import SplitResult, unquote, urlsplit

from plumbline.reports.report_errors import ReportError
from plumbline.reports.run_context import is_client

DEFAULT_PORTS = {"http": 80, "https": 443}
ESCAPE = re.compile("%[0-9a-fA-F]{2}")
UNRESERVED = re.compile(r"[A-Za-z0-9._~-]", re.ASCII)
EXAMPLE = "write it as in https://staging.example.com"


def normalised(url: str) -> str:
    """An http or https URL by the rules of RFC 3986, section 6: case, default ports, escapes, dots
    and slashes at the end. What names a client stays as it is.

    Raises:
        ReportError: it is none, or has parts that no base URL has.
    """
    if is_client(url):
        return url
    try:
        parts = urlsplit(url.strip())
        scheme, host, port = parts.scheme.lower(), _host(parts), parts.port
    except ValueError:
        raise ReportError(f"{url!r} is no address; {EXAMPLE}.") from None
    if scheme not in DEFAULT_PORTS or not host:
        raise ReportError(f"{url!r} is no address of a service; {EXAMPLE}.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ReportError(f"An address has no credentials, query or fragment here; {EXAMPLE}.")
    place = host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"
    return f"{scheme}://{place}{_path(parts.path)}"


def _host(parts: SplitResult) -> str:
    """The host in small letters and ASCII; an address in brackets in its shortest form."""
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        return f"[{ipaddress.ip_address(host).compressed}]"
    return host if host.isascii() else host.encode("idna").decode("ascii").lower()


def _path(path: str) -> str:
    """The path without escapes that need not be, without `.` and `..`, and without a slash at its
    end.
    """
    segments: list[str] = []
    for segment in ESCAPE.sub(lambda escape: _plain(escape[0]), path).split("/")[1:]:
        if segment == "..":
            segments = segments[:-1]
        elif segment != ".":
            segments.append(segment)
    return "/".join(["", *segments]).rstrip("/")


def _plain(escape: str) -> str:
    char = unquote(escape, encoding="latin-1")
    return char if UNRESERVED.fullmatch(char) else escape.upper()
