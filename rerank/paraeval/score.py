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
from rerank.paraeval.table import PairTable
from rerank.paraeval.word_keys import Text, create_keys, read

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


def _overlap(units: Counter[_Unit], others: Counter[_Unit]) -> float:
    """Share of the `units` that stand in `others`, each as often as there, in [0, 1]; 0 where there are no `units`."""
    total = sum(units.values())
    return sum((units & others).values()) / total if total else 0.0


@dataclass(frozen=True)
class Settings:
    """What is counted and how.

    `unit` is one of `UNITS`; `identity`, what makes words the same in the last tier, one of
    `rerank.paraeval.word_keys.IDENTITIES`. Raises `UnknownName` for another unit.
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

    def __init__(self, table: PairTable, *, language: str, settings: Settings | None = None) -> None:
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
        matched = match(reference, read(peer, self._language), self._keys)
        reference_keys, peer_keys = self._keys(matched.reference.words), self._keys(matched.peer.words)
        links = [part.link for part in matched.parts]
        return Scored(
            recall=self._share(reference_keys, peer_keys, links),
            precision=self._share(peer_keys, reference_keys, [Link(c, d, a, b, p) for a, b, c, d, p in links]),
            match=matched,
        )

    def best(self, references: Sequence[Expanded], peer: str) -> Scored:
        """The figures against that of several references of which the peer says most, the first of equals: what ROUGE
        does with several. Raises `BadInput` where there is none.
        """
        if not references:
            raise BadInput("There is no reference.", hint="ParaEval needs at least one.")
        return max((self.compare(reference, peer) for reference in references), key=lambda scored: scored.recall)

    def _share(self, text: Sequence[str], peer: Sequence[str], links: Sequence[Link]) -> float:
        """Share of the units of `text` that stand in `peer` after what is linked is said as in `text`."""
        said: list[str] = []
        at = 0
        for link in sorted(links, key=lambda link: link.peer_start):
            said += peer[at : link.peer_start]
            said += text[link.start : link.stop]
            at = link.peer_stop
        units = UNITS[self._settings.unit]
        return _overlap(Counter(units(text)), Counter(units([*said, *peer[at:]])))


def explained(scored: Scored) -> str:
    """Lines for people: the figures; each part that was matched, in reading order of the reference, with its tier and
    the probability of a paraphrase, the same words next to one another as one part; what was not matched.
    """
    matched = scored.match
    reference, peer = matched.reference, matched.peer
    lines = [
        f"R {scored.recall:.3f}  P {scored.precision:.3f}  F {scored.f:.3f}: {matched.words():,} of "
        f"{counted(len(reference.words), 'word')} of the reference, {matched.peer_words()} of {len(peer.words)} of the "
        "text",
        *_parts(matched),
    ]
    if not matched.optimal:
        lines.append("There were too many phrases to try all choices of them: a better one may exist.")
    said = {i for part in matched.parts for i in range(part.link.start, part.link.stop)}
    heard = {j for part in matched.parts for j in range(part.link.peer_start, part.link.peer_stop)}
    for name, text, taken in (("not said", reference, said), ("not in the reference", peer, heard)):
        if left := " … ".join(_left(text, taken)):
            lines.append(f"{name}: {left}")
    return "\n".join(lines)


def _parts(matched: Match) -> Iterator[str]:
    unchanged: list[int] = []
    for part in matched.parts:
        start, stop, peer_start, peer_stop, probability = part.link
        if unchanged and (part.tier != WORD or start != unchanged[-1] + 1):
            yield _phrase(matched.reference, unchanged)
            unchanged = []
        if part.tier == WORD:
            unchanged.append(start)
        else:
            said, heard = matched.reference.said(start, stop), matched.peer.said(peer_start, peer_stop)
            yield f"{part.tier:8} {said} ~ {heard} ({probability:.2g})"
    if unchanged:
        yield _phrase(matched.reference, unchanged)


def _phrase(reference: Text, same: list[int]) -> str:
    return f"{WORD:8} {reference.said(same[0], same[-1] + 1)}"


def _left(text: Text, taken: Iterable[int]) -> Iterator[str]:
    """What stands between the words that were taken."""
    start = 0
    for i in [*sorted(taken), len(text.words)]:
        if start < i:
            yield text.said(start, i)
        start = i + 1
