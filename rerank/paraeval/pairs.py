"""Paraphrases as pairs in memory, or in a file."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from rerank.errors import BadInput
from rerank.paraeval.word_keys import Phrase, read

_NONE: Mapping[Phrase, float] = {}


class PairTable:
    """Paraphrases as pairs of texts, each good in both directions.

    `pairs` holds (phrase, phrase, probability in (0, 1]); of a pair given twice the higher probability counts, and a
    phrase is no paraphrase of itself. Raises `BadInput` for a phrase without words, one with a mark inside, and a
    probability out of range.
    """

    def __init__(self, pairs: Iterable[tuple[str, str, float]], *, language: str | None = None) -> None:
        self._table: dict[Phrase, dict[Phrase, float]] = {}
        self._longest = 0
        self._language = language
        for left, right, probability in pairs:
            self._add(_phrase(left, language), _phrase(right, language), probability)

    @classmethod
    def read(cls, path: str | Path, *, language: str | None = None) -> PairTable:
        """Lines of `phrase<TAB>phrase` or `phrase<TAB>phrase<TAB>probability`, 1 without one; blank lines count for
        nothing. Raises `BadInput` that names the line, and for a file without any.
        """
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise BadInput(
                f"Cannot read the paraphrases {str(path)!r}: {why}.", hint="Give a UTF-8 file of pairs."
            ) from error
        table = cls((), language=language)
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    left, right, probability = _fields(line)
                    table._add(_phrase(left, language), _phrase(right, language), probability)
                except BadInput as error:
                    raise BadInput(f"{path}, line {number}: {error.message}", hint=error.hint) from None
        if not table._table:
            raise BadInput(f"{path}: it holds no paraphrase.", hint="Give a phrase, a tab and its paraphrase a line.")
        return table

    @classmethod
    def directed(cls, rows: Iterable[Sequence[str]], language: str) -> PairTable:
        """Rows of phrase, paraphrase and probability, each good in its own direction; words are as a text's are read.

        Raises `ValueError` for what is no such row, and `BadInput` for a probability out of range.
        """
        table = cls((), language=language)
        for phrase, paraphrase, probability in rows:
            table._add(tuple(phrase.split(" ")), tuple(paraphrase.split(" ")), float(probability), both=False)
        return table

    @property
    def longest(self) -> int:
        """Words of the longest phrase; 0 for a table without any."""
        return self._longest

    @property
    def language(self) -> str:
        """What the phrases were said to be of; empty where nobody did."""
        return self._language or ""

    @property
    def phrases(self) -> Collection[Phrase]:
        """All that have a paraphrase, each once."""
        return self._table.keys()

    def of(self, phrase: Phrase) -> Mapping[Phrase, float]:
        """The paraphrases of `phrase` with their probabilities in (0, 1]; empty where it has none."""
        return self._table.get(phrase, _NONE)

    def signature(self) -> str:
        """Name and version: equal signatures mean equal paraphrases."""
        return self._signature

    # Asked of every row that is judged.
    @cached_property
    def _signature(self) -> str:
        rows = sorted((phrase, sorted(others.items())) for phrase, others in self._table.items())
        return f"pairs:{len(rows)}:{zlib.crc32(repr(rows).encode()):08x}"

    def _add(self, left: Phrase, right: Phrase, probability: float, *, both: bool = True) -> None:
        if not 0 < probability <= 1:
            raise BadInput(f"The probability {probability!r} is not in (0, 1].", hint="Leave it out for 1.")
        if left == right:
            return
        for phrase, paraphrase in ((left, right), (right, left))[: 1 + both]:
            known = self._table.setdefault(phrase, {})
            known[paraphrase] = max(probability, known.get(paraphrase, 0.0))
            self._longest = max(self._longest, len(phrase), len(paraphrase))


def _fields(line: str) -> tuple[str, str, float]:
    fields = line.split("\t")
    if len(fields) == 2:
        return fields[0], fields[1], 1.0
    try:
        left, right, probability = fields
        return left, right, float(probability)
    except ValueError:
        raise BadInput(
            f"{line[:80]!r} is not `phrase<TAB>phrase<TAB>probability`.", hint="The probability may be left out."
        ) from None


def _phrase(text: str, language: str | None) -> Phrase:
    phrase = read(text, language)
    if not phrase.words or len(set(phrase.stretches)) > 1:
        raise BadInput(
            f"{text[:80]!r} is no phrase.", hint="A phrase has words, and no mark or line's end between them."
        )
    return phrase.words


NO_PARAPHRASES = PairTable(())
"""A table without any: what is left is the same words."""
