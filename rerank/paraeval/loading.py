"""Which table of paraphrases a language has, and where one of the user's own comes from."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rerank.errors import BadInput, ModelNotFound
from rerank.foreign import SCRIPTS, foreign
from rerank.paraeval.pairs import PairTable
from rerank.paraeval.table import BUNDLED, TABLE, ParaphraseTable, bundled
from rerank.paraeval.types import Paraphrases

__all__ = ["BUNDLED", "WHAT_IT_IS", "bundled_paraphrases", "open_paraphrases", "require_language"]

_GUESSED = "Give a table of the language of the texts, or --lang where that was guessed wrong."
_NAMED = "Give a table of the language of the texts, or leave --lang out where it is not theirs."
WHAT_IT_IS = (
    "A table is a file of pairs, a line each of phrase<TAB>phrase<TAB>probability, or the folder that python -m "
    "training.paraphrases --lang LANG --out FOLDER makes."
)
"""For whoever gave something else."""
# A table of 26 Bulgarian words is 1.9 ahead of Russian, one of as many German words 3.5 of English; one of names of
# Italian dishes 1.7, one of English and German 1.6.
_LEAST_WORDS, _MARGIN = 20, 1.8


def bundled_paraphrases(language: str) -> Paraphrases | None:
    """The table that the package carries for `language`, or none."""
    return bundled(language) if language in BUNDLED else None


def open_paraphrases(path: str | Path) -> Paraphrases:
    """A table of the user's own: what `training.paraphrases` made, or a file of pairs, a line each.

    Raises `BadInput`, and of the first kind `BadModel` for a broken one and `ModelNotFound` for a folder without any.
    """
    place = Path(path).expanduser()
    if place.is_dir() and not (place / TABLE).exists():
        raise ModelNotFound(f"{str(path)!r} is a folder without a table of paraphrases ({TABLE}).", hint=WHAT_IT_IS)
    place = place / TABLE if place.is_dir() else place
    if place.suffix == Path(TABLE).suffix:
        return ParaphraseTable.open(place)
    return PairTable.read(place)


def require_language(table: Paraphrases, language: str, *, guessed: bool = True) -> Paraphrases:
    """The table, if it may be of `language`; pairs that do not say what they are of are looked at.

    Raises `BadInput` for one that surely is not; its hint knows whether the language was `guessed`.
    """
    hint = _GUESSED if guessed else _NAMED
    own = getattr(table, "language", "")
    if own and own != language:
        raise BadInput(f"The paraphrases are of language {own!r}, the texts of {language!r}.", hint=hint)
    if isinstance(table, PairTable) and not own and (why := _misfit(table, language)):
        raise BadInput(f"The table of paraphrases is not of the language of the texts, {language!r}: {why}.", hint=hint)
    return table


# Every row asks again where a table is refused.
@lru_cache(maxsize=8)
def _misfit(table: PairTable, language: str) -> str:
    words = {word for phrase in table.phrases for word in phrase if any(map(str.isalpha, word))}
    if language not in SCRIPTS or not words:
        return ""
    # Of a table of several languages those of another script say nothing.
    own = {word for word in words if SCRIPTS[language].search(word)}
    return foreign(" ".join(own or words), language, margin=_MARGIN) if not own or len(own) >= _LEAST_WORDS else ""
