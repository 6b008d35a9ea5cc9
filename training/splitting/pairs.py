"""Pairs of a complex sentence and its simple ones, from the sets that hold such pairs."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rewrite.errors import BadInput

__all__ = ["SETS", "Pair", "is_drawn", "measured", "read_set"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A complex sentence, its simple sentences (one where it was not split), and where it comes from (`set:line`)."""

    complex: str
    simple: tuple[str, ...]
    origin: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The complex sentence, then the simple ones."""
        return (self.complex, *self.simple)


def is_drawn(origin: str, seed: int) -> bool:
    """Whether a text is of the half of all that a coin chooses, the same for the same seed and origin."""
    return zlib.crc32(f"{seed} {origin}".encode()) % 2 == 1


def _wikisplit(path: Path, first: int, last: int) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for number, line in enumerate(_lines(path), 1):
        if first <= number <= last:
            complex_, tab, simple = line.partition("\t")
            if not tab:
                raise BadInput(f"{path}, line {number}: no tab.", hint="A line is COMPLEX<TAB>SIMPLE <::::> SIMPLE.")
            yield number, complex_, tuple(part.strip() for part in simple.split("<::::>"))


def _aligned(
    sources: Path, targets: Path, parts: Callable[[str], tuple[str, ...]]
) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    complex_, simple = _lines(sources), _lines(targets)
    if len(complex_) != len(simple):
        raise BadInput(f"{sources} has {len(complex_)} lines, {targets} {len(simple)}.", hint="They go line by line.")
    for number, (one, other) in enumerate(zip(complex_, simple, strict=True), 1):
        yield number, one, parts(other)


def _by_marks(text: str) -> tuple[str, ...]:
    """Sentences that end in a mark before a space and a capital; MinWiki sets the mark apart and doubles the last."""
    text = re.sub(r"\s*\.\.$", " .", text.strip())
    return tuple(
        part.strip()
        for part in re.split(r"(?<= [.?!])\s+(?=\S)|(?<=[a-z)0-9'\"][.?!])\s+(?=[A-Z'\"])", text)
        if part.strip()
    )


def _by_sep(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("<SEP>"))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, UnicodeError) as error:
        raise BadInput(f"{path}: cannot be read: {error}.", hint="Give the data folder with --data.") from error


SETS: Mapping[str, Callable[[Path], Iterator[tuple[int, str, tuple[str, ...]]]]] = MappingProxyType(
    {
        "wikisplit-tune": lambda data: _wikisplit(data / "wikisplit/tune.tsv", 1, 5000),
        "wikisplit-validation": lambda data: _wikisplit(data / "wikisplit/validation.tsv", 1, 3500),
        "wikisplit-dev": lambda data: _wikisplit(data / "wikisplit/validation.tsv", 3501, 4000),
        "minwiki": lambda data: _aligned(
            data / "desse_minwiki/MinWiki/matchvp_train.complex",
            data / "desse_minwiki/MinWiki/matchvp_train.simple",
            _by_marks,
        ),
        "desse": lambda data: _aligned(
            data / "desse_minwiki/ACL2021/train.complex", data / "desse_minwiki/ACL2021/train.simple", _by_marks
        ),
        "bisect": lambda data: _aligned(data / "bisect/valid.src", data / "bisect/valid.dst", _by_sep),
    }
)
"""What a recipe may name. Rows 4,001 to 5,000 of WikiSplit's validation part are measured on and not read here."""


def read_set(name: str, data: Path) -> Iterator[Pair]:
    """The pairs of a set of `SETS` below the data folder. Raises `BadInput` for an unknown name or a broken file."""
    if name not in SETS:
        raise BadInput(f"No set of split sentences is named {name!r}.", hint=f"There are: {', '.join(SETS)}.")
    for number, complex_, simple in SETS[name](data):
        if complex_.strip() and all(simple):
            yield Pair(complex_.strip(), simple, f"{name}:{number}")


def measured(data: Path) -> Iterator[str]:
    """The sentences of WikiSplit's rows that models are measured on, complex and simple."""
    for _, complex_, simple in _wikisplit(data / "wikisplit/validation.tsv", 4001, 5000):
        yield from (complex_, *simple)
