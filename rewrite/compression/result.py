"""What a compression returns: the text, how it came about, and the texts on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewrite.layout import Layout

__all__ = ["CompressedSentence", "Compression", "Removal"]


@dataclass(frozen=True, slots=True)
class Removal:
    """Words that were cut in the round `round`, from 1, at that `distance` from what they were compared with."""

    text: str
    round: int
    distance: float


@dataclass(frozen=True, slots=True)
class CompressedSentence:
    """One sentence: its text now, the words it had and has, and what went.

    `stages` are the texts after each round, the last of them `text`; none where nothing was cut. `skipped` says why a
    sentence was passed through, `error` why it could not be compressed: then it stands as it was.
    """

    source: str
    text: str
    words: int = 0
    kept: int = 0
    removals: tuple[Removal, ...] = ()
    stages: tuple[str, ...] = ()
    skipped: str = ""
    error: str = ""

    @classmethod
    def unchanged(cls, source: str, words: int, *, skipped: str = "", error: str = "") -> CompressedSentence:
        """A sentence that stands as it was."""
        return cls(source, source, words, words, skipped=skipped, error=error)

    @property
    def ratio(self) -> float:
        """The share of words kept, in (0, 1]."""
        return self.kept / self.words if self.words else 1.0

    def text_at(self, rank: int) -> str:
        """The compression, or with a higher rank a text before it; from some rank on the source."""
        texts = (self.source, *self.stages)
        return texts[max(0, len(texts) - 1 - rank)]


@dataclass(frozen=True)
class Compression:
    """A compressed text; `str(result)` is the text."""

    source: str
    layout: Layout
    sentences: tuple[CompressedSentence, ...]
    signature: str
    best: int | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        return self.text_at(0)

    def text_at(self, rank: int) -> str:
        """The compression, or the text that is so many rounds of cuts before it in every sentence."""
        return self.layout.join(tuple(sentence.text_at(rank) for sentence in self.sentences))

    @property
    def n_best(self) -> tuple[str, ...]:
        """The compression, then the longer texts on the way to it, the source left out; `best` at most."""
        rounds = max((len(sentence.stages) for sentence in self.sentences), default=0)
        texts = tuple(dict.fromkeys(self.text_at(rank) for rank in range(max(1, rounds))))
        return texts[: self.best]

    @property
    def words(self) -> int:
        return sum(sentence.words for sentence in self.sentences)

    @property
    def kept(self) -> int:
        return sum(sentence.kept for sentence in self.sentences)

    @property
    def ratio(self) -> float:
        """The share of words kept, punctuation not counted; 1 for a text without words."""
        return self.kept / self.words if self.words else 1.0

    @property
    def errors(self) -> tuple[CompressedSentence, ...]:
        """The sentences that could not be compressed."""
        return tuple(sentence for sentence in self.sentences if sentence.error)

    def row(self) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output."""
        row: dict[str, Any] = {
            "source": self.source,
            "text": self.text,
            "ratio": self.ratio,
            "words": self.words,
            "kept": self.kept,
            "candidates": [{"text": text} for text in self.n_best],
            "signature": self.signature,
        }
        if len(self.sentences) > 1:
            row["sentences"] = [
                {"source": one.source, "text": one.text, "ratio": one.ratio, **_account(one)} for one in self.sentences
            ]
        elif self.sentences:
            row.update(_account(self.sentences[0]))
        return row


def _account(sentence: CompressedSentence) -> dict[str, Any]:
    cuts = [{"text": one.text, "round": one.round, "distance": one.distance} for one in sentence.removals]
    account = {"cuts": cuts, "skipped": sentence.skipped, "error": sentence.error}
    return {name: value for name, value in account.items() if value or (name == "cuts" and not sentence.skipped)}
