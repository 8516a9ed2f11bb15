"""Money and numbers: amounts in dollars with up to two decimals, and currencies of ISO 4217."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from plumbline.spec.values.classes import Draw, Format, ValueClass, one_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MAX_AMOUNT = 99_999_999.99
"""Dollars: what fits into ten digits, as databases keep money."""
MAX_CENTS_OF_32_BITS = (2**31 - 1) / 100
MAX_WHOLE_OF_A_FLOAT = 2**24
DOLLARS = "`amount`: dollars, up to two decimals, >= 0."


def _cents(least: int, most: int) -> Draw:
    """Amounts between so many cents."""

    def draw() -> "SearchStrategy[float]":
        from hypothesis import strategies as st  # noqa: PLC0415

        return st.integers(least, most).map(lambda cents: cents / 100)

    return draw


def _is_awkward(amount: float) -> bool:
    """Whether a hundred times an amount is not whole in binary floating point."""
    return amount * 100 != round(amount * 100)


def _decimals(amount: float) -> int:
    return max(0, -int(Decimal(str(amount)).normalize().as_tuple().exponent))


AWKWARD = (8.29, 19.99, 1.15, 0.29, 0.57, 4.35, 16.08, 1.1, 2.01)


def _whole(amount: Any) -> bool:
    return float(amount).is_integer()


AMOUNTS = Format(
    "amount",
    (
        ValueClass(
            "nothing", f"{DOLLARS} So 0 is one.", one_of(0, 0.0), lambda amount: amount == 0
        ),
        ValueClass("one cent", DOLLARS, one_of(0.01), lambda amount: amount == 0.01),
        ValueClass("less than a dollar", DOLLARS, _cents(2, 99), lambda amount: 0.01 < amount < 1),
        ValueClass(
            "one decimal",
            DOLLARS,
            one_of(12.5, 0.1, 99.9, 1250.3),
            lambda amount: _decimals(amount) == 1,
        ),
        ValueClass(
            "whole dollars",
            DOLLARS,
            one_of(1, 12, 100, 2400, 65_536),
            lambda amount: isinstance(amount, int) and amount > 0,
        ),
        ValueClass(
            "whole dollars with a decimal point",
            "RFC 8259, section 6: 12.0 is 12.",
            one_of(12.0, 2400.0, 1000.0),
            lambda amount: isinstance(amount, float) and amount > 0 and _whole(amount),
        ),
        ValueClass(
            "not whole in binary",
            "RFC 8259, section 6: a hundred times 8.29 is not 829 in the numbers of most"
            " computers.",
            one_of(*AWKWARD),
            _is_awkward,
        ),
        ValueClass(
            "thousands",
            DOLLARS,
            _cents(100_001, 99_999_999),
            lambda amount: 1000 < amount < 1_000_000,
        ),
        ValueClass(
            "more cents than 32 bits hold",
            f"{DOLLARS} No largest one is given.",
            one_of(21_474_836.48, 42_949_672.97, 30_000_000.05),
            lambda amount: amount > MAX_CENTS_OF_32_BITS,
        ),
        ValueClass(
            "more digits than a short float holds",
            f"{DOLLARS} No largest one is given.",
            one_of(16_777_217.01, 1_234_567.89, 9_999_999.99, MAX_AMOUNT),
            lambda amount: amount > 1_000_000 and not _whole(amount),
        ),
    ),
    kind=(int, float),
)


def _codes(name: str, reason: str, *codes: str) -> ValueClass:
    return ValueClass(name, reason, one_of(*codes), frozenset(codes).__contains__)


CURRENCIES = Format(
    "iso-4217",
    (
        _codes("dollars", "ISO 4217; the default, also where it is given.", "USD"),
        _codes(
            "two decimals, common", "ISO 4217.", "EUR", "GBP", "CHF", "BRL", "INR", "CAD", "AUD"
        ),
        _codes("two decimals, rare", "ISO 4217.", "PLN", "ZAR", "THB", "AED", "NGN", "UYU"),
        _codes("of recent years", "ISO 4217, amended since 2018.", "SLE", "VES", "MRU", "STN"),
        _codes(
            "no decimals",
            "ISO 4217: no smaller unit; the amount is in whole ones.",
            "JPY",
            "KRW",
            "VND",
            "CLP",
        ),
        _codes("three decimals", "ISO 4217: a thousand smaller units.", "KWD", "BHD", "TND", "JOD"),
    ),
)
WHOLE_ONLY = frozenset({"JPY", "KRW", "VND", "CLP"})
"""Currencies in which only whole amounts are sent, because a service may know their unit."""
