"""Reads Markdown into sections, paragraphs and tables, each with its line. Knows nothing about
contracts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")


class ContractError(Exception):
    """A contract that cannot be understood: one sentence that begins with its file and line."""


def hint(word: str, choices: Iterable[str]) -> str:
    """A question that names the nearest right word, or nothing when no word is near."""
    near = get_close_matches(word, list(choices), n=1, cutoff=0.6)
    return f" Did you mean {near[0]!r}?" if near else ""


@dataclass(frozen=True)
class Cell:
    """A piece of text and where it stands.

    Attributes:
        column: header of its column; empty for headings and paragraphs.
    """

    text: str
    file: str
    line: int
    column: str = ""

    @property
    def place(self) -> str:
        """File and line, such as `04-leads.md:31`."""
        return f"{self.file}:{self.line}"

    def wrong(
        self, expected: str, choices: Iterable[str] = (), word: str | None = None
    ) -> ContractError:
        """An error about this cell.

        Args:
            expected: what should stand there, as the rest of "expected ...".
            choices: the right words, of which the nearest is proposed.
            word: the wrong part of the cell, when it is not the whole of it.
        """
        column = f", column {self.column}" if self.column else ""
        wrong = self.text if word is None else word
        text = repr(wrong.splitlines()[0]) if wrong else "nothing"
        return ContractError(
            f"{self.place}{column}: {text} found, expected {expected}.{hint(wrong, choices)}"
        )


@dataclass(frozen=True)
class Row:
    """A row of a table, its cells by column."""

    cells: Mapping[str, Cell]
    line: int

    def __getitem__(self, column: str) -> Cell:
        return self.cells[column]


@dataclass(frozen=True)
class Table:
    """A table with its column headers."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    line: int


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it, up to the next heading of any level."""

    heading: Cell
    level: int
    paragraphs: tuple[Cell, ...]
    tables: tuple[Table, ...]


@lru_cache(maxsize=64)  # of an edited contract, most chapters are those of the one before
def read(file: str, text: str) -> tuple[Section, ...]:
    """Split a Markdown text into its sections.

    Raises:
        ContractError: a table that Markdown would repair silently, or that it takes for a
            paragraph.
    """
    lines = text.splitlines()
    tokens = PARSER.parse(text)
    starts = [index for index, token in enumerate(tokens) if token.type == "heading_open"] + [
        len(tokens)
    ]
    return tuple(_section(file, lines, tokens[start:end]) for start, end in pairwise(starts))


def _section(file: str, lines: list[str], tokens: list[Token]) -> Section:
    heading = Cell(tokens[1].content, file, _line(tokens[0]))
    tables = tuple(_tables(file, lines, tokens))
    paragraphs = tuple(_paragraphs(file, tokens))
    return Section(heading, int(tokens[0].tag[1:]), paragraphs, tables)


def _paragraphs(file: str, tokens: list[Token]) -> Iterator[Cell]:
    for opening, inline in pairwise(tokens):
        if opening.type == "paragraph_open":
            cell = Cell(inline.content, file, _line(inline))
            if cell.text.startswith("|"):
                raise cell.wrong(
                    "a table, whose second line is made of dashes, one group per column"
                )
            yield cell


def _tables(file: str, lines: list[str], tokens: list[Token]) -> Iterator[Table]:
    ends = [index for index, token in enumerate(tokens) if token.type == "table_close"]
    starts = [index for index, token in enumerate(tokens) if token.type == "table_open"]
    for start, end in zip(starts, ends, strict=True):
        yield _table(file, lines, tokens[start:end])


def _table(file: str, lines: list[str], tokens: list[Token]) -> Table:
    head, *body = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
    columns = tuple(_texts(tokens[head:], "th_open"))
    rows = []
    for index in body:
        line = _line(tokens[index])
        written = escapedSplit(lines[line - 1].strip().strip("|"))
        if len(written) != len(columns):
            raise ContractError(
                f"{file}:{line}: {len(written)} cells found, expected {len(columns)}:"
                f" {', '.join(columns)}."
            )
        texts = _texts(tokens[index:], "td_open")
        cells = {
            column: Cell(text, file, line, column)
            for column, text in zip(columns, texts, strict=True)
        }
        rows.append(Row(cells, line))
    return Table(columns, tuple(rows), _line(tokens[0]))


def _texts(tokens: list[Token], opening: str) -> list[str]:
    end = next(index for index, token in enumerate(tokens) if token.type == "tr_close")
    return [inline.content for cell, inline in pairwise(tokens[:end]) if cell.type == opening]


def _line(token: Token) -> int:
    return (token.map or [0])[0] + 1
