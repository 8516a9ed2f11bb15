"""Text: what people are called, and what they write. A JSON string holds any Unicode (RFC 8259,
section 7).

What is given comes back code point by code point; another normalisation form, and white space that
is cut off at the ends, are permitted. So no class has white space there, and none has NUL, control
characters or lone surrogates, which a service may refuse.
"""

import unicodedata
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from plumbline.spec.values.classes import Draw, Format, ValueClass, contains, matches, one_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LETTERS = "abcdefghijklmnoprstuvwz"
MAX_LINE, MAX_PROSE = 120, 1000
"""Characters of the longest name and of the longest note that are sent: more than people write, and
fewer than any column holds that is meant for them."""
UTM_LENGTH = 255
ALONE = frozenset({"marks of addresses"})
"""Classes that stand alone where an address may have come from, because a percent sign beside them
ends a decoding.
"""


def _words(*samples: str) -> Draw:
    """A sample between two drawn words, so that what cuts, swaps or folds it has neighbours to
    hit.
    """

    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        words = st.text(LETTERS, min_size=2, max_size=4).map(str.capitalize)
        word = words.filter(lambda text: text.lower() not in {"true", "on", "no", "none", "nil"})
        return st.builds("{} {} {}".format, word, st.sampled_from(samples), word)

    return draw


def _is_decomposed(text: str) -> bool:
    return unicodedata.normalize("NFC", text) != text


def _is_compatible(text: str) -> bool:
    return unicodedata.normalize("NFKC", text) != unicodedata.normalize("NFC", text)


def _is_precomposed(text: str) -> bool:
    """Whether a letter has its accent within it."""
    return not text.isascii() and any(
        char.isalpha() and unicodedata.decomposition(char)[:1] not in ("", "<") for char in text
    )


def _reads_from_the_right(text: str) -> bool:
    return not text.isascii() and any(
        unicodedata.bidirectional(char) in ("R", "AL") for char in text
    )


def _long(length: int) -> Draw:
    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        piece = st.text(f"{LETTERS}éß", min_size=7, max_size=20)
        return piece.map(lambda text: (text * length)[:length])

    return draw


def _as_long_as(length: int, text: str) -> bool:
    return len(text) >= length


