"""What a rewrite does to a sentence, for a reader: its edits as spans, and why it was chosen, in plain words.

Words are aligned, whatever their case; what lies between two words that are the same in both is an edit. So edits never
cut a word, and together they give the rewrite to the last space. Each may be taken or left alone, so what cannot stand
without another edit is joined with it: a word that is moved, and a word whose form alone changes because another word
nearby does (*выдача была приостановлена* → *выдачу приостановили*).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from rerank.frequency import common_words
from rerank.types import ScoreTable
from rewrite.layout import count_words, has_cyrillic
from rewrite.server.schemas import Edit, Ui

_MARKS = "\u0300-\u036f"
_TOKEN = re.compile(rf"\w[\w{_MARKS}]*(?:[-‑'’.,]\w[\w{_MARKS}]*)*|\S")
_END = re.compile(r"[.!?…][»”\"')]*\s|\n")
_ASIDE = re.compile(r"\s*[,(–—]")
_NEAR = 40
"""Characters between a word whose form alone changes and the edit that it belongs to, at most."""
_RARE = 1e-7
"""Frequency of a word that is not among the common ones."""
_LEAST_GAIN = 0.01
"""What a component must have gained to be named."""
_SHORTER = 0.9
"""Share of the source's words that a text may have to be called shorter."""
_LONGEST = 10_000
"""Characters of both texts, at most, for their words to be aligned."""
_SHORT = 60
"""Characters of what is quoted, at most."""

_PHRASES = {
    "common": ("simpler words: {}", "слова проще: {}"),
    "shorter_words": ("shorter: {}", "короче: {}"),
    "form": ("another form of the word", "другая форма слова"),
    "other": ("in other words: {}", "другими словами: {}"),
    "marks": ("marks or capitals", "знаки или прописные буквы"),
    "delete": ("left out: {}", "выпало: {}"),
    "insert": ("added: {}", "добавлено: {}"),
    "split": ("a new sentence begins here", "отсюда новое предложение"),
    "order": ("another order of words", "другой порядок слов"),
    "shorter": ("shorter", "короче"),
    "lexical": ("simpler words", "слова проще"),
    "depth": ("simpler structure", "строение проще"),
    "readability": ("easier to read", "легче читать"),
    "brevity": ("shorter sentences", "предложения короче"),
    "sentences": ("{} sentences instead of {}", "предложений {} вместо {}"),
    "source": ("the sentence stands: no candidate is better", "оставлено как было: лучшего варианта нет"),
    "none": ("the sentence stands: there is no candidate", "оставлено как было: вариантов нет"),
    "blocked": (
        "the sentence stands: every candidate is blocked ({})",
        "оставлено как было: все варианты отклонены ({})",
    ),
    "quote": ("“{}”", "«{}»"),
}
"""What is said to people, in English and in Russian."""


Kind = Literal["replace", "delete", "insert", "split", "order"]


@dataclass(frozen=True, slots=True)
class _Span:
    """Characters of the source and those of the text that stand in their place."""

    a: int
    b: int
    c: int
    d: int

    def joined(self, last: _Span) -> _Span:
        return _Span(self.a, last.b, self.c, last.d)


def find_edits(source: str, text: str, language: str, ui: Ui, said: Iterable[str] = ()) -> list[Edit]:
    """The edits that make `text` of `source`, in order, not overlapping; none where both are the same.

    `said` is what the generator says that it did (`Candidate.edits`): side by side, two of its replacements are two
    edits. `language` is that of both texts.
    """
    pairs = [(old, new) for old, arrow, new in (label.casefold().partition(" → ") for label in said) if arrow and old]
    whole = (part for span in _differences(source, text) for part in _without_aside(span, source, text))
    spans = [part for span in whole for part in _parted(span, source, text, pairs)]
    spans = _with_agreement(_with_moves(spans, source, text), source, text, pairs)
    return [_edit(span, source, text, language, ui) for span in spans]


def _said(ui: Ui, name: str, *filled: object) -> str:
    return _PHRASES[name][ui == "ru"].format(*filled)


