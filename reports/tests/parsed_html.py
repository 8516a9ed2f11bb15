"""The HTML report as a browser would read it."""

from justhtml import JustHTML, Node


def parsed(text: str) -> JustHTML:
    """The page as a browser would have it, without a single error in it."""
    read = JustHTML(text, sanitize=False, collect_errors=True)
    assert [f"{error.code} in line {error.line}" for error in read.errors] == []
    return read


def attributes(node: Node) -> dict[str, str]:
    return {name: value or "" for name, value in (node.attrs or {}).items()}


def values(read: JustHTML | Node, name: str, selector: str = "") -> list[str]:
    """An attribute of all elements that have it."""
    return [attributes(node)[name] for node in read.query(f"{selector}[{name}]")]


def text_of(read: JustHTML | Node, selector: str) -> str:
    """The text of the one element that a selector finds."""
    (node,) = read.query(selector)
    return " ".join(node.to_text(separator="", strip=False).split())
