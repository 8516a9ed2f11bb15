"""The table of values that reach nobody: telephone numbers against libphonenumber, sources, hosts
and addresses.
"""

from ipaddress import ip_address
from itertools import pairwise
from urllib.parse import urlsplit

import phonenumbers
import pytest

from plumbline.spec import reserved
from plumbline.spec.reserved import (
    E164,
    LONG_PHONES,
    MAIL_DOMAINS,
    PHONE_SOURCES,
    PHONES,
    SPARE_CODES,
    PhoneRange,
    Source,
    is_reserved_address,
    is_reserved_host,
    is_reserved_mailbox,
    is_reserved_phone,
    is_spare,
)

RANGES = [
    pytest.param(country, range_, id=range_.first)
    for country, ranges in PHONES.items()
    for range_ in ranges
]


@pytest.mark.parametrize(("country", "numbers"), RANGES)
def test_reserved_numbers_are_valid_for_libphonenumber(country: str, numbers: PhoneRange) -> None:
    """In their country, at both ends and in between."""
    for index in sorted({0, numbers.size // 2, numbers.size - 1}):
        number = numbers.number(index)
        parsed = phonenumbers.parse(number)
        assert E164.fullmatch(number)
        assert phonenumbers.is_valid_number(parsed)
        assert phonenumbers.region_code_for_number(parsed) == country
        assert is_reserved_phone(number)


def test_ranges_do_not_overlap() -> None:
    ends = sorted(
        (int(range_.number(0)), int(range_.number(range_.size - 1)))
        for ranges in PHONES.values()
        for range_ in ranges
    )
    assert all(last < first for (_, last), (first, _) in pairwise(ends))


def test_every_country_has_its_source() -> None:
    """And every other table one of its own."""
    assert set(PHONE_SOURCES) == set(PHONES)
    others = [value for name, value in vars(reserved).items() if name.endswith("_SOURCE")]
    assert len(others) == 4
    for source in (*PHONE_SOURCES.values(), *others):
        assert isinstance(source, Source)
        assert urlsplit(source.url).scheme == "https"


def test_spare_codes_are_no_country_codes() -> None:
    """Neither they nor any code that begins with them."""
    codes = {str(code) for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE}
    for code in SPARE_CODES:
        assert not [other for other in codes if other.startswith(code) or code.startswith(other)]
        number = f"+{code}12345678"
        assert is_spare(number)
        with pytest.raises(phonenumbers.NumberParseException):
            phonenumbers.parse(number)


def test_the_longest_numbers_are_longer_than_the_others() -> None:
    lengths = {len(range_.first) for ranges in PHONES.values() for range_ in ranges}
    assert {len(phone.first) for phone in LONG_PHONES} == {max(lengths)}


@pytest.mark.parametrize(
    "number",
    [
        *(
            "+14155550099",
            "+14155550200",
            "+14165550200",
            "+19995550100",
            "+4930901820",
            "+442079461000",
            "+447911123456",
        ),
        *(
            "+491713920100",
            "+33142685300",
            "+46701740604",
            "+46701740700",
            "+6834123",
            "+61491570007",
            "+447700900123",
        ),
        *("14155550100", "+1 415 555 0100", "+1415555\u0660100", "+1415555010", "", "+"),
    ],
)
def test_other_numbers_are_not_reserved(number: str) -> None:
    """Those next to a range, of people, and what is no E.164."""
    assert not is_reserved_phone(number)


def test_hosts_and_mailboxes() -> None:
    for name in (
        "example.com",
        "a.b.example.org",
        "EXAMPLE.net.",
        "x.invalid",
        "localhost",
        "y.test",
        "z.example",
    ):
        assert is_reserved_host(name)
    for name in ("example.de", "notexample.com", "example.com.evil.io", "", "com", "github.com"):
        assert not is_reserved_host(name)
    assert all(
        is_reserved_mailbox(f"ada@{prefix}{domain}")
        for domain in MAIL_DOMAINS
        for prefix in ("", "main.")
    )
    for address in ("0@0.com", "ada@lovelace.test", "ada@example.com.io", "ada"):
        assert not is_reserved_mailbox(address)


def test_addresses() -> None:
    for address in (
        "203.0.113.7",
        "2001:db8::1",
        "127.0.0.2",
        "::1",
        "10.1.2.3",
        "::ffff:192.168.0.1",
        "ff02::1",
    ):
        assert is_reserved_address(ip_address(address))
    for address in ("8.8.8.8", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "100.128.0.1"):
        assert not is_reserved_address(ip_address(address))
