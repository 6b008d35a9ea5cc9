"""Which phrase was matched with which, and by which tier: ParaEval's reasons as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rerank.errors import counted
from rerank.paraeval.match import WORD, Match
from rerank.paraeval.score import Scored
from rerank.paraeval.words import Text

__all__ = ["explained"]


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
            yield _words(found.reference, same)
            same = []
        if part.tier == WORD:
            same.append(start)
        else:
            said, heard = found.reference.said(start, stop), found.peer.said(peer_start, peer_stop)
            yield f"{part.tier:8} {said} ~ {heard} ({probability:.2g})"
    if same:
        yield _words(found.reference, same)


def _words(reference: Text, same: list[int]) -> str:
    return f"{WORD:8} {reference.said(same[0], same[-1] + 1)}"


def _left(text: Text, taken: Iterable[int]) -> Iterator[str]:
    """What stands between the words that were taken."""
    start = 0
    for i in [*sorted(taken), len(text.words)]:
        if start < i:
            yield text.said(start, i)
        start = i + 1
