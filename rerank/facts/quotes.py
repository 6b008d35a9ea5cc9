"""Quotations and Latin-script words, and the rules for them: both must be the source's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rerank.facts.names import NameIndex
from rerank.facts.words import Facts, Word
from rerank.guard import Violation

__all__ = ["Quotes", "changed_latin", "changed_quotes", "find_quotes", "latin_tokens"]

_PAIRS = {"«": "»", "„": "“”", "“": "”"}
_LONG = 3


def find_quotes(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The quoted passages, nested ones too; a quote that is never closed runs to the end of the text."""
    found: list[tuple[Word, ...]] = []
    open_at: list[tuple[str, int]] = []
    for i, word in enumerate(words):
        mark = word.text
        if word.kind != "mark":
            continue
        if open_at and mark in open_at[-1][0]:
            found.append(tuple(words[open_at.pop()[1] : i]))
        elif mark in _PAIRS:
            open_at.append((_PAIRS[mark], i + 1))
        elif mark == '"':
            open_at.append(('"', i + 1))
    found.extend(tuple(words[start:]) for _, start in open_at)
    return [quote for quote in found if any(word.kind != "mark" for word in quote)]


def latin_tokens(words: Sequence[Word]) -> list[Word]:
    """Tokens in Latin script, Roman numerals left out."""
    return [word for word in words if word.kind == "latin"]


class Quotes:
    """The passages of a source that may be quoted, and its Latin words."""

    def __init__(self, words: Sequence[Word]) -> None:
        # Words of the source may be put in quotation marks as they stand: that alone says nothing new.
        self.passages = [*(_content(quote) for quote in find_quotes(words)), _content(words)]
        self.latin = {part for word in words if word.kind in {"latin", "code", "roman"} for part in _spellings(word)}

    def supports(self, quote: Sequence[Word]) -> bool:
        """Whether `quote` stands in the source, unbroken and in its order.

        Up to three words (titles) may be inflected; longer ones must keep every word form.
        """
        content = _content(quote)
        size = len(content)
        same = _same_form if size > _LONG else _same_lemma
        return any(
            all(same(a, b) for a, b in zip(passage[i : i + size], content, strict=True))
            for passage in self.passages
            for i in range(len(passage) - size + 1)
        )

    def supports_latin(self, word: Word) -> bool:
        """Whether the source has this Latin word, up to case and hyphens."""
        return word.low in self.latin or all(part in self.latin for part in _pieces(word.low))


def _content(quote: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in quote if word.kind != "mark")


def _same_form(left: Word, right: Word) -> bool:
    return left.low == right.low


def _same_lemma(left: Word, right: Word) -> bool:
    return left.low == right.low or bool(left.kind == "word" and left.lemmas & right.lemmas)


def _pieces(text: str) -> list[str]:
    return [part for part in text.replace("‑", "-").replace("’", "-").replace("'", "-").split("-") if part]


def _spellings(word: Word) -> list[str]:
    return [word.low, *_pieces(word.low)]


def changed_latin(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Latin-script words that the source does not have."""
    for word in latin_tokens(candidate.words):
        if not source.of(Quotes).supports_latin(word) and not source.of(NameIndex).supports(word):
            yield Violation("latin", word.text, f"{word.text} is not in the source")


def changed_quotes(source: Facts, candidate: Facts) -> Iterator[Violation]:
    """Quotations whose words the source does not quote in this order."""
    for quote in find_quotes(candidate.words):
        if not source.of(Quotes).supports(quote):
            text = " ".join(word.text for word in quote)
            yield Violation("quotation", text, f"«{text}» is not quoted in the source")
