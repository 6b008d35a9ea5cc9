"""What a text defines once, as *(далее — Банк)* or *(WHO)*: kept where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rewrite.across.terms import Terms

_QUOTED = r"[«\"“]?(?P<term>[^()«»\"“”]{2,60}?)[»\"”]?"
_EXPLICIT = {
    "ru": (
        re.compile(
            r"\((?:именуем\w+\s+)?(?:далее|в дальнейшем)(?:\s+по\s+тексту)?(?:\s*[-–—:,]\s*|\s+)"
            rf"(?:именуем\w+\s+|также\s+)?{_QUOTED}\)",
            re.IGNORECASE,
        ),
        re.compile(
            r"именуем\w+\s+(?:в\s+дальнейшем|далее)(?:\s*[-–—]\s*|\s+)[«\"“](?P<term>[^«»\"“”]{2,60})[»\"”]",
            re.IGNORECASE,
        ),
    ),
    "en": (
        re.compile(
            r"\((?:hereinafter|hereafter|henceforth)(?:\s+(?:referred\s+to\s+as|called|known\s+as))?[\s,:]*(?:the\s+)?"
            rf"{_QUOTED}\)",
            re.IGNORECASE,
        ),
        re.compile(
            r"\((?:collectively,?\s+|each,?\s+)?(?:the|an?)\s+[\"“](?P<term>[^\"“”]{2,60})[\"”]\)", re.IGNORECASE
        ),
    ),
}
_ABBREVIATION = re.compile(r"(?P<last>[^\W\d_]+)[\"»”]?\s\((?P<term>[^\W\d_][\w&-]{1,9})\)")
_WORD = re.compile(r"[\w-]+")
_STEM = 4


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, the words that define it, and the word before them, where they are an abbreviation in brackets."""

    term: str
    text: str
    after: str = ""

    def is_in(self, text: str) -> bool:
        """Whether a rewrite of its sentence has it, too."""
        place = text.find(self.text)
        if not self.after or place < 0:
            return place >= 0
        words = _WORD.findall(text[:place])
        return bool(words) and words[-1][:_STEM].lower() == self.after[:_STEM].lower()


def definitions(text: str, language: str) -> Iterator[Definition]:
    """Those of a sentence; abbreviations only where their letters are those that the words before them begin with."""
    if "(" not in text and "именуем" not in text:
        return
    for pattern in _EXPLICIT.get(language, ()):
        for match in pattern.finditer(text):
            yield Definition(match["term"].strip(), match[0])
    for match in _ABBREVIATION.finditer(text):
        term = match["term"]
        words = _WORD.findall(text[: match.end("last")])[-len(term) - 2 :]
        first = {word[0].lower() for word in words}
        if sum(map(str.isupper, term)) > 1 and (term[0].lower() in first or term.isascii() != words[-1].isascii()):
            yield Definition(term, f"({term})", match["last"])


def used(definition: Definition, text: str, language: str) -> bool:
    """Whether a text says the term with the capital of its definition: *Банк*, *Банка*, not *банк*."""
    if definition.term[:_STEM] not in text:
        return False
    places = Terms([definition.term], language).places(text)
    return any(text[place.start].isupper() == definition.term[0].isupper() for place in places)
