"""What a fault claims to break, as far as anybody outside can see it."""

from collections.abc import Iterable

from plumbline.spec import catalogue


def observable(ids: Iterable[str]) -> set[str]:
    """Those of the requirements that somebody outside can observe; a fault of another one shows nowhere."""
    known = catalogue().requirements
    return {each for each in ids if not known[each].unobservable}
