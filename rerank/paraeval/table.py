"""A table of paraphrases in one file, which is mapped into memory and not read: opening one costs its checksum.

The file, all numbers little-endian: a head (`HEAD`: magic, format, longest phrase, language, counts of slots, phrases,
paraphrases and bytes of text, and of all that follows the first 16 bytes of its SHA-256), then

- `slots` of 32 bits: a hash table of the phrases, by CRC-32 with the next free slot taken: a phrase's number
  and 1, or 0;
- for every phrase and the end, 32 bits: where its text begins; then, where its paraphrases begin;
- for every paraphrase 32 bits, the number of that phrase; then 16 bits, its probability in steps of 1/65535;
- the texts, UTF-8, in the order of their bytes: words with a space between.

`training.paraphrases` writes it.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
import sys
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rerank.errors import BadInput, BadModel, ModelNotFound, UnknownName, install_again
from rerank.foreign import SCRIPTS, foreign
from rerank.paraeval.pairs import PairTable
from rerank.paraeval.words import Paraphrases

__all__ = [
    "BUNDLED",
    "FORMAT",
    "HEAD",
    "MAGIC",
    "STEPS",
    "TABLE",
    "WHAT_IT_IS",
    "Head",
    "ParaphraseTable",
    "bundled",
    "bundled_paraphrases",
    "digest",
    "open_paraphrases",
    "require_language",
]

MAGIC, FORMAT = b"paraphr\n", 1
"""What the file begins with, and the number of its format; raised where older releases could not read it."""
HEAD = struct.Struct("<8sHH4sIIII16s")
STEPS = 65535
"""A probability is stored as so many of these."""
TABLE = "table.bin"
BUNDLED = ("en", "ru")
"""Languages that the package has a table of."""
_MODELS = Path(__file__).resolve().parents[1] / "models"
_HINT = "Make it with python -m training.paraphrases."

Phrase = tuple[str, ...]


class Head(NamedTuple):
    """The first bytes of a table."""

    magic: bytes
    format: int
    longest: int
    language: bytes
    slots: int
    phrases: int
    paraphrases: int
    text: int
    digest: bytes

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return HEAD.size + 4 * self.slots + 8 * (self.phrases + 1) + 6 * self.paraphrases + self.text


def digest(body: bytes | memoryview) -> bytes:
    """What the head says of all that follows it."""
    return hashlib.sha256(body).digest()[:16]


class ParaphraseTable:
    """Paraphrases of the phrases of one language, with p(paraphrase | phrase) of Bannard and Callison-Burch (2005).

    Open one with `ParaphraseTable.open` or `bundled`. The file stays open as long as the table is in use.
    """

    def __init__(self, data: memoryview, head: Head) -> None:
        at = HEAD.size
        parts = []
        for count in (head.slots, head.phrases + 1, head.phrases + 1, head.paraphrases):
            parts.append(data[at : at + 4 * count].cast("I"))
            at += 4 * count
        self._slots, self._texts, self._starts, self._numbers = parts
        self._shares = data[at : at + 2 * head.paraphrases].cast("H")
        self._text = data[at + 2 * head.paraphrases :]
        self._head = head
        self.language = head.language.rstrip(b"\0").decode("ascii")

    @classmethod
    def open(cls, path: Path, *, language: str | None = None, hint: str = _HINT) -> ParaphraseTable:
        """The table in the file `path`; with `language`, only if it is of that one.

        Raises `ModelNotFound` where there is no such file, `BadModel` for one that is something else, of another format
        or damaged, and `BadInput` for a table of another language.
        """
        data = _mapped(path, hint)
        table = cls(data, _checked(data, path, hint))
        if language not in (None, table.language):
            raise BadInput(
                f"{path}: its paraphrases are of language {table.language!r}, the texts of {language!r}.",
                hint="Give a table of the language of the texts.",
            )
        return table

    def __len__(self) -> int:
        """How many phrases have paraphrases."""
        return self._head.phrases

    @property
    def pairs(self) -> int:
        """How many paraphrases there are of all phrases together."""
        return self._head.paraphrases

    @property
    def longest(self) -> int:
        """Words of the longest phrase; 0 for a table without any."""
        return self._head.longest

    def of(self, phrase: Phrase) -> Mapping[Phrase, float]:
        """The paraphrases of `phrase`, lower-cased words with ё as е, with probabilities in (0, 1]; {} for none."""
        number = self._number(" ".join(phrase).encode("utf-8"))
        if number is None:
            return {}
        places = range(self._starts[number], self._starts[number + 1])
        return {self.phrase(self._numbers[place]): self._shares[place] / STEPS for place in places}

    def phrase(self, number: int) -> Phrase:
        """The phrase with a number from 0, in the order of their bytes."""
        return tuple(self._bytes(number).decode("utf-8").split(" "))

    def signature(self) -> str:
        """Language, format and checksum: equal signatures mean equal paraphrases."""
        return f"paraphrases-{self.language}|format:{FORMAT}|{self._head.digest.hex()[:12]}"

    def _number(self, text: bytes) -> int | None:
        mask = self._head.slots - 1
        slot = zlib.crc32(text) & mask
        # At least half of the slots are free, so this comes to an end.
        while found := self._slots[slot]:
            if self._bytes(found - 1) == text:
                return int(found - 1)
            slot = (slot + 1) & mask
        return None

    def _bytes(self, number: int) -> bytes:
        return bytes(self._text[self._texts[number] : self._texts[number + 1]])


def bundled(language: str) -> ParaphraseTable:
    """The table that the package has for `language`.

    Raises `UnknownName` for a language that is not in `BUNDLED`, and what `ParaphraseTable.open` raises.
    """
    if language not in BUNDLED:
        raise UnknownName(
            f"No table of paraphrases is bundled for the language {language!r}.",
            hint=f"Bundled: {', '.join(BUNDLED)}. Others are made with python -m training.paraphrases.",
        )
    path = _MODELS / f"paraphrases-{language}" / TABLE
    return ParaphraseTable.open(path, language=language, hint=install_again("rerank"))


def _mapped(path: Path, hint: str) -> memoryview:
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        raise ModelNotFound(f"{path}: there is no such table of paraphrases.", hint=hint) from None
    except ValueError:
        raise BadModel(f"{path}: the file is empty.", hint=hint) from None
    except OSError as error:
        raise ModelNotFound(f"{path}: it cannot be read: {error.strerror or error}.", hint=hint) from None


def _checked(data: memoryview, path: Path, hint: str) -> Head:
    if sys.byteorder != "little":
        raise BadModel(f"{path}: tables are read on little-endian machines alone.")
    if len(data) < HEAD.size or data[: len(MAGIC)] != MAGIC:
        raise BadModel(f"{path}: it is no table of paraphrases.", hint=hint)
    head = Head(*HEAD.unpack(data[: HEAD.size]))
    if head.format != FORMAT:
        raise BadModel(f"{path}: it is of format {head.format}, and this release reads {FORMAT}.", hint=hint)
    if len(data) != head.size:
        raise BadModel(f"{path}: it has {len(data):,} bytes and should have {head.size:,}.", hint=hint)
    if digest(data[HEAD.size :]) != head.digest:
        raise BadModel(f"{path}: its checksum is another one, so it is damaged.", hint=hint)
    return head


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
