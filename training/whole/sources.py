"""Parsed sentences that a judge of whole sentences learns from: those of split pairs, and of running text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rewrite.splitting.parsing import Parser
from rewrite.splitting.words import Word, Words
from training.held_back import HeldBack
from training.splitting.plain import texts
from training.whole.spans import clauses

__all__ = ["Source", "is_whole", "read_sources", "sources", "write_sources"]

_AT_ONCE = 500
_SHORTEST, _LONGEST = 4, 45
_PARSED = 60
_DEPENDENT = frozenset({"acl", "acl:relcl", "advcl", "ccomp", "xcomp", "csubj", "appos"})
_STOPS = frozenset({".", "..", "!"})
_NEVER_FIRST = frozenset("which whom whose".split())


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed sentence, which pair or paragraph it is of (`set:line`), and whether it is the complex side of one."""

    words: Words
    origin: str
    is_complex: bool

    @property
    def is_good(self) -> bool:
        """Whether it is shown as a whole sentence. Complex ones of MinWiki lack the marks between their clauses."""
        return is_whole(self.words) and not (self.is_complex and self.origin.startswith("minwiki:"))


def sources(
    pairs: dict[str, int], paragraphs: dict[str, int], data: Path, held_back: HeldBack, seed: int
) -> Iterator[Source]:
    """What `training.splitting.plain.texts` draws, parsed."""
    parser = Parser()
    found = texts(pairs, paragraphs, data, held_back, seed)
    while batch := list(islice(found, _AT_ONCE)):
        parsed = parser.parse([text for text, _, _ in batch])
        for words, (_, origin, is_complex) in zip(parsed, batch, strict=True):
            if _SHORTEST <= len(words) <= _PARSED:
                yield Source(words, origin, is_complex)


def is_whole(words: Words) -> bool:
    """Whether a sentence begins and ends as one, and its parse has a finite verb with a subject in a main clause."""
    if not (_SHORTEST <= len(words) <= _LONGEST) or words[len(words) - 1].text not in _STOPS:
        return False
    first, before = words[0].text, words[len(words) - 2]
    if not (first[:1].isupper() or first[:1].isdigit()) or first.lower() in _NEVER_FIRST or before.text in _STOPS:
        return False
    return any(words[n].rel not in _DEPENDENT for n in clauses(words, range(len(words))))


def write_sources(found: Iterable[Source], path: Path) -> int:
    """Write sources as JSON lines; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for one in found:
            rows = [(w.text, w.start, w.stop, w.pos, w.rel, w.head, w.lemma, w.feats) for w in one.words.words]
            row = {"origin": one.origin, "complex": one.is_complex, "text": one.words.text, "words": rows}
            print(json.dumps(row, ensure_ascii=False), file=file)
            count += 1
    return count


def read_sources(path: Path) -> Iterator[Source]:
    """The sources of a file that `write_sources` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            words = tuple(
                Word(text, start, stop, pos, rel, head, lemma, tuple((k, v) for k, v in feats))
                for text, start, stop, pos, rel, head, lemma, feats in row["words"]
            )
            yield Source(Words(row["text"], words), row["origin"], row["complex"])
