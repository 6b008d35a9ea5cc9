"""A text as a masked model reads it, and the rows of tokens that ask it what it expects at a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import Literal, TypeVar, get_args

from rerank.errors import BadInput, TextTooLong, UnknownName
from rerank.masked.base import LogProbs, MaskedModel, Row, Word
from rerank.masked.words import sentence_spans

_Key = TypeVar("_Key")
# Rows whose distributions are in memory at once: 50 MB for a vocabulary of 50,000.
_CHUNK = 256
_MOST_UNKNOWN = 0.5
# Nothing is a word with it: where a model has an unknown token at all, it is this one's.
_UNKNOWN = Word("\ue000")
_LETTERS = re.compile(r"[^\W\d_]")

Masking = Literal["word", "piece", "one"]
"""What is masked to ask about a word of several sub-words: `word`, all of them at once (whole-word masking); `piece`,
one after the other, the others in place, a row each; `one`, all, with a single mask in their place."""


def require_masking(masking: str) -> None:
    """Raises `UnknownName` for what is no `Masking`."""
    if masking not in get_args(Masking):
        raise UnknownName(f"Unknown masking {masking!r}.", hint=f"Known: {', '.join(get_args(Masking))}.")


@dataclass(frozen=True, eq=False)
class Reading:
    """The words of a text and the sub-words that `model` has for each.

    A place is the index of a word, −1 for the token before the text ([CLS], <s>), or the number of words for the one
    after it ([SEP], </s>).
    """

    model: MaskedModel
    words: tuple[Word, ...]
    tokens: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, model: MaskedModel, words: Sequence[Word]) -> Reading:
        """The reading of a text given by its words, of which there may be none."""
        return cls(model, tuple(words), tuple(model.tokens(word) for word in words))

    def kept(self, kept: Sequence[int]) -> Reading:
        """What is left of the text: the words at the indices `kept`, with the same sub-words."""
        return Reading(self.model, tuple(self.words[k] for k in kept), tuple(self.tokens[k] for k in kept))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """One key per word: words with equal keys are written alike and have the same sub-words."""
        return tuple(f"{word.text} {tokens}" for word, tokens in zip(self.words, self.tokens, strict=True))

    @cached_property
    def fits(self) -> bool:
        """Whether the whole text fits the model's window."""
        return self.too_long(0, len(self.words)) is None

    @cached_property
    def sentences(self) -> tuple[tuple[int, int], ...]:
        """First word and end of each sentence. Raises `TextTooLong` for one that does not fit the model's window."""
        spans = tuple(sentence_spans(self.words)) or ((0, 0),)
        for span in spans:
            if error := self.too_long(*span):
                raise error
        return spans

    def too_long(self, start: int, stop: int) -> TextTooLong | None:
        """Why the words from `start` to `stop` do not fit the model's window as a sentence."""
        length = len(self.model.prefix) + len(self.model.suffix) + sum(map(len, self.tokens[start:stop]))
        if length <= self.model.window:
            return None
        shown = " ".join(word.text for word in self.words[start : start + 8])
        model = f"the model {self.model.name} takes {self.model.window:,}"
        return TextTooLong(f"The sentence {shown!r} … has {length:,} tokens, {model}.", hint="Split it.")

    def size(self, place: int) -> int:
        """How many sub-words the word at `place` has; 1 for the tokens around the text."""
        return len(self.tokens[place]) if 0 <= place < len(self.tokens) else 1

    def rows(self, place: int, masking: Masking, *, by_sentence: bool = False) -> tuple[Row, ...]:
        """The rows that ask for the distributions at `place`, together one for each sub-word that is asked for.

        The model sees the whole text, or with `by_sentence` the sentence of the place.
        """
        flat, starts, first = self._context(place) if by_sentence else (*self._whole, 0)
        before = len(self.model.prefix)
        if place < 0:
            start, end = before - 1, before
        elif place >= len(self.tokens):
            start, end = starts[-1], starts[-1] + 1
        else:
            start, end = starts[place - first], starts[place - first + 1]
        mask = (self.model.mask,)
        if masking == "piece":
            return tuple(Row(flat[:k] + mask + flat[k + 1 :], (k,)) for k in range(start, end))
        count = 1 if masking == "one" else end - start
        return (Row(flat[:start] + mask * count + flat[end:], tuple(range(start, start + count))),)

    def contexts(self, *, by_sentence: bool = False) -> list[tuple[int, ...]]:
        """The text as unmasked rows of tokens: one, or one per sentence."""
        spans = self.sentences if by_sentence else ((0, len(self.words)),)
        return [self._laid_out(*span)[0] for span in spans]

    @cached_property
    def _whole(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self._laid_out(0, len(self.words))

    def _context(self, place: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        last = max(0, min(place, len(self.words) - 1))
        start, stop = next(span for span in self.sentences if last < span[1] or span == self.sentences[-1])
        return (*self._laid_out(start, stop), start)

    def _laid_out(self, start: int, stop: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Tokens of a row, and where in it each word starts; after the last, where they end."""
        words = self.tokens[start:stop]
        starts = accumulate((len(tokens) for tokens in words), initial=len(self.model.prefix))
        return (*self.model.prefix, *chain.from_iterable(words), *self.model.suffix), tuple(starts)


def predicted(model: MaskedModel, rows: Sequence[tuple[_Key, Row]]) -> Iterator[tuple[_Key, LogProbs]]:
    """What `model` says to each row, with the key that came with it: shortest rows first, equal ones asked once.

    So keys do not come in the order in which they were given. Only a limited number of answers is in memory at a time.
    """
    keys: dict[Row, list[_Key]] = {}
    for key, row in rows:
        keys.setdefault(row, []).append(key)
    ordered = sorted(keys, key=lambda row: len(row.tokens))
    for start in range(0, len(ordered), _CHUNK):
        chunk = ordered[start : start + _CHUNK]
        for row, logprobs in zip(chunk, model.predict(chunk), strict=True):
            yield from ((key, logprobs) for key in keys[row])


def foreign(reading: Reading) -> BadInput | None:
    """Why what the model says about a text would mean nothing: it does not know most of its words."""
    share = unknown_share(reading)
    if share <= _MOST_UNKNOWN:
        return None
    shown = " ".join(word.text for word in reading.words[:8])
    return BadInput(
        f"The model {reading.model.name} has no words for {share:.0%} of {shown!r} ….",
        hint="Give --masked-model hf:NAME of one that knows the language.",
    )


def unknown_share(reading: Reading) -> float:
    """The share of words, in [0, 1], that are unknown to the model or fall into single characters or bytes."""
    probe = reading.model.tokens(_UNKNOWN)
    unknown = probe[0] if len(probe) == 1 else None
    words = [(w, t) for w, t in zip(reading.words, reading.tokens, strict=True) if _LETTERS.search(w.text)]
    lost = sum(unknown in tokens or _is_spelled(word.text, tokens) for word, tokens in words)
    return lost / len(words) if words else 0.0


def _is_spelled(word: str, tokens: Sequence[int]) -> bool:
    return len(tokens) >= max(4, len(word))
