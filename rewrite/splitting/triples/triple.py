"""RDF triples: their text in WebNLG, the names of their entities, and the order in which a tree of them is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rerank.errors import BadInput

__all__ = ["Triple", "depth_first", "entity_name", "parse_triple", "property_name", "skeleton"]

_TYPE = re.compile(r"(?<=\")(?:@\w+|\^\^\S+)$")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, order=True)
class Triple:
    """`subject | property | object`, each as WebNLG writes it: a URI's name with underscores, or a literal."""

    subject: str
    property: str
    object: str

    def __str__(self) -> str:
        return f"{self.subject} | {self.property} | {self.object}"

    def pair(self) -> tuple[str, str]:
        """Subject and property: what a leak-free split keeps apart."""
        return self.subject, self.property


def parse_triple(text: str) -> Triple:
    """The triple that WebNLG writes as `subject | property | object`. Raises `BadInput` for anything else."""
    parts = [" ".join(part.split()) for part in text.split(" | ")]
    if len(parts) != 3 or not all(parts):
        raise BadInput(f"{text[:80]!r} is no triple.", hint="Write: subject | property | object")
    return Triple(*parts)


def entity_name(entity: str) -> str:
    """A subject or object as words: underscores are spaces, quotes and the types of literals are gone."""
    return " ".join(_TYPE.sub("", entity).replace("_", " ").replace('"', "").split())


def property_name(name: str) -> str:
    """A property as words: `leaderName` and `leader_name` are both `leader name`."""
    return " ".join(_HUMP.sub(" ", name.replace("_", " ")).split()).lower()


def depth_first(triples: Iterable[Triple]) -> tuple[Triple, ...]:
    """The triples in the order of a depth-first traversal, branches from left to right (section 3.2, "Ordering").

    Branches of a node are in the order given. Roots, in the same order, are the subjects that are no triple's object;
    what no root leads to, a cycle, is entered at its first triple.
    """
    given = list(dict.fromkeys(triples))
    objects = {triple.object for triple in given if triple.object != triple.subject}
    roots = [triple.subject for triple in given if triple.subject not in objects]
    found: dict[Triple, None] = {}
    for node in (*roots, *(triple.subject for triple in given)):
        _descend(node, given, found)
    return tuple(found)


def _descend(node: str, given: Sequence[Triple], found: dict[Triple, None]) -> None:
    for triple in given:
        if triple.subject == node and triple not in found:
            found[triple] = None
            _descend(triple.object, given, found)


def skeleton(triples: Sequence[Triple]) -> str:
    """The shape of the triples, given depth-first: their nodes numbered as they appear, `0-1 1-2 0-3`."""
    numbers: dict[str, int] = {}
    edges = []
    for triple in triples:
        subject = numbers.setdefault(triple.subject, len(numbers))
        edges.append(f"{subject}-{numbers.setdefault(triple.object, len(numbers))}")
    return " ".join(edges)
