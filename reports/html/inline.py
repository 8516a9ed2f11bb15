"""Sentences of the kit with their code marked up: a report shows no raw backticks."""

import re

from markupsafe import Markup, escape

from plumbline.reports.text import shorten

MAX_SENTENCE_LENGTH = 10_000
CODE = re.compile(r"`([^`]+)`")
CUT = re.compile(r"`([^`]*\.\.\.)$")
"""Code whose end was cut off with the sentence."""


def inline(text: object, limit: int = MAX_SENTENCE_LENGTH) -> Markup:
    """A printable, escaped sentence in which what stands between two backticks is code.

    Args:
        text: the sentence; it may quote what a deployment has sent.
        limit: characters of it that are shown.
    """
    shown = str(escape(shorten(str(text), limit)))
    # Escaping makes no backtick and takes none away, so only text stands between two of them.
    # escaped above
    return Markup(CUT.sub(r"<code>\1</code>", CODE.sub(r"<code>\1</code>", shown)))  # noqa: S704