def why(table: ScoreTable, row: int | None, *, ui: Ui = "en", made: Sequence[Edit] | None = None) -> list[str]:
    """Why candidate `row` of the table is a good choice beside the source, or (`None`) why the source stands.

    `made` are its edits, where they have been looked for already.
    """
    if row is None:
        reasons = sorted({reason for reason in table.blocked if reason})
        if table.candidates and all(table.blocked):
            return [_said(ui, "blocked", "; ".join(reasons[:3]))]
        return [_said(ui, "source" if table.candidates else "none")]
    source, text = table.source, table.candidates[row].text
    is_shorter = count_words(text) <= _SHORTER * count_words(source)
    lines = [_said(ui, "shorter")] if is_shorter else []
    gains = dict(zip(table.components, (table.values[row] - table.source_values).tolist(), strict=True))
    rising = ("lexical", "depth", "readability", "brevity")
    lines += [_said(ui, name) for name in rising if gains.get(name, 0.0) >= _LEAST_GAIN]
    before, after = (len(_END.findall(whole.strip())) + 1 for whole in (source, text))
    lines += [_said(ui, "sentences", after, before)] if after > before else []
    if made is None:
        made = find_edits(source, text, "ru" if has_cyrillic(source) else "en", ui, table.candidates[row].edits)
    return lines + [edit.why for kind in ("delete", "insert") for edit in made if edit.kind == kind]


def _differences(source: str, text: str) -> Iterator[_Span]:
    """What lies between the words that are the same in both; words that differ in case alone are not.

    Texts longer than any sentence that is rewritten differ as a whole: to align them may take minutes.
    """
    if len(source) + len(text) > _LONGEST:
        if source != text:
            yield _trimmed(_Span(0, len(source), 0, len(text)), source, text)
        return
    old, new = list(_TOKEN.finditer(source)), list(_TOKEN.finditer(text))
    a_lower, b_lower = ([match.group().casefold() for match in matches] for matches in (old, new))
    blocks = SequenceMatcher(None, a_lower, b_lower).get_matching_blocks()
    same = [(old[x.a + k], new[x.b + k]) for x in blocks for k in range(x.size)]
    ends = [(m.span(), n.span()) for m, n in same if m.group() == n.group()]
    a = c = 0
    for (b, next_a), (d, next_c) in (*ends, ((len(source),) * 2, (len(text),) * 2)):
        if source[a:b] != text[c:d]:
            yield _trimmed(_Span(a, b, c, d), source, text)
        a, c = next_a, next_c


def _trimmed(span: _Span, source: str, text: str) -> _Span:
    """Without the spaces that both begin or end with."""
    a, b, c, d = span.a, span.b, span.c, span.d
    while a < b and c < d and source[a] == text[c] and source[a].isspace():
        a, c = a + 1, c + 1
    while a < b and c < d and source[b - 1] == text[d - 1] and source[b - 1].isspace():
        b, d = b - 1, d - 1
    return _Span(a, b, c, d)


def _without_aside(span: _Span, source: str, text: str) -> list[_Span]:
    """What stands between two marks at the head of a span, and nothing of it in the text, as a span of its own."""
    old, new = source[span.a : span.b], text[span.c : span.d]
    if _ASIDE.match(old) and new[:1].isspace():
        kept = _words(new)
        for mark in reversed(list(re.finditer(r"[,)–—](?=\s+\w)", old[1:]))):
            aside = _words(old[: mark.end() + 1])
            if not any(_alike(word, other) for word in aside for other in kept):
                middle = span.a + mark.end() + 1
                rest = _trimmed(_Span(middle, span.b, span.c, span.d), source, text)
                return [_Span(span.a, middle, span.c, span.c), rest]
    return [span]


def _parted(span: _Span, source: str, text: str, pairs: Sequence[tuple[str, str]]) -> list[_Span]:
    """The span in parts where replacements of the generator, side by side, are all that it holds; else as it is."""
    parts: list[_Span] = []
    a, c = span.a, span.c
    while a < span.b:
        old, new = source[a : span.b].casefold(), text[c : span.d].casefold()
        if (len(old), len(new)) != (span.b - a, span.d - c):  # ß is two letters then
            return [span]
        fitting = [(x, y) for x, y in pairs if f"{old} ".startswith(f"{x} ") and f"{new} ".startswith(f"{y} ")]
        if not fitting:
            return [span]
        b, d = a + len(fitting[0][0]), c + len(fitting[0][1])
        parts.append(_Span(a, b, c, d))
        a, c = b + 1, d + 1
    return parts if a == span.b + 1 and c == span.d + 1 else [span]


