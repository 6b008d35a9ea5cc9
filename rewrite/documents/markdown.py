"""Markdown: CommonMark with tables, strikethrough, front matter, footnotes and formulas.

The source is parsed to find the words, and changed where they stand: nothing is rendered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from rewrite.documents.inlines import Inline, read_inline, traced
from rewrite.documents.passages import Atom, Passage, SourceDocument, Stretch, body_start, decoded, lines_of
from rewrite.errors import MissingExtra

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_WITH_CONTENT = frozenset(
    "code_block fence html_block front_matter math_block math_block_label amsmath code_inline html_inline image"
    " math_inline math_inline_double".split()
)
_WORDS = frozenset(["text", "text_special", "softbreak"])
_DIRECTIVE = re.compile(
    r"^[ \t]*(?::::|!!!|\?\?\?|\.\. |\{%|%%|@\w+\{|\[[^\]]+\]:|<<<|={4,}|>{4,}|\+{3})", re.MULTILINE
)
"""Lines of other dialects that would no longer be what they are if joined with words before or behind them."""
_BLOCK_START = re.compile(r"(?:[-+*]|#{1,6})(?=\s|$)|>|~~~|```|[-=]+\s*$|:(?=\s)|\||\[[^\]]*\]:|\$\$|<[!?/a-zA-Z]")
_LONGEST_START = 80
_BREAK = re.compile(r"[\n\r]")
_NUMBER_START = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
_ENTITY = re.compile(r"&(?:#\w+|\w+);")
_SPECIAL = frozenset("\\`*[]<$")


def read_markdown(data: str | bytes) -> Markdown:
    """The document of a Markdown text; bytes are UTF-8."""
    return Markdown(decoded(data))


class Markdown(SourceDocument):
    """Markdown whose paragraphs, headings, items, cells and quotes may be rewritten.

    Segments that would come back as something else keep their source; `refused` has their numbers after `written`.
    """

    format: ClassVar[str] = "markdown"

    def _read(self) -> tuple[Sequence[Passage], str]:
        start = body_start(self.source)
        tokens, environment = _parsed(self.source[start:])
        lines = lines_of(self.source, start)
        passages: list[Passage] = []
        structure = sha256(repr(sorted((k, v["href"], v["title"]) for k, v in environment.items())).encode())
        cells = _Cells(self.source)
        for i, token in enumerate(tokens):
            passage = None
            if token.type == "inline":
                passage = self._passage(token, tokens[i - 1], lines, cells)
            structure.update(repr(_without_words(token, passage)).encode())
            passages += [passage] if passage is not None else []
        return passages, structure.hexdigest()

    def _passage(self, token: Token, parent: Token, lines: Sequence[Stretch], cells: _Cells) -> Passage | None:
        if token.map is None or not token.content or _DIRECTIVE.search(token.content):
            return None
        if parent.type in ("th_open", "td_open"):
            places = cells.places(token.content, lines[token.map[0]])
        else:
            places = _places(self.source, token.content, lines[token.map[0] : token.map[1]])
        if places is None:
            return None
        inline = Inline(self.source, places, token.meta["events"])
        return read_inline(
            inline, shape=repr([_sign(child) for child in token.children or () if child.type not in _WORDS])
        )

    def _escaped(self, text: str, place: int) -> str:
        character = text[place]
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        is_special = (
            character in _SPECIAL
            or (character == "_" and not (before.isalnum() and after.isalnum()))
            or (character == "~" and "~" in (before, after))
            or (character == "&" and _ENTITY.match(text, place) is not None)
            or (character == "^" and after == "[")
        )
        return f"\\{character}" if is_special else character

    def _laid(self, passage: Passage, atoms: list[Atom]) -> None:
        """Escape what would begin a block, and what would end a cell."""
        if _is_cell(self.source, passage):
            for atom in atoms:
                atom.source = "\\|" if atom.origin < 0 and atom.source == "|" else atom.source
            return
        for i, atom in enumerate(atoms):
            is_behind_break = i > 0 and atoms[i - 1].character and _BREAK.search(atoms[i - 1].source)
            if not atom.character or not (is_behind_break or (i == 0 and atom.origin < 0)):
                continue
            line = "".join(other.source for other in atoms[i : i + _LONGEST_START])
            if number := _NUMBER_START.match(line):
                atoms[i + number.end()].source = f"\\{line[number.end()]}"
            elif _BLOCK_START.match(line):
                atom.source = f"\\{atom.source}"


class _Cells:
    """Where the cells of tables stand in their lines, asked for in order."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._line = self._place = -1

    def places(self, content: str, line: Stretch) -> list[int] | None:
        start, stop = line
        is_first = self._line != start
        self._line, place = start, start if is_first else self._place
        written = content.replace("|", "\\|")
        at = self._source.find(written, place, stop)
        if at < 0 or not (is_first or re.fullmatch(r"[\s|]+", self._source[place:at])):
            return None
        self._place = at + len(written)
        places = [at]
        for character in content:
            places.append(places[-1] + (2 if character == "|" else 1))
        return places


def _is_cell(source: str, passage: Passage) -> bool:
    """Whether it is one, or might be."""
    line = source.rfind("\n", 0, passage.start) + 1
    return "|" in source[line : passage.start] or source[passage.stop :].split("\n", 1)[0].lstrip(" ").startswith("|")


def _places(source: str, content: str, lines: Sequence[Stretch]) -> list[int] | None:
    """Where each character of a block's content stands in the source, and where it ends.

    Indents, signs of quotes and of headings are no content.
    """
    places: list[int] = []
    parts = content.split("\n")
    if len(parts) > len(lines):
        return None
    for i, (part, (start, stop)) in enumerate(zip(parts, lines, strict=False)):
        line, words = source[start:stop], part.lstrip(" \t")
        at = line.rfind(words)
        rest = line[at + len(words) :]
        if at < 0 or (rest and not (i == len(parts) - 1 and re.fullmatch(r"\s*(?:#+\s*)?", rest))):
            return None
        places += [start + at] * (len(part) - len(words))
        places += range(start + at, start + at + len(words) + 1)
    return places


def _without_words(token: Token, passage: Passage | None) -> object:
    """What a hash of the structure takes of a token; all of it where its words may not be changed."""
    if token.type != "inline":
        return _sign(token), token.level
    return passage.shape if passage is not None else token.content


def _sign(token: Token) -> object:
    """What a token is, without words."""
    content = token.content if token.type in _WITH_CONTENT else ""
    return (
        token.type,
        token.tag,
        sorted(token.attrs.items()),
        token.markup,
        token.info,
        content,
        token.meta.get("label"),
    )


def _parsed(text: str) -> tuple[list[Token], dict[str, dict[str, str]]]:
    environment: dict[str, dict[str, dict[str, str]]] = {}
    return _parser().parse(text, environment), environment.get("references", {})


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.amsmath import amsmath_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin
        from mdit_py_plugins.front_matter import front_matter_plugin
    except ImportError as error:
        raise MissingExtra(
            f"Markdown is read by {error.name}, which is not installed.",
            hint="Run: pip install 'rewrite-rerank[documents]'",
        ) from None
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.use(front_matter_plugin).use(footnote_plugin, move_to_end=False)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True).use(amsmath_plugin)
    return traced(parser)
