"""What was learnt of triples: partitions by the shape of their tree, and templates, texts with slots.

A skeleton is what is left of the triples M_C of a complex sentence without names and properties: which triple hangs on
which node. A pattern says of the triples, in depth-first order, which block each belongs to. P(M_1 … M_n | M_C) is how
often the pattern occurs with the skeleton among distinct pairs ⟨M_C, (M_1 … M_n)⟩ of training (*Split and Rephrase*,
section 5.4).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from rerank.errors import BadInput, ModelNotFound
from rewrite.splitting.triples.triple import Triple, skeleton

Pattern = tuple[int, ...]
"""For each triple the number of its block, blocks numbered by their first triples: (0, 1, 0)."""
Partition = tuple[tuple[Triple, ...], ...]
"""The blocks in the order of their texts."""
BUNDLED = Path(__file__).resolve().parent / "templates.json.gz"
_FORMAT = 1
_SMOOTHING = 0.5
_SURE = 0.85


@dataclass(frozen=True)
class Partitioner:
    """Counts of patterns for each skeleton."""

    counts: Mapping[str, Counter[Pattern]]

    @property
    def skeletons(self) -> int:
        """How many skeletons training has."""
        return len(self.counts)

    @property
    def patterns(self) -> int:
        """How many pairs of a skeleton and a pattern it has."""
        return sum(map(len, self.counts.values()))

    def candidates(self, triples: Sequence[Triple]) -> list[tuple[Partition, float]]:
        """Partitions of the triples with their probabilities, most probable first, ties by the pattern.

        The partition into one is not among them: a split has two parts at least. Of a shape that training lacks, and
        of one triple, the parts are single triples.
        """
        patterns = {pattern: n for pattern, n in self.counts.get(skeleton(triples), Counter()).items() if any(pattern)}
        if not patterns:
            return [(tuple((triple,) for triple in triples), 1.0)]
        total = sum(patterns.values())
        ranked = sorted(patterns.items(), key=lambda item: (-item[1], item[0]))
        return [(_blocks(triples, pattern), count / total) for pattern, count in ranked]

    def split(self, triples: Sequence[Triple]) -> Partition:
        """The most probable partition, blocks in the order of their texts."""
        return self.candidates(triples)[0][0]

    def plain(self) -> dict[str, dict[str, int]]:
        """Skeleton → pattern → count, both as text: for JSON."""
        return {
            shape: {" ".join(map(str, pattern)): count for pattern, count in sorted(patterns.items())}
            for shape, patterns in sorted(self.counts.items())
        }

    @staticmethod
    def of_plain(table: Mapping[str, Mapping[str, int]]) -> Partitioner:
        """What `plain` has given. Raises `ValueError`."""
        return Partitioner(
            {
                shape: Counter({tuple(map(int, pattern.split())): int(count) for pattern, count in patterns.items()})
                for shape, patterns in table.items()
            }
        )


def _blocks(triples: Sequence[Triple], pattern: Pattern) -> Partition:
    blocks: dict[int, list[Triple]] = {}
    for triple, block in zip(triples, pattern, strict=True):
        blocks.setdefault(block, []).append(triple)
    return tuple(tuple(block) for _, block in sorted(blocks.items()))


@dataclass(frozen=True, slots=True)
class Template:
    """A text with slots, a sentence a line; `count` texts of training say it, `score` ≤ 0 is its log-frequency and how
    typical it is of its key, 0 for the best of them, in nats."""

    text: str
    count: int
    score: float


@dataclass(frozen=True)
class TemplateBook:
    """Templates by their key, best first; how to partition triples; how texts usually spell an entity; how often each
    property stands in each of WebNLG's categories.

    What is said of a country is not said of a dish: some keys have templates of a category beside those of all.
    """

    templates: Mapping[str, tuple[Template, ...]]
    partitioner: Partitioner
    names: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, triples: Sequence[Triple], category: str = "") -> tuple[Template, ...]:
        """The templates of a block of triples, given depth-first; none for a shape that was not learnt."""
        key = key_of(triples)
        return self.templates.get(f"{category}: {key}") or self.templates.get(key, ())

    def category(self, triples: Sequence[Triple]) -> str:
        """The likeliest category of triples by their properties, each by itself; empty where none is likely."""
        sums: dict[str, float] = {}
        for triple in triples:
            counts = self.categories.get(triple.property, {})
            total = sum(counts.values())
            for name in self._every:
                sums[name] = sums.get(name, 0.0) + math.log(
                    (counts.get(name, 0) + _SMOOTHING) / (total + _SMOOTHING * len(self._every))
                )
        best = max(sorted(sums), key=lambda name: sums[name], default="")
        share = 1 / sum(math.exp(value - sums[best]) for value in sums.values()) if best else 0.0
        return best if share >= _SURE else ""

    @cached_property
    def _every(self) -> frozenset[str]:
        return frozenset(name for counts in self.categories.values() for name in counts)

    def to_bytes(self) -> bytes:
        """Gzipped JSON; the same book gives the same bytes."""
        data = {
            "format": _FORMAT,
            "partitions": self.partitioner.plain(),
            "categories": {name: dict(sorted(counts.items())) for name, counts in sorted(self.categories.items())},
            "names": dict(sorted(self.names.items())),
            "templates": {
                key: [[template.text, template.count, round(template.score, 3)] for template in templates]
                for key, templates in sorted(self.templates.items())
            },
        }
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return gzip.compress(text.encode("utf-8"), 9, mtime=0)

    @staticmethod
    def of_bytes(data: bytes) -> TemplateBook:
        """What `to_bytes` has given. Raises `ValueError`, `KeyError`, `TypeError`, `OSError` for anything else."""
        table: Any = json.loads(gzip.decompress(data))
        if table["format"] != _FORMAT:
            raise ValueError(f"format {table['format']!r}, not {_FORMAT}")
        templates = {
            str(key): tuple(Template(str(text), int(count), float(score)) for text, count, score in rows)
            for key, rows in table["templates"].items()
        }
        return TemplateBook(
            templates, Partitioner.of_plain(table["partitions"]), dict(table["names"]), dict(table["categories"])
        )


def key_of(triples: Sequence[Triple]) -> str:
    """The delexicalised shape of triples, given depth-first: `club 0-1 | ground 1-2`."""
    edges = skeleton(triples).split()
    return " | ".join(f"{triple.property} {edge}" for triple, edge in zip(triples, edges, strict=True))


def unseen(triple: Triple) -> Template:
    """What is said with a property that no text of training has."""
    pieces = re.split(r"[\s_]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", triple.property)
    label = " ".join(piece if piece.isupper() and len(piece) > 1 else piece.lower() for piece in pieces)
    plural = re.search(r"[^s]s$", label) is not None
    return Template(f"{{0}}'s {label} {'are' if plural else 'is'} {{1}}.", 0, 0.0)


def load_templates(path: Path | None = None) -> TemplateBook:
    """The book in a file, the bundled one without. Raises `ModelNotFound` and, for a file of one's own, `BadInput`."""
    return _load(path or BUNDLED)[0]


def signature(path: Path | None = None) -> str:
    """A checksum of the file."""
    return _load(path or BUNDLED)[1]


@lru_cache(maxsize=4)
def _load(path: Path) -> tuple[TemplateBook, str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelNotFound(
            f"{path}: it cannot be read: {error.strerror or error}.",
            hint="It is part of the package, so install that again, or: python -m training.papers.websplit templates",
        ) from error
    try:
        return TemplateBook.of_bytes(data), hashlib.sha256(data).hexdigest()[:16]
    except (ValueError, KeyError, TypeError, OSError, EOFError, zlib.error) as error:
        raise BadInput(
            f"{path}: no templates: {error}.", hint="Make them again: python -m training.papers.websplit templates"
        ) from error
