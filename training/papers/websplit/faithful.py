"""Choosing among the texts that a beam search gives for a set of triples: which keeps most of the entities' words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

__all__ = ["most_faithful", "unfaithful"]

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-Z]\w*|\b\d\w*")


def _plain(text: str) -> str:
    """The text without accents; capitals stay."""
    spread = unicodedata.normalize("NFKD", text)
    return "".join(character for character in spread if not unicodedata.combining(character))


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text).lower())


def unfaithful(line: str, text: str) -> int:
    """Faults of `text` by the entities in a line of triples (`linearise`), counted in words.

    Words of entities that are not in it, and its words with capitals and numbers that no entity has, or not so often.
    """
    entities = [part for triple in line.split(" || ") for part in triple.split(" | ")[::2]]
    there, asked = set(_words(text)), Counter(_words(" ".join(entities)))
    missing = sum(word not in there for word in asked)
    names: Counter[str] = Counter()
    plain = _plain(text)
    for match in _NAME.finditer(plain):
        word = match.group().lower()
        # The first word of a sentence has a capital whatever it is.
        if word in asked or plain[: match.start()].rstrip()[-1:] not in ("", "."):
            names[word] += 1
    return missing + sum(max(0, count - asked[word]) for word, count in names.items())


def most_faithful(inputs: Sequence[str], texts: Sequence[str]) -> str:
    """The first of `texts` with the fewest faults; the triples are the last of `inputs`."""
    return min(texts, key=lambda text: unfaithful(inputs[-1], text))
