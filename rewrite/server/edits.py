"""What a rewrite does to a sentence, for a reader: its edits, and why it was chosen, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Literal

from rerank.frequency import common_words
from rerank.types import ScoreTable
from rewrite.acceptance.simplicity import layout_in
from rewrite.layout import count_words, has_cyrillic
from rewrite.server.phrases import Say, phrase
from rewrite.server.schemas import Edit, Ui
from rewrite.spans import FACT, LONGEST, TOKEN, Span, alike, find_spans, is_form, words_of

_RARE = 1e-7
"""Frequency of a word that is not among the common ones."""
_LEAST_GAIN = 0.01
"""What a component must have gained to be named."""
_SHORTER = 0.9
"""Share of the source's words that a text may have to be called shorter."""
_SHORT = 60
"""Characters of what is quoted, at most."""

Kind = Literal["replace", "delete", "insert", "split", "order"]


def find_edits(source: str, text: str, language: str, ui: Ui, labels: Iterable[str] = ()) -> list[Edit]:
    """The edits that make `text` of `source`, in order, not overlapping; none where both are the same.

    They never cut a word, and together they give the rewrite to the last space.
    `labels` are what the generator says that it did (`Candidate.edits`): side by side, two of its replacements are two
    edits. `language` is that of both texts.
    """
    return [
        _edit(span, source, text, is_cut, language, ui) for span, is_cut in find_spans(source, text, language, labels)
    ]


def why(table: ScoreTable, row: int | None, *, ui: Ui = "en", made: Sequence[Edit] | None = None) -> list[str]:
    """Why candidate `row` of the table is a good choice beside the source, or (`None`) why the source stands.

    `made` are its edits, where they have been looked for already.
    """
    if row is None:
        reasons = sorted({reason for reason in table.blocked if reason})
        if table.candidates and all(table.blocked):
            return [phrase(ui, "blocked", "; ".join(reasons[:3]))]
        return [phrase(ui, "source" if table.candidates else "none")]
    source, text = table.source, table.candidates[row].text
    language = "ru" if has_cyrillic(source) else "en"
    is_shorter = count_words(text) <= _SHORTER * count_words(source)
    lines = [phrase(ui, "shorter")] if is_shorter else []
    gains = dict(zip(table.components, (table.values[row] - table.source_values).tolist(), strict=True))
    rising = ("lexical", "depth", "readability", "brevity")
    lines += [phrase(ui, name) for name in rising if gains.get(name, 0.0) >= _LEAST_GAIN]
    before, after = (len(layout_in(whole, language).sentences) for whole in (source, text))
    lines += [phrase(ui, "sentences", after, before)] if after > before else []
    if made is None:
        made = find_edits(source, text, language, ui, table.candidates[row].edits)
    for edit in made:
        lines += [edit.why] if edit.kind == "delete" else _losses(source, edit, ui, phrase)
    lines += [edit.why for edit in made if edit.kind == "insert"]
    return lines or list(dict.fromkeys(edit.why for edit in made))


def _edit(span: Span, source: str, text: str, is_cut: bool, language: str, ui: Ui) -> Edit:
    old, new = source[span.a : span.b], text[span.c : span.d]
    kind: Kind = "split" if is_cut else _kind(words_of(old), words_of(new))
    edit = Edit(start=span.a, end=span.b, replacement=new, why="", kind=kind)
    return edit.model_copy(update={"why": account(source, edit, language, ui)})


def _kind(before: list[str], after: list[str]) -> Kind:
    """What is done to words."""
    if before != after and sorted(before) == sorted(after):
        return "order"
    if len(after) < len(before) and _is_within(after, before):
        return "delete"
    return "insert" if len(before) < len(after) and _is_within(before, after) else "replace"


def _is_within(few: Iterable[str], many: Iterable[str]) -> bool:
    rest = iter(many)
    return all(word in rest for word in few)


def account(source: str, edit: Edit, language: str, ui: Ui, say: Say = phrase) -> str:
    """The edit in plain words: what it did, or with `say=advice` what it suggests."""
    losses = _losses(source, edit, ui, say) if edit.kind != "delete" else []
    return "; ".join((_reason(edit.kind, source[edit.start : edit.end], edit.replacement, language, ui, say), *losses))


def _reason(kind: Kind, old: str, new: str, language: str, ui: Ui, say: Say) -> str:
    before, after = words_of(old), words_of(new)
    name: str = kind
    quoted = new
    if kind == "delete":
        quoted = _without(old, after)
    elif kind == "insert":
        quoted = _without(new, before)
    elif kind == "replace":
        name = "marks" if before == after else "form" if is_form(old, new) else "other"
        if name == "other":
            common = common_words("ru" if language == "ru" else "en")
            rarest = [
                min((common.get(w.replace("ё", "е"), _RARE) for w in words), default=1) for words in (before, after)
            ]
            name = "common" if rarest[0] < rarest[1] else "shorter_words" if len(new) < len(old) else name
    return say(ui, name, _quoted(quoted, ui))


def _losses(source: str, edit: Edit, ui: Ui, say: Say) -> list[str]:
    """What an edit drops, with nothing of the new in its place, where it may be a fact."""
    new = edit.replacement
    if edit.end - edit.start + len(new) > LONGEST:
        return []
    old = [match for match in TOKEN.finditer(source, edit.start, edit.end) if match.group()[0].isalnum()]
    before = [match.group().casefold() for match in old]
    known = {word: word for word in before}
    known = {word: known.get(word) or next((o for o in known if alike(o, word)), word) for word in set(words_of(new))}
    after = [known[word] for word in words_of(new)]
    runs = [
        source[old[a].start() : old[b - 1].end()]
        for change, a, b, _, _ in SequenceMatcher(None, before, after).get_opcodes()
        if change == "delete"
        and (missing := [old[i] for i in range(a, b) if before[i] not in after])
        and (b - a >= FACT or any(map(_is_fact, missing)))
    ]
    return [say(ui, "loss", _quoted(run, ui)) for run in runs]


def _is_fact(word: re.Match[str]) -> bool:
    """Whether a word is a number or a name; what begins the source may have its capital from there."""
    return any(c.isdigit() or (c.isupper() and word.start() > 0) for c in word.group())


def _without(text: str, kept: Iterable[str]) -> str:
    """What is left of `text` when the words `kept` are struck out, each once, in order."""
    parts: list[str] = []
    rest, end = list(kept), 0
    for match in TOKEN.finditer(text):
        if rest and match.group().casefold() == rest[0]:
            rest.pop(0)
            parts.append(text[end : match.start()])
            end = match.end()
    return " … ".join(part for part in map(_bare, (*parts, text[end:])) if part)


def _bare(text: str) -> str:
    return text.strip(" \t\n,;:.–—-")


def _quoted(text: str, ui: Ui) -> str:
    text = " ".join(_bare(text).split())
    return phrase(ui, "quote", text if len(text) <= _SHORT else f"{text[:_SHORT].rsplit(' ', 1)[0]}…")
