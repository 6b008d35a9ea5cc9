"""English sentences to learn from without labels: those of split pairs, and of running text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from training.held_back import HeldBack
from training.masked.corpora import SETS as PARAGRAPHS
from training.masked.corpora import set_paragraphs
from training.masked.detokenise import detokenised
from training.splitting.pairs import SETS, Pair, is_drawn, read_set

__all__ = ["Pairs", "Paragraphs", "require_sets", "texts"]

_Item = TypeVar("_Item")
_Count = Annotated[int, Field(ge=1)]
Pairs = Annotated[
    dict[str, _Count], Field(min_length=1, description="Sets of split sentences, and how many pairs of each.")
]
Paragraphs = Annotated[
    dict[str, _Count],
    Field(default_factory=dict, description="Sets of running text, and how many sentences of each."),
]


def require_sets(pairs: Iterable[str], paragraphs: Iterable[str]) -> None:
    """Raises `ValueError` for a set that there is none of, or that measures."""
    for names, known in ((pairs, set(SETS) - {"wikisplit-dev"}), (paragraphs, set(PARAGRAPHS))):
        unknown = sorted(set(names) - known)
        if unknown:
            raise ValueError(f"no set is named {', '.join(unknown)}; known: {', '.join(sorted(known))}")


def texts(
    pairs: Mapping[str, int], paragraphs: Mapping[str, int], data: Path, held_back: HeldBack, seed: int
) -> Iterator[tuple[str, str, bool]]:
    """The sentences of so many pairs of each set, and so many sentences of each set of paragraphs, drawn by the seed.

    Each with the pair that it is of (`set:line`; of running text its number among those drawn), and whether it is the
    complex side of a pair. Nothing is read that has eight words in a row with what is `held_back`. Half of the pairs
    are put together as ordinary text, and half of the running text is taken apart as in corpora, so that spaces say
    nothing.
    """
    for name, count in pairs.items():
        for pair in _drawn([p for p in read_set(name, data) if not _is_held(p, held_back)], count, seed):
            plain = is_drawn(pair.origin, seed)
            for text in dict.fromkeys(pair.texts):
                yield (detokenised(text) if plain else text), pair.origin, text == pair.complex
    for name, count in paragraphs.items():
        found = (text for paragraph in set_paragraphs(name, data, 1.0, seed) for text in paragraph)
        kept = [text for text in dict.fromkeys(found) if text not in held_back]
        for number, text in enumerate(_drawn(kept, count, seed)):
            origin = f"{name}:{number}"
            yield (_tokenised(text) if is_drawn(origin, seed) else text), origin, False


def _tokenised(text: str) -> str:
    """The words and marks of a text with a space between any two, near enough to what corpora have."""
    apart = re.sub(r"(?<=[\w)\"'])([,;:?!.])(?=\s|$|[\"')])", r" \1", text)
    apart = re.sub(r"([()\"])", r" \1 ", apart)
    return " ".join(re.sub(r"(?<=\w)('s|n't)\b", r" \1", apart).split())


def _is_held(pair: Pair, held_back: HeldBack) -> bool:
    return any(text in held_back for text in pair.texts)


def _drawn(items: Sequence[_Item], count: int, seed: int) -> list[_Item]:
    """So many of some items, in their order."""
    if count >= len(items):
        return list(items)
    return [items[n] for n in sorted(random.Random(seed).sample(range(len(items)), count))]
