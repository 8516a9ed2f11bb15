"""How people and visitors are addressed: mail addresses, telephone numbers, visitor ids.

A plain address of RFC 5321 is a dot-atom at a domain. Quoted local parts, address literals and
letters beyond ASCII are open, and so are domains that may exist: a service sends mail. Characters
of an atom that hardly any address has are not here either, because common validators know none of
them; see LEAD-33.

Most addresses have an apostrophe and a plus as well: a service that cannot take these shows in
every run, at each operation that takes an address.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plumbline.spec.reserved import E164, PHONES, PhoneRange
from plumbline.spec.values.classes import Draw, Format, ValueClass, forms, matches, pattern

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LOCAL_LENGTH, SHORT_LENGTH = 64, 2
MANY_LABELS = 5


def _local(test: Callable[[str], bool]) -> Callable[[Any], bool]:
    return lambda address: "@" in address and test(address.rpartition("@")[0])


def _domain(test: Callable[[str], bool]) -> Callable[[Any], bool]:
    return lambda address: "@" in address and test(address.rpartition("@")[2])


EMAIL = Format(
    "email",
    (
        ValueClass(
            "plus tag",
            "RFC 5321, section 4.1.2: `+` is a character like others.",
            forms("o'ada+{tag}@", "d'a.{tag}+spring@", "a'a+b+{tag}@"),
            _local(lambda local: "+" in local),
        ),
        ValueClass(
            "dots",
            "RFC 5321, section 4.1.2: atoms with dots between them; a dot makes another mailbox.",
            forms("a.d'a.{tag}+x.y@", "o'ada.maria.{tag}+l.l@"),
            _local(lambda local: local.count(".") > 1),
        ),
        ValueClass(
            "apostrophe",
            "RFC 5321, section 4.1.2; people are called O'Neill.",
            forms("o'neill.{tag}+a@", "d'arcy+{tag}@"),
            _local(lambda local: "'" in local),
        ),
        ValueClass(
            "local part of two characters",
            "RFC 5321, section 4.1.2: an atom has one character or more.",
            forms("ab@{tag}.", "q7@{tag}."),
            _local(lambda local: len(local) == SHORT_LENGTH),
        ),
        ValueClass(
            "hyphens and underscores",
            "RFC 5321, section 4.1.2: also at both ends.",
            forms("_o'ada_+{tag}@", "-d'a-+{tag}-@", "o'ada__{tag}+x@"),
            _local(lambda local: bool(re.match("[-_]|.*[-_]{2}", local))),
        ),
        ValueClass(
            "beginning with a digit",
            "RFC 5321, section 4.1.2.",
            forms("007.o'{tag}+a@", "4711's+{tag}@"),
            _local(lambda local: local[:1].isdigit()),
        ),
        ValueClass(
            "local part of 64 characters",
            "RFC 5321, section 4.5.3.1.1: up to 64.",
            forms("{tag:x>64}@", "{tag:9>64}@"),
            _local(lambda local: len(local) == LOCAL_LENGTH),
        ),
        ValueClass(
            "local part of one character",
            "RFC 5321, section 4.1.2.",
            forms("a@{tag}.", "7@{tag}."),
            _local(lambda local: len(local) == 1),
        ),
        ValueClass(
            "capitals",
            "RFC 5321, section 2.4: a service may take it for another mailbox, and has to take it.",
            forms("O'Ada.{tag}+a@", "O'ADA+{tag}@", "d'aL+{tag}@"),
            _local(lambda local: local != local.lower()),
        ),
        ValueClass(
            "domain of many labels",
            "RFC 1035, section 2.3.1: names within names.",
            forms("o'ada+a@{tag}.mail.eu-west.", "o'ada+a@a.b.c.{tag}."),
            _domain(lambda domain: domain.count(".") >= MANY_LABELS - 1),
        ),
        ValueClass(
            "digits, hyphens or an encoded name in the domain",
            "RFC 1123, section 2.1, and RFC 5891: labels of letters, digits and hyphens.",
            forms("d'a+a@{tag}.123.", "d'a+a@my-{tag}-mail.", "d'a+a@{tag}.xn--mnchen-3ya."),
            _domain(
                lambda domain: any(label.isdecimal() or "-" in label for label in domain.split("."))
            ),
        ),
    ),
    is_unique=True,
)


def _of_length(*lengths: int) -> Draw:
    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        ranges = [
            numbers
            for of_country in PHONES.values()
            for numbers in of_country
            if len(numbers.first) - 1 in lengths
        ]

        def within(numbers: PhoneRange) -> "SearchStrategy[str]":
            return st.integers(0, numbers.size - 1).map(numbers.number)

        return st.sampled_from(ranges).flatmap(within)

    return draw


def _digits(*lengths: int) -> Callable[[Any], bool]:
    return lambda phone: E164.fullmatch(phone) is not None and len(phone) - 1 in lengths


LENGTHS = (11, 12, 13)
PHONE = Format(
    "e164",
    tuple(
        ValueClass(
            f"of {length} digits",
            "E.164: up to 15 digits, as many as the country has.",
            _of_length(length),
            _digits(length),
        )
        for length in LENGTHS
    ),
)
"""Only numbers that no subscriber has. The shortest and the longest of the pattern lead to no
country; see LEAD-30.
"""


VISITOR = Format(
    "visitor id",
    (
        ValueClass(
            "of 8 characters",
            "`visitor_id`: length 8 to 128.",
            pattern("[a-z0-9]{8}"),
            matches(".{8}"),
        ),
        ValueClass(
            "of 128 characters",
            "`visitor_id`: length 8 to 128.",
            pattern("[A-Za-z0-9]{128}"),
            matches(".{128}"),
        ),
        ValueClass(
            "of a cookie",
            "An anonymous first-party id, as browsers keep them.",
            pattern(r"GA1\.2\.[0-9]{9}\.17[0-9]{8}"),
            matches(r"GA1\.[0-9.]+"),
        ),
        ValueClass(
            "of a UUID",
            "RFC 9562.",
            pattern("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}"),
            matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        ),
    ),
)
