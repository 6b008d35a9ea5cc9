"""ParaEval's figures: recall, precision and F of a text against what people wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from rerank.errors import BadInput, UnknownName, counted
from rerank.paraeval.match import WORD, Expanded, Match, expand, match
from rerank.paraeval.search import Link
from rerank.paraeval.words import Paraphrases, Text, create_keys, read

_Unit = tuple[str, ...]
_GAP = 4


def _words(keys: Sequence[str]) -> Iterator[_Unit]:
    return ((key,) for key in keys)


def _bigrams(keys: Sequence[str]) -> Iterator[_Unit]:
    return pairwise(keys)


def _skip_bigrams(keys: Sequence[str]) -> Iterator[_Unit]:
    """Pairs in order with at most four words between them, and the words themselves."""
    yield from _words(keys)
    for i, key in enumerate(keys):
        for other in keys[i + 1 : i + _GAP + 2]:
            yield key, other


UNITS: Mapping[str, Callable[[Sequence[str]], Iterator[_Unit]]] = MappingProxyType(
    {"words": _words, "bigrams": _bigrams, "skip-bigrams": _skip_bigrams}
)
"""What may be counted, by name: words, bigrams, or skip-bigrams with words, as ROUGE-1, ROUGE-2 and ROUGE-SU4 do."""


def _overlap(one: Counter[_Unit], other: Counter[_Unit]) -> float:
    """Share of the units of `one` that `other` has, each as often as it has it, in [0, 1]; 0 where `one` has none."""
    total = sum(one.values())
    return sum((one & other).values()) / total if total else 0.0


@dataclass(frozen=True)
class Settings:
    """What is counted and how.

    `unit` is one of `UNITS`; `identity`, what makes words the same in the last tier, one of
    `rerank.paraeval.words.IDENTITIES`. Raises `UnknownName` for another unit.
    """

    unit: str = "words"
    identity: str = "usual"

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise UnknownName(f"Unknown unit {self.unit!r}.", hint=f"Known: {', '.join(UNITS)}.")

    def __str__(self) -> str:
        return f"{self.unit},{self.identity}"


@dataclass(frozen=True, slots=True)
class Scored:
    """Recall, precision and F in [0, 1], and what was matched."""

    recall: float
    precision: float
    match: Match

    @property
    def f(self) -> float:
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


class ParaEval:
    """The metric for texts in one language, with one table of paraphrases.

    R = matched words of the reference / words of the reference, P likewise of the peer (section 5.1), F = 2PR/(P + R);
    all are 0 for a peer without words. With another unit than words R is the share of the reference's units that stand
    in the peer after each phrase and synonym that was matched is replaced by the words of the reference, each unit as
    often as it stands there; P is the same the other way round. For words that is the number above, and without
    paraphrases it is ROUGE-1, ROUGE-2 or ROUGE-SU4.

    Raises `UnknownName` for an identity that the language has not.
    """

    def __init__(self, table: Paraphrases, *, language: str, settings: Settings | None = None) -> None:
        self._table, self._language = table, language
        self._settings = settings or Settings()
        self._keys = create_keys(self._settings.identity, language)

    def prepare(self, reference: str) -> Expanded:
        """A reference with its paraphrases, for any number of peers. Raises `BadInput` for one without words."""
        text = read(reference, self._language)
        if not text.words:
            raise BadInput(f"The reference {reference[:80]!r} has no words.", hint="Leave it out.")
        return expand(text, self._table)

    def compare(self, reference: Expanded, peer: str) -> Scored:
        """The figures of one text against one reference."""
        found = match(reference, read(peer, self._language), self._keys)
        own, other = self._keys(found.reference.words), self._keys(found.peer.words)
        links = [part.link for part in found.parts]
        return Scored(
            recall=self._share(own, other, links),
            precision=self._share(other, own, [Link(c, d, a, b, p) for a, b, c, d, p in links]),
            match=found,
        )

    def best(self, references: Sequence[Expanded], peer: str) -> Scored:
        """The figures against that of several references of which the peer says most, the first of equals: what ROUGE
        does with several. Raises `BadInput` where there is none.
        """
        if not references:
            raise BadInput("There is no reference.", hint="ParaEval needs at least one.")
        return max((self.compare(reference, peer) for reference in references), key=lambda scored: scored.recall)

    def _share(self, own: Sequence[str], other: Sequence[str], links: Sequence[Link]) -> float:
        """Share of the units of `own` that stand in `other` after what is linked is said as in `own`."""
        said: list[str] = []
        at = 0
        for link in sorted(links, key=lambda link: link.peer_start):
            said += other[at : link.peer_start]
            said += own[link.start : link.stop]
            at = link.peer_stop
        units = UNITS[self._settings.unit]
        return _overlap(Counter(units(own)), Counter(units([*said, *other[at:]])))


def explained(scored: Scored) -> str:
    """Lines for people: the figures; each part that was matched, in reading order of the reference, with its tier and
    the probability of a paraphrase, the same words next to one another as one part; what was not matched.
    """
    found = scored.match
    own, other = found.reference, found.peer
    lines = [
        f"R {scored.recall:.3f}  P {scored.precision:.3f}  F {scored.f:.3f}: {found.words():,} of "
        f"{counted(len(own.words), 'word')} of the reference, {found.peer_words()} of {len(other.words)} of the text",
        *_parts(found),
    ]
    if not found.optimal:
        lines.append("There were too many phrases to try all choices of them: a better one may exist.")
    said = {i for part in found.parts for i in range(part.link.start, part.link.stop)}
    heard = {j for part in found.parts for j in range(part.link.peer_start, part.link.peer_stop)}
    for name, text, taken in (("not said", own, said), ("not in the reference", other, heard)):
        if left := " … ".join(_left(text, taken)):
            lines.append(f"{name}: {left}")
    return "\n".join(lines)


def _parts(found: Match) -> Iterator[str]:
    same: list[int] = []
    for part in found.parts:
        start, stop, peer_start, peer_stop, probability = part.link
        if same and (part.tier != WORD or start != same[-1] + 1):
            yield _phrase(found.reference, same)
            same = []
        if part.tier == WORD:
            same.append(start)
        else:
            said, heard = found.reference.said(start, stop), found.peer.said(peer_start, peer_stop)
            yield f"{part.tier:8} {said} ~ {heard} ({probability:.2g})"
    if same:
        yield _phrase(found.reference, same)


def _phrase(reference: Text, same: list[int]) -> str:
    return f"{WORD:8} {reference.said(same[0], same[-1] + 1)}"


def _left(text: Text, taken: Iterable[int]) -> Iterator[str]:
    """What stands between the words that were taken."""
    start = 0
    for i in [*sorted(taken), len(text.words)]:
        if start < i:
            yield text.said(start, i)
        start = i + 1
