"""Pairs of a complex sentence and its simple ones, and English sentences to learn from without labels."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NamedTuple

from pydantic import Field

from rerank.english.detokenising import detokenised
from rewrite.datasets import load_lines, text_lines
from rewrite.declaration import Count
from rewrite.errors import BadInput
from training.masked.corpora import SETS as PARAGRAPHS
from training.masked.corpora import HeldBack, held_back_texts, set_paragraphs
from training.records import drawn

Pairs = Annotated[dict[str, Count], Field(min_length=1)]
"""Sets of split sentences, and how many pairs of each."""
Paragraphs = Annotated[dict[str, Count], Field(default_factory=dict)]
"""Sets of running text, and how many sentences of each."""


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
    for number, line in enumerate(text_lines(path), 1):
        if first <= number <= last:
            complex_, tab, simple = line.partition("\t")
            if not tab:
                raise BadInput(f"{path}, line {number}: no tab.", hint="A line is COMPLEX<TAB>SIMPLE <::::> SIMPLE.")
            yield number, complex_, tuple(part.strip() for part in simple.split("<::::>"))


def _aligned(
    sources: Path, targets: Path, parts: Callable[[str], tuple[str, ...]]
) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for number, row in enumerate(load_lines(sources, [targets]), 1):
        yield number, row.source, parts(row.references[0])


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


def require_sets(pairs: Iterable[str], paragraphs: Iterable[str]) -> None:
    """Raises `ValueError` for a set of split sentences, or of running text, that there is none of."""
    for names, known in ((pairs, tuple(SETS)), (paragraphs, tuple(PARAGRAPHS))):
        unknown = sorted(set(names) - set(known))
        if unknown:
            raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(known)}")


def measuring_texts(data: Path, files: Iterable[Path], more: Iterable[str] = ()) -> HeldBack:
    """What must not be learnt: the rows of WikiSplit that measure splitters or choose them, texts of files, and `more`.

    Raises `BadInput` for a set or a file that is not there.
    """
    chosen_by = (text for pair in read_set("wikisplit-dev", data) for text in pair.texts)
    return HeldBack(chain(measured(data), chosen_by, chain.from_iterable(map(held_back_texts, files)), more))


class DrawnText(NamedTuple):
    """A sentence, which pair or paragraph it is of (`set:line`), and whether it is the complex side of one."""

    text: str
    origin: str
    is_complex: bool


def texts(
    pairs: Mapping[str, int], paragraphs: Mapping[str, int], data: Path, held_back: HeldBack, seed: int
) -> Iterator[DrawnText]:
    """The sentences of so many pairs of each set, and so many sentences of each set of paragraphs, drawn by the seed.

    Nothing is read that has eight words in a row with what is `held_back`. Half of the pairs are put together as
    ordinary text, and half of the running text is taken apart as in corpora, so that spaces say nothing.
    """
    for name, count in pairs.items():
        kept_pairs = [pair for pair in read_set(name, data) if not any(text in held_back for text in pair.texts)]
        for pair in drawn(kept_pairs, count, seed):
            plain = is_drawn(pair.origin, seed)
            for text in dict.fromkeys(pair.texts):
                yield DrawnText(detokenised(text) if plain else text, pair.origin, text == pair.complex)
    for name, count in paragraphs.items():
        sentences = (text for paragraph in set_paragraphs(name, data, 1.0, seed) for text in paragraph)
        kept = [text for text in dict.fromkeys(sentences) if text not in held_back]
        for number, text in enumerate(drawn(kept, count, seed)):
            origin = f"{name}:{number}"
            yield DrawnText(_tokenised(text) if is_drawn(origin, seed) else text, origin, False)


def _tokenised(text: str) -> str:
    """The words and marks of a text with a space between any two, near enough to what corpora have."""
    apart = re.sub(r"(?<=[\w)\"'])([,;:?!.])(?=\s|$|[\"')])", r" \1", text)
    apart = re.sub(r"([()\"])", r" \1 ", apart)
    return " ".join(re.sub(r"(?<=\w)('s|n't)\b", r" \1", apart).split())
