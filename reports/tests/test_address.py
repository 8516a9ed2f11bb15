"""Spellings of one address, and addresses that are none."""

import pytest

from plumbline.reports.evidence.address import normalised
from plumbline.reports.report_errors import ReportError

HERE = "https://staging.example.com"


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://Staging.Example.COM", HERE),
        (f"{HERE}/", HERE),
        (f" {HERE}:443 ", HERE),
        (f"{HERE}.", HERE),
        (f"{HERE}/./api/../", HERE),
        (f"{HERE}/%61pi/", f"{HERE}/api"),
        (f"{HERE}/a%2fb", f"{HERE}/a%2Fb"),
        (f"{HERE}:8443", f"{HERE}:8443"),
        ("http://staging.example.com:80", "http://staging.example.com"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "http://[::1]:8080"),
        ("https://b\u00fccher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_spellings_of_one_address_are_equal(url: str, same: str) -> None:
    assert normalised(url) == normalised(same) == same


@pytest.mark.parametrize(
    "other",
    [
        "http://staging.example.com",
        f"{HERE}:8443",
        f"{HERE}/api",
        f"{HERE}.evil.example",
        f"{HERE}/a/b",
    ],
)
def test_other_addresses_differ(other: str) -> None:
    assert normalised(other) != HERE


def test_client_has_no_address() -> None:
    assert normalised("client: node sdk.js") == "client: node sdk.js"


@pytest.mark.parametrize(
    "url",
    ["", "staging.example.com", "ftp://staging.example.com", "https://", "https://a:b@c",
     f"{HERE}?a", f"{HERE}#a",
     "https://host:port", "https://[::1", "https://@host"],
)  # fmt: skip
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(ReportError, match=r"write it as in https://staging\.example\.com"):
        normalised(url)
