"""The inside of a Markdown paragraph: its words, and where they and the marks on them stand in the source.

The parser keeps no places of what is inside a paragraph, so its rules are watched as they take the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from rewrite.documents.passages import Passage
from rewrite.documents.segments import Mark, Segment

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

Event = tuple[int, int, "Token"]
"""What a rule took of a paragraph, from where to where, and the token that it made of it."""
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)[^>]*?(/?)>$", re.DOTALL)
_FIXED_TAGS = frozenset("code kbd samp var tt pre script style math svg sub sup".split())
_EMPTY_TAGS = frozenset("br wbr img hr input area embed source track link meta".split())
_FIXED = re.compile(
    r"(?:https?://|www\.)[^\s<>]*[\w/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\{\{.*?\}\}|\{%.*?%\}|\{[:#.][^{}]*\}|\[\[.*?\]\]|:\w+:"
)
"""Addresses, templates, attributes, links of wikis, signs of pictures."""
_LEAD = re.compile(r"\[[ xX]\]\s+|\[!\w+\]\s*")
"""What an item of a list of tasks, or a quote that is a note, begins with."""


def traced(parser: MarkdownIt) -> MarkdownIt:
    """The parser, with what its inline rules took as `meta["events"]` of each inline token."""
    for rule in list(parser.inline.ruler.__rules__):
        if rule.name != "text":
            parser.inline.ruler.at(rule.name, _watched(rule.name, rule.fn))
    # Joined, tokens of text are no longer the signs that they were made of.
    parser.inline.ruler2.disable("fragments_join")
    parser.core.ruler.disable("text_join")
    parser.core.ruler.at("inline", _parse_inlines)
    return parser


def _parse_inlines(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            token.meta["events"] = state.env["events"] = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _watched(name: str, rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    def watched(state: StateInline, silent: bool) -> bool:
        start, before, events = state.pos, len(state.tokens), state.env["events"]
        known = len(events)
        if not rule(state, silent):
            return False
        if silent or len(state.tokens) == before:
            return True
        made = state.tokens[before:]
        if name in ("emphasis", "strikethrough"):
            place = state.pos
            signs: list[Event] = []
            while place > start:
                token = made.pop()
                signs.append((place - len(token.content), place, token))
                place -= len(token.content)
            events += reversed(signs)
        elif name == "link":
            opening = next(token for token in made if token.type == "link_open")
            stop = state.md.helpers.parseLinkLabel(state, start, True)
            events.insert(known, (start, start + 1, opening))
            events.append((stop, state.pos, made[-1]))
        else:
            # A picture's text and a note inside the paragraph have been parsed as paragraphs of their own.
            events[known:] = [(start, state.pos, next(t for t in made if t.type != "text" or t is made[-1]))]
        return True

    return watched


@dataclass(frozen=True)
class Inline:
    """A paragraph: `places` has for each of its characters where it stands in `source`, and where the last ends."""

    source: str
    places: Sequence[int]
    events: Sequence[Event]


@dataclass
class _Open:
    """A mark whose end has not come yet."""

    name: str
    start: int
    edge: list[int]


@dataclass
class _Mark:
    """A mark, and what stands at its beginning and at its end."""

    start: int
    stop: int
    fixed: bool = False
    opening: list[int] = field(default_factory=lambda: [0, 0])
    closing: list[int] = field(default_factory=lambda: [0, 0])


def read_inline(inline: Inline, *, shape: str) -> Passage | None:
    """The passage of a paragraph; `None` where it has no words, or its source cannot be told by character."""
    reader = _Reader(inline)
    reader.read()
    return reader.passage(shape)


def _with_pairs(events: Sequence[Event]) -> list[Event]:
    """The events with `**` as one sign: of its two tokens the parser leaves the outer one empty."""
    paired: list[Event] = []
    start: int | None = None
    for event in events:
        if event[2].type == "text" and not event[2].content:
            if (
                paired
                and paired[-1][2].type == "strong_close"
                and paired[-1][1] == event[0]
                and paired[-1][0] + 1 == event[0]
            ):
                paired[-1] = paired[-1][0], event[1], paired[-1][2]
            else:
                start = event[0]
        else:
            paired.append(event if start is None else (start, *event[1:]))
            start = None
    return paired


class _Reader:
    """Characters and marks of a paragraph as they come. Stretches are lists: what is no word goes to the one before."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._text: list[str] = []
        self._spans: list[list[int]] = []
        self._marks: list[_Mark] = []
        self._open: list[_Open] = []
        self._last: list[int] | None = None

    def read(self) -> None:
        places, content = self._inline.places, 0
        end = len(places) - 1
        for start, stop, token in _with_pairs(self._inline.events):
            self._literal(content, start)
            content = max(content, stop)
            self._take(token, [places[start], places[stop]])
        self._literal(content, end)
        while self._open:
            self._unpaired(self._open.pop())

    def _literal(self, start: int, stop: int) -> None:
        places, source = self._inline.places, self._inline.source
        for i in range(start, stop):
            character = source[places[i + 1] - 1 : places[i + 1]]
            if character in (" ", "\t", "\n", "\r"):
                self._space([places[i], places[i + 1]])
            elif places[i] < places[i + 1]:
                self._character(character, [places[i], places[i + 1]])

    def _take(self, token: Token, span: list[int]) -> None:
        written = self._inline.source[span[0] : span[1]]
        if token.type in ("text", "text_special"):
            self._text_of(token, span, written)
        elif token.type in ("softbreak", "hardbreak"):
            self._space(span, fixed=token.type == "hardbreak")
        elif token.type in ("code_inline", "math_inline", "math_inline_double"):
            self._fixed(" ".join((token.content if token.type == "code_inline" else written).split()), span)
        elif token.type == "link_open" and token.markup == "autolink":
            self._fixed(written[1:-1], span)
        elif token.type == "html_inline":
            self._tag(span, written)
        elif token.nesting == 1:
            self._open.append(_Open(token.tag, len(self._text), self._piece(span)))
        elif token.nesting == -1:
            self._close(token.tag, span)
        else:
            self._stands_between(span)

    def _text_of(self, token: Token, span: list[int], written: str) -> None:
        if len(token.content) == 1:
            self._space(span) if token.content in " \t\n" else self._character(token.content, span)
        elif token.content == written:
            for i in range(len(written)):
                self._character(written[i], [span[0] + i, span[0] + i + 1])
        else:
            self._fixed(token.content, span)

    def _character(self, character: str, span: list[int]) -> None:
        self._text.append(character)
        self._spans.append(span)
        self._last = span

    def _space(self, span: list[int], *, fixed: bool = False) -> None:
        if self._text and self._text[-1] != " ":
            self._character(" ", span)
        elif self._last is not None:
            self._last[1] = span[1]
        if fixed and self._text and self._last is self._spans[-1]:
            self._marks.append(_Mark(len(self._text) - 1, len(self._text), fixed=True))

    def _fixed(self, text: str, span: list[int]) -> None:
        start = len(self._text)
        for i, character in enumerate(text):
            self._character(character, span if i == 0 else [span[1], span[1]])
        if text:
            self._marks.append(_Mark(start, len(self._text), fixed=True))
        else:
            self._stands_between(span)

    def _piece(self, span: list[int]) -> list[int]:
        self._last = span
        return span

    def _stands_between(self, span: list[int]) -> None:
        self._marks.append(_Mark(len(self._text), len(self._text), opening=self._piece(span)))

    def _unpaired(self, tag: _Open) -> None:
        self._marks.append(_Mark(tag.start, tag.start, opening=tag.edge))

    def _tag(self, span: list[int], written: str) -> None:
        tag = _TAG.match(written)
        name = tag[2].lower() if tag else ""
        if name == "br":
            self._space(span, fixed=True)
        elif tag is None or name in _EMPTY_TAGS or tag[3]:
            self._stands_between(span)
        elif not tag[1]:
            self._open.append(_Open(f"<{name}", len(self._text), self._piece(span)))
        else:
            inside = next((i for i, other in enumerate(reversed(self._open)) if other.name[0] != "<"), len(self._open))
            if any(other.name == f"<{name}" for other in self._open[len(self._open) - inside :]):
                self._close(f"<{name}", span)
            else:
                self._stands_between(span)

    def _close(self, name: str, span: list[int]) -> None:
        while self._open and (opened := self._open.pop()).name != name:
            self._unpaired(opened)
        start, stop = opened.start, len(self._text)
        is_label = name == "a" and self._inline.source[span[0] : span[1]] in ("]", "][]")
        if start < stop and (is_label or (name[0] == "<" and name[1:] in _FIXED_TAGS)):
            # Its text is the target, or no words: it is copied with all that stands on it.
            self._marks = [mark for mark in self._marks if mark.start < start]
            self._spans[start:] = [[opened.edge[0], span[1]], *([span[1], span[1]] for _ in range(start + 1, stop))]
            self._last = self._spans[start] if stop - start == 1 else self._spans[-1]
            self._marks.append(_Mark(start, stop, fixed=True))
        else:
            self._marks.append(_Mark(start, stop, opening=opened.edge, closing=self._piece(span)))

    def passage(self, shape: str) -> Passage | None:
        self._trim()
        self._cut_lead()
        plain = self._with_fixed()
        marks = sorted(self._marks, key=lambda mark: (mark.start, -mark.stop, mark.opening))
        edges = [edge for mark in marks for edge in (mark.opening, mark.closing)]
        pieces = sorted(piece for piece in (*self._spans, *edges) if piece[0] < piece[1])
        if not any(map(str.isalpha, plain)) or any(a[1] != b[0] for a, b in pairwise(pieces)):
            return None
        return Passage(
            Segment("".join(self._text), tuple(Mark(mark.start, mark.stop, mark.fixed) for mark in marks)),
            pieces[0][0],
            pieces[-1][1],
            [(a, b) for a, b in self._spans],
            [((mark.opening[0], mark.opening[1]), (mark.closing[0], mark.closing[1])) for mark in marks],
            shape,
        )

    def _with_fixed(self) -> str:
        """The text without what is fixed, after addresses and the like have been found to be so."""

        def plain() -> str:
            text = list(self._text)
            for mark in self._marks:
                if mark.fixed:
                    text[mark.start : mark.stop] = " " * (mark.stop - mark.start)
            return "".join(text)

        for found in _FIXED.finditer(plain()):
            a, b = found.span()
            if all(b <= mark.start or mark.stop <= a or (mark.start <= a and b <= mark.stop) for mark in self._marks):
                self._marks.append(_Mark(a, b, fixed=True))
        return plain()

    def _cut_lead(self) -> None:
        lead = _LEAD.match("".join(self._text))
        if lead is None or any(mark.start < lead.end() for mark in self._marks):
            return
        del self._text[: lead.end()], self._spans[: lead.end()]
        for mark in self._marks:
            mark.start -= lead.end()
            mark.stop -= lead.end()

    def _trim(self) -> None:
        """Give a space at the end to the sign behind it."""
        if not self._text or self._text[-1] != " ":
            return
        self._text.pop()
        start, stop = self._spans.pop()
        n = len(self._text)
        self._marks = [mark for mark in self._marks if not (mark.fixed and mark.start >= n)]
        for mark in self._marks:
            mark.start, mark.stop = min(mark.start, n), min(mark.stop, n)
            for edge in (mark.opening, mark.closing):
                if edge[0] == stop < edge[1]:
                    edge[0] = start
