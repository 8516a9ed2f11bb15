"""Names that programs give: identifiers of users and of other systems, keys of requests and of
objects.
"""

from plumbline.spec.values.classes import (
    Format,
    ValueClass,
    contains,
    forms,
    matches,
    one_of,
    pattern,
)

UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
MAX_REFERENCE = 100
MAX_KEY = 64
"""Characters of the longest idempotency key that services of this kind are known to take."""
LONG_NAME = 60


USERS = Format(
    "user id",
    (
        ValueClass(
            "letters and digits",
            "`user_<id>`, pattern `^user_[A-Za-z0-9]+$`.",
            pattern("user_[a-z][A-Z][a-z0-9]{14}"),
            matches(r"user_(?=.*[a-z])(?=.*[A-Z]).+"),
        ),
        ValueClass(
            "digits alone",
            "`^user_[A-Za-z0-9]+$`.",
            pattern("user_0[0-9]{5}"),
            matches(r"user_[0-9]+"),
        ),
        ValueClass(
            "one character",
            "`^user_[A-Za-z0-9]+$`.",
            pattern("user_[A-Za-z0-9]"),
            matches(r"user_[A-Za-z0-9]"),
        ),
    ),
)
"""Who has written a note."""
REFERENCES = Format(
    "reference",
    (
        ValueClass(
            "of a processor",
            "`external_id`: an id of another system.",
            forms("ch_{tag:0>24}", "pi_{tag:A>24}"),
            matches(r"[a-z]{2,3}_[0-9A-Za-z]{24}"),
        ),
        ValueClass(
            "digits with leading zeros",
            "`external_id`: a string.",
            forms("000{digits:.9}"),
            matches(r"0[0-9]+"),
        ),
        ValueClass(
            "digits beyond 64 bits",
            "`external_id`: a string.",
            forms("99{digits:.22}"),
            matches(r"[0-9]{20,}"),
        ),
        ValueClass(
            "with separators",
            "`external_id`: a string.",
            forms("INV-2026/{tag}.A:7", "2026.{tag}/1"),
            contains("[/:.]"),
        ),
        ValueClass(
            "of a UUID in capitals",
            "`external_id`: a string, so its case stays.",
            forms("{UUID}"),
            matches("[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}"),
        ),
        ValueClass(
            "of 100 characters",
            "`external_id`: a string.",
            forms(f"{{tag:x>{MAX_REFERENCE}}}"),
            matches(f".{{{MAX_REFERENCE},}}"),
        ),
        ValueClass(
            "with a space",
            "`external_id`: a string.",
            forms("Order {tag} 7", "Nr {digits:.6} {tag}"),
            contains(r"\S \S"),
        ),
    ),
    is_unique=True,
)
"""Ids at the payment processor."""
REQUEST_KEYS = Format(
    "request key",
    (
        ValueClass(
            "of a UUID", "RFC 9562; what most clients send.", forms("{uuid}"), matches(UUID)
        ),
        ValueClass(
            "of 64 characters",
            "`Idempotency-Key`: any text, no longer than services let ids be.",
            forms(f"{{tag:k>{MAX_KEY}}}"),
            matches(f".{{{MAX_KEY}}}"),
        ),
        ValueClass(
            "with marks",
            "RFC 9110, section 5.5: any visible character; the draft for this header writes"
            " quotes.",
            forms("booking:{tag}/2026+a=.;", '"{tag}-{TAG}"'),
            contains('[/+=:"]'),
        ),
    ),
    is_unique=True,
)
"""Values of `Idempotency-Key`."""
NAMES = Format(
    "object key",
    (
        ValueClass(
            "camelCase",
            "`metadata`: unknown keys accepted on input.",
            pattern("[a-z]{4}[A-Z][a-z]{5}"),
            matches("[a-z]+[A-Z][A-Za-z]*"),
        ),
        ValueClass(
            "snake_case",
            "RFC 8259, section 4: a name is a string.",
            pattern("[a-z]{4}_[a-z]{5}"),
            contains("_"),
        ),
        ValueClass(
            "kebab-case", "RFC 8259, section 4.", pattern("[a-z]{4}-[a-z]{5}"), contains("-")
        ),
        ValueClass(
            "with a dot", "RFC 8259, section 4.", pattern(r"[a-z]{4}\.[a-z]{5}"), contains(r"\.")
        ),
        ValueClass(
            "with a dollar sign", "RFC 8259, section 4.", pattern(r"\$[a-z]{6}"), contains(r"\$")
        ),
        ValueClass("digits", "RFC 8259, section 4.", pattern("[0-9]{1,3}"), matches("[0-9]+")),
        ValueClass(
            "with a space", "RFC 8259, section 4.", pattern("[A-Z][a-z]{4} [a-z]{5}"), contains(" ")
        ),
        ValueClass(
            "beyond ASCII",
            "RFC 8259, section 4.",
            one_of("größe", "город", "都市", "🏷️ tag"),
            lambda name: not name.isascii(),
        ),
        ValueClass(
            "name of a method",
            "RFC 8259, section 4: in JSON they mean nothing.",
            one_of("constructor", "toString", "length", "hasOwnProperty", "items", "keys", "id"),
            {
                "constructor",
                "toString",
                "length",
                "hasOwnProperty",
                "items",
                "keys",
                "id",
            }.__contains__,
        ),
        ValueClass(
            "long",
            "RFC 8259, section 4.",
            pattern(f"[a-z]{{{LONG_NAME}}}"),
            matches(f".{{{LONG_NAME},}}"),
        ),
    ),
)
"""Keys beside the documented ones."""
