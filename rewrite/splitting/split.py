"""One way to split a sentence in two, and the two sentences that come of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rewrite.splitting.openers import opening
from rewrite.splitting.parsed_words import Words

_LEADING = frozenset({",", ";", ":", "--", "—", "–", "."})
_TRAILING = frozenset({",", ";", ":", "-", "--", "—", "–", "and", "but"})
_QUESTIONS = frozenset("who whom whose what which when where why how".split())
_COMMA_QUOTED = (',"', ",”", ",'", ",’", ", ''", ', "')
_STOPS = (".", "!", "?", "…")


@dataclass(frozen=True, slots=True)
class Split:
    """Words `start:stop` become a sentence of their own, behind the rest.

    The first `dropped` of them go, and `opener` comes before those that stay: words in lower case, and slots for the
    phrase of the noun `antecedent` (−1: none) or for another form of the last dropped word, a verb. Of the first
    sentence the first `lead` words go, and those of `gone`, where the word `put` comes instead. `logprob` is the
    network's, in nats, for the whole of it.
    """

    start: int
    stop: int
    dropped: int
    opener: tuple[str, ...]
    antecedent: int = -1
    logprob: float = 0.0
    lead: int = 0
    gone: tuple[int, ...] = ()
    put: str = ""

    @property
    def kept(self) -> int:
        """The number of the first word that stays."""
        return self.start + self.dropped

    @property
    def verb(self) -> int:
        """The number of the dropped word whose form an opener may change, −1 where none is dropped."""
        return self.kept - 1 if self.dropped else -1

    @property
    def second(self) -> range:
        """The numbers of the words of the source that the second sentence has."""
        return range(self.kept, self.stop)

    def settled(self, words: Words) -> Split:
        """The same split, with the marks before the second sentence, which nobody sees, among what is dropped."""
        dropped = self.dropped
        while self.start + dropped < self.stop and words[self.start + dropped].text in _LEADING:
            dropped += 1
        return self if dropped == self.dropped else replace(self, dropped=dropped)

    def begins(self, words: Words) -> int:
        """The number of the first word of the second sentence that is no mark."""
        return next((number for number in self.second if not words[number].is_mark), self.kept)

    def first(self, words: Words) -> list[int]:
        """The numbers of the words of the source that the first sentence has."""
        rest = (*range(self.lead, self.start), *range(self.stop, words.end))
        return [number for number in rest if number not in self.gone]


def render(words: Words, split: Split) -> tuple[str, str] | None:
    """The two sentences; `None` where the opener's slots cannot be filled."""
    begun = opening(words, split.opener, split.antecedent, split.verb)
    if begun is None:
        return None
    after = split.stop
    if after < words.end and words[after].text == ",":
        after += 1
    rest = range(after, words.end)
    before_cut = [n for n in range(split.lead, split.start) if n not in split.gone]
    first_words = _stripped(words, [*_trimmed(words, before_cut), *rest])
    second_words = _stripped(words, split.second)
    if not first_words or not second_words:
        return None
    marks = words.join(range(words.end, len(words)))
    first_marks, second_marks = (marks, "") if rest else ("", marks)
    if "?" in second_marks and _asks(words, first_words[0]):
        first_marks = "?"
        if begun or not _asks(words, second_words[0]):
            second_marks = second_marks.replace("?", ".")
    first_sentence = _with(words, first_words, split)
    first_sentence = _ended(words, _capital(first_sentence) if split.lead else first_sentence, first_marks)
    second_sentence = words.join(second_words)
    if begun:
        second_sentence = f"{_joined(words, begun)} {second_sentence}"
    return first_sentence, _ended(words, _capital(second_sentence), second_marks)


def _with(words: Words, numbers: Sequence[int], split: Split) -> str:
    """The text of the first sentence, with the word that is put where others went."""
    if not split.put:
        return words.join(numbers)
    before = [n for n in numbers if n < split.gone[0]]
    return f"{words.join(before)} {split.put} {words.join(numbers[len(before) :])}"


def _asks(words: Words, first: int) -> bool:
    """Whether a sentence is a question by the word that it begins with: *did*, *who*; not by *when he left*."""
    word = words[first]
    return word.pos == "AUX" or (word.lower in _QUESTIONS and words[max(word.head, 0)].rel != "advcl")


def _trimmed(words: Words, numbers: Sequence[int]) -> list[int]:
    """Without the marks and conjunctions at the end."""
    trimmed = list(numbers)
    while trimmed and words[trimmed[-1]].lower in _TRAILING:
        trimmed.pop()
    return trimmed


def _stripped(words: Words, numbers: Sequence[int]) -> list[int]:
    """Without commas and the like at either end."""
    stripped = _trimmed(words, numbers)
    while stripped and words[stripped[0]].text in _LEADING:
        stripped.pop(0)
    return stripped


def _joined(words: Words, parts: Sequence[str]) -> str:
    text = " ".join(parts)
    return text if words.apart else text.replace(" ,", ",").replace(" 's", "'s")


def _ended(words: Words, text: str, marks: str) -> str:
    """A sentence with the marks that end it, or with a stop."""
    if text.endswith(_COMMA_QUOTED):
        # *"…," he said* ends in *"….*"*
        text, marks = re.sub(r", ?(?=\W+$)", lambda m: ". " if m[0][1:] else ".", text), ""
    elif not marks:
        # *He said: "She stayed."* has its stop.
        marks = "" if text.rstrip("\"'”’»)").endswith(_STOPS) and not text.endswith(")") else "."
    elif text.endswith(".") and marks.startswith("."):
        marks = marks[1:].lstrip()
    return f"{text}{' ' if words.apart and marks else ''}{marks}"


def _capital(text: str) -> str:
    """With a capital first, unless the word has one inside, as *iPhone*."""
    start = next((place for place, character in enumerate(text) if character.isalnum()), 0)
    word = text[start:].split(" ", 1)[0]
    if any(character.isupper() for character in word[1:]):
        return text
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]
