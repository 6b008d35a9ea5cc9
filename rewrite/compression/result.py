"""What a compression returns: the text, how it came about, and the texts on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from rewrite.compression.analyzer import count_words
from rewrite.compression.options import CompressOptions
from rewrite.result import Result, SentenceResult

__all__ = ["CompressedSentence", "Compression", "Removal"]


class Removal(NamedTuple):
    """Words that were cut in the round `round`, from 1, at that `distance` from what they were compared with."""

    text: str
    round: int
    distance: float


@dataclass(frozen=True)
class CompressedSentence(SentenceResult):
    """One sentence: its text now, the words it had and has, and what went."""

    def text_at(self, rank: int) -> str:
        """The choice at `rank`: of two sentences the one that has fewer stands as it was in the longer texts."""
        return self.choices[rank].text if rank < len(self.choices) else self.source

    @property
    def words(self) -> int:
        """Words of the source, punctuation not counted."""
        told = self.choices[0].candidate.source_tokens if self.choices else None
        return count_words(self.source, self.language) if told is None else told

    @property
    def kept(self) -> int:
        """Words that are left."""
        told = self.choices[0].candidate.tokens if self.choices else None
        return count_words(self.text, self.language) if told is None else told

    @property
    def ratio(self) -> float:
        """The share of words kept, in (0, 1]."""
        return self.kept / self.words if self.words else 1.0

    @property
    def removals(self) -> tuple[Removal, ...]:
        """What was cut, in order."""
        return tuple(Removal(*cut) for cut in self.choices[0].candidate.cuts) if self.choices else ()

    @property
    def stages(self) -> tuple[str, ...]:
        """The texts after each round, the last of them the shortest; none where nothing was cut."""
        return tuple(candidate.text for candidate in reversed(self.table.candidates)) if self.table else ()


@dataclass(frozen=True)
class Compression(Result):
    """A compressed text; `str(result)` is the text."""

    sentence_class: ClassVar[type[SentenceResult]] = CompressedSentence
    sentences: tuple[CompressedSentence, ...]
    options: CompressOptions

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

    def row(self, *, limit: int | None = None) -> dict[str, Any]:
        """The result as plain data, one row of the JSONL output."""
        row: dict[str, Any] = {
            "source": self.source,
            "text": self.text,
            "ratio": self.ratio,
            "words": self.words,
            "kept": self.kept,
            "candidates": [{"text": text} for text in self.n_best[:limit]],
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
    account = {
        "cuts": [cut._asdict() for cut in sentence.removals],
        "skipped": "" if sentence.error else sentence.skipped,
        "error": sentence.error,
    }
    return {name: value for name, value in account.items() if value or (name == "cuts" and not account["skipped"])}