NOTHING = ("null", "Null", "undefined", "NULL", "nil")
KEYWORDS = ("true", "false", "NaN", "Infinity", "constructor", "on", "No")
WORDS = (
    ValueClass(
        "one character",
        "A JSON string may have any length; a zero is not an empty one.",
        one_of("0"),
        lambda text: len(text) == 1,
    ),
    ValueClass(
        "accented letters",
        "Names of most languages of Europe.",
        _words("Zoë", "Şule", "Łukasz Żak", "Ångström", "Đặng Thị Hồng", "Þórunn", "Čapek"),
        _is_precomposed,
        is_whole=False,
    ),
    ValueClass(
        "combining marks",
        "Unicode, section 2.11: a letter and its accent may be two characters, as some keyboards"
        " send them.",
        _words("Zoe\u0308", "Re\u0301my", "n\u0303an\u0303ez", "A\u030angstro\u0308m"),
        _is_decomposed,
        is_whole=False,
    ),
    ValueClass(
        "letters beyond the basic plane",
        "Unicode, section 2.8: 17 planes; some family names need the second one.",
        _words("\U00020bb7野屋", "\U00029e3d雄", "\U0001e900\U0001e92f", "\U00010416\U00010433"),
        lambda text: (
            not text.isascii() and any(char > "\uffff" and char.isalpha() for char in text)
        ),
        is_whole=False,
    ),
    ValueClass(
        "emoji sequences",
        "Unicode Technical Standard 51: several characters that are shown as one.",
        _words(
            "\U0001f469\u200d\U0001f4bb\U0001f44d\U0001f3fd\u2764\ufe0f",
            "\U0001f1fa\U0001f1e6\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f642\U0001f44b\U0001f3ff\U0001f9d1\u200d\U0001f680",
        ),
        contains(
            "[\U0001f3fb-\U0001f3ff\U0001f1e6-\U0001f1ff\ufe0f]|\u200d[\U0001f300-\U0001faff]"
        ),
        is_whole=False,
    ),
    ValueClass(
        "right to left",
        "Unicode Standard Annex 9: Arabic and Hebrew, in the order in which they are read.",
        _words("محمد عليّ", "שָׂרָה לוי", "نور 42 שלום", "علی‌رضا"),
        _reads_from_the_right,
        is_whole=False,
    ),
    ValueClass(
        "scripts of India and Southeast Asia",
        "Unicode, chapters 12 to 16: vowels and joiners beside the consonants.",
        _words("श्रीमती क्षमा", "தமிழ்செல்வி", "สมหญิง ใจดี", "শ্রাবণী", "ක්\u200dෂාන්ති"),
        contains("[\u0900-\u0eff]"),
        is_whole=False,
    ),
    ValueClass(
        "ideographs and kana",
        "Unicode, chapter 18: names of East Asia.",
        _words("東京 太郎", "김민준", "王小明", "ヴィクトリア"),
        contains("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"),
        is_whole=False,
    ),
    ValueClass(
        "letters that change with their case",
        "Unicode, section 5.18: some become two letters, or another one than in English.",
        _words("Weiß", "İpek Işık", "Ὀδυσσεύς", "\u01c5emal", "Straße ΣΑΣ"),
        contains("[ßİıΣςσ\u01c4-\u01cc]"),
        is_whole=False,
    ),
    ValueClass(
        "letters with a plain twin",
        "Unicode Standard Annex 15: compatibility characters are other characters.",
        _words("Ｊｏｈｎ", "o\ufb03ce", "№ Ⅳ", "m² ½", "\U0001d49c\U0001d4b9\U0001d4b6", "ｶﾅ"),
        _is_compatible,
        is_whole=False,
    ),
    ValueClass(
        "typographic marks",
        "What text processors and phones put for straight quotes and hyphens.",
        _words("“Ada” ‘L’ 1843 – 1852", "D’Arcy — „Anna“", "«Ольга» “x” non\u2011breaking ’"),
        contains("[‘’“”„–—‑«»]"),
        is_whole=False,
    ),
    ValueClass(
        "quotes and backslashes",
        "RFC 8259, section 7: written as escapes, and given back as they were.",
        # With what editors replace as people write: three dots, two hyphens, a c in brackets.
        _words(
            'O\'Brien "Bo" ... C:\\new\\table -- (c)',
            "x' \\' ... \\\" `y` -- \"z\" ' (c)",
            "a '' b... \"\" c \\\\ d--e (c)",
        ),
        contains(r"[\"'\\]"),
        is_whole=False,
    ),
    ValueClass(
        "markup and entities",
        "Text is no markup: a name may hold signs that mean something to a browser.",
        _words(
            "<b>Ada</b> & Co &amp; 1 < 2",
            "<Ada> AT&amp;T && 3 > 2",
            "a &lt;br/&gt; b <i>&#39;L&#39;</i> & c",
        ),
        contains("[<>&]"),
        is_whole=False,
    ),
    ValueClass(
        "marks of templates",
        "Text is no template.",
        _words(
            "{{name}} ${name} %s {0}",
            "%(name)s %d {name} $1 \\1",
            "#{name} {{ name }} $& ${name} %s",
        ),
        contains(r"[{$]|%[sd(=]"),
        is_whole=False,
    ),
    ValueClass(
        "marks of addresses",
        "A JSON string is not percent-encoded.",
        # Nothing in them keeps a program from decoding them once more.
        _words("50%25 + a=b&c", "a+b=c&d=e %C3%A9 %2B", "q?x=1;y#z %41 100%25 +"),
        contains(r"[%+=?#]"),
        is_whole=False,
    ),
    ValueClass(
        "beginning like a formula",
        "Text is no spreadsheet.",
        one_of("=1+1", "+49 Club", "-Ada-", "@ada"),
        matches(r"[-=+@].+"),
    ),
    ValueClass(
        "like nothing",
        "Null is a family name; a string that reads like no value is still a string.",
        one_of(*NOTHING),
        lambda text: text in NOTHING,
    ),
    ValueClass(
        "like a keyword",
        "A string that reads like another value is still a string.",
        one_of(*KEYWORDS),
        lambda text: text in KEYWORDS,
    ),
    ValueClass(
        "digits with leading zeros",
        "A string of digits keeps its zeros.",
        one_of("007", "00", "0012", "000451"),
        matches("0[0-9]+"),
    ),
    ValueClass(
        "like a number",
        "A string that reads like a number is still a string.",
        one_of("1e3", "0x1F", "-0", "12.50", "1_000", "1,000.00", "9007199254740993"),
        matches(r"-?[0-9][0-9A-Fa-fx_.,]*"),
    ),
    ValueClass(
        "like a time",
        "A string that reads like a time is still a string.",
        one_of("2026-01-05T10:00:00+02:00", "2026-03-29T02:30:00Z", "2025-12-31T23:59:59.5-03:30"),
        matches(r"\d{4}-\d{2}-\d{2}T.*"),
    ),
    ValueClass(
        "inner white space",
        "White space between words is text as well.",
        _words("Ada  Maria\u00a0L", "Ada\u3000Maria  L", "Ada\u2009Maria  L\u00a0M"),
        contains("\\S(?:  |[\u00a0\u2009\u3000])"),
        is_whole=False,
    ),
)
"""Classes of text of one line, however short the field."""
LINE = Format(
    "line",
    (
        *WORDS,
        ValueClass(
            "long line",
            "The document gives no longest one; people have names of a hundred letters.",
            _long(MAX_LINE),
            partial(_as_long_as, MAX_LINE),
        ),
    ),
)
"""Names and companies."""
UTM = Format(
    "utm",
    (
        *(replace(member, is_whole=member.is_whole or member.name in ALONE) for member in WORDS),
        ValueClass(
            "of 255 characters",
            "`utm_*`: length <= 255.",
            _long(UTM_LENGTH),
            lambda text: len(text) == UTM_LENGTH,
        ),
    ),
)
"""Where a call comes from."""
PROSE = Format(
    "prose",
    (
        *WORDS,
        ValueClass(
            "line ends",
            "RFC 8259, section 7: written as escapes, and given back as they were.",
            one_of(
                "first\n\nsecond\r\n\r\nthird\r\n- c\td",
                "one\r\n\n\ntwo\n\n- three\tfour\r\nfive",
            ),
            contains("[\n\r]"),
            is_whole=False,
        ),
        ValueClass(
            "long text",
            "The document gives no longest one; somebody sums up an hour.",
            _long(MAX_PROSE),
            partial(_as_long_as, MAX_PROSE),
        ),
    ),
)
"""Notes."""
