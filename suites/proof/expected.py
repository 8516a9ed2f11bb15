"""What a trial has to show, and what else it may, as faults and variants declare it."""

from collections.abc import Iterable

from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.spec import catalogue


def observable(ids: Iterable[str]) -> set[str]:
    """Those that can be observed from outside; a fault in any other one shows nowhere."""
    requirements = catalogue().requirements
    return {name for name in ids if not requirements[name].unobservable}


def to_show(fault: str) -> set[str]:
    """The requirements that a fault has to turn red."""
    return set() if FAULTS[fault].hidden else observable(FAULTS[fault].ids)


def accepted(fault: str) -> set[str]:
    """What a fault may turn red: what it breaks, and what it declares to turn red with that."""
    return observable(FAULTS[fault].ids) | {*FAULTS[fault].also}


def warned(variants: Iterable[str]) -> set[str]:
    """The recommendations that permitted variants go against; the report says so."""
    return {requirement for name in variants for requirement in VARIANTS[name].warns}