def _with_moves(spans: list[_Span], source: str, text: str) -> list[_Span]:
    """Two spans, and all between, as one where one takes away the words that the other brings."""
    counts = [(Counter(_words(source[s.a : s.b])), Counter(_words(text[s.c : s.d]))) for s in spans]
    nets = [(before - after, after - before) for before, after in counts]
    for i, (lost, gained) in enumerate(nets):
        for j in range(len(spans) - 1, i, -1):
            if nets[j] == (gained, lost) and any(len(word) > 3 for word in (*lost, *gained)):
                return [*spans[:i], *_with_moves([spans[i].joined(spans[j]), *spans[j + 1 :]], source, text)]
    return spans


def _with_agreement(spans: list[_Span], source: str, text: str, pairs: Sequence[tuple[str, str]]) -> list[_Span]:
    """A span where words change their form alone, joined with the nearest one near it."""
    for i, span in enumerate(spans):
        old, new = source[span.a : span.b], text[span.c : span.d]
        if not _is_form(old, new) or (old.casefold(), new.casefold()) in pairs:
            continue
        gaps = {
            j: (span.a - spans[j].b if j < i else spans[j].a - span.b) for j in (i - 1, i + 1) if 0 <= j < len(spans)
        }
        near = [j for j in gaps if gaps[j] <= _NEAR and not _END.search(source, *sorted((span.a, spans[j].a)))]
        if near:
            first, last = sorted((i, min(near, key=lambda j: gaps[j])))
            joined = [*spans[:first], spans[first].joined(spans[last]), *spans[last + 1 :]]
            return _with_agreement(joined, source, text, pairs)
    return spans


def _is_form(old: str, new: str) -> bool:
    """Whether each word has become another form of itself: the same beginning, another ending."""
    before, after = _words(old), _words(new)
    return bool(before) and len(before) == len(after) and all(map(_alike, before, after)) and before != after


def _alike(a: str, b: str) -> bool:
    stem = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return stem >= 3 and stem >= max(len(a), len(b)) - 3


def _words(text: str) -> list[str]:
    return [match.group().casefold() for match in _TOKEN.finditer(text) if match.group()[0].isalnum()]


def _edit(span: _Span, source: str, text: str, language: str, ui: Ui) -> Edit:
    old, new = source[span.a : span.b], text[span.c : span.d]
    kind = _kind(source[span.a : span.b + 1], text[span.c : span.d + 1], _words(old), _words(new))
    why = _reason(kind, old, new, language, ui)
    return Edit(start=span.a, end=span.b, replacement=new, why=why, kind=kind)


def _kind(old: str, new: str, before: list[str], after: list[str]) -> Kind:
    """What is done to words; `old` and `new` with the character behind them."""
    if len(_END.findall(new)) > len(_END.findall(old)):
        return "split"
    if before != after and sorted(before) == sorted(after):
        return "order"
    if len(after) < len(before) and _is_within(after, before):
        return "delete"
    return "insert" if len(before) < len(after) and _is_within(before, after) else "replace"


def _is_within(few: Iterable[str], many: Iterable[str]) -> bool:
    rest = iter(many)
    return all(word in rest for word in few)


def _reason(kind: Kind, old: str, new: str, language: str, ui: Ui) -> str:
    """The edit in plain words."""
    before, after = _words(old), _words(new)
    name: str = kind
    quoted = new
    if kind == "delete":
        quoted = _without(old, after)
    elif kind == "insert":
        quoted = _without(new, before)
    elif kind == "replace":
        name = "marks" if before == after else "form" if _is_form(old, new) else "other"
        if name == "other":
            common = common_words("ru" if language == "ru" else "en")
            rarest = [
                min((common.get(w.replace("ё", "е"), _RARE) for w in words), default=1) for words in (before, after)
            ]
            name = "common" if rarest[0] < rarest[1] else "shorter_words" if len(new) < len(old) else name
    return _said(ui, name, _quoted(quoted, ui))


def _without(text: str, kept: Iterable[str]) -> str:
    """What is left of `text` when the words `kept` are struck out, each once, in order."""
    parts: list[str] = []
    rest, end = list(kept), 0
    for match in _TOKEN.finditer(text):
        if rest and match.group().casefold() == rest[0]:
            rest.pop(0)
            parts.append(text[end : match.start()])
            end = match.end()
    return " … ".join(part for part in map(_bare, (*parts, text[end:])) if part)


def _bare(text: str) -> str:
    return text.strip(" \t\n,;:.–—-")


def _quoted(text: str, ui: Ui) -> str:
    text = " ".join(_bare(text).split())
    return _said(ui, "quote", text if len(text) <= _SHORT else f"{text[:_SHORT].rsplit(' ', 1)[0]}…")
