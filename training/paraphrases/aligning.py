"""Word alignments in both directions by eflomal, joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rewrite.errors import MissingExtra

Link = tuple[int, int]
"""The number of a word of one sentence and that of a word of the other, from 0."""
_AROUND = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
Links = frozenset[Link]
Bitext = Sequence[tuple[Sequence[str], Sequence[str]]]
_INSTALL = "Install it: pip install 'rewrite-rerank[align]'"


def grow_diag_final_and(forward: Iterable[Link], backward: Iterable[Link]) -> frozenset[Link]:
    """The links of both, grown by neighbours from either, and by links of which both words are free yet.

    Koehn, Och and Marcu (2003) in the form of Moses: beginning with the intersection, links of the union are added that
    stand beside one in the alignment, diagonally too, and have a word that is free; at the end those of `forward` and
    then of `backward` both words of which are free.
    """
    ahead, back = frozenset(forward), frozenset(backward)
    links = _grown(ahead & back, ahead | back)
    for rest in (ahead, back):
        for i, j in sorted(rest):
            if all(i != a and j != b for a, b in links):
                links.add((i, j))
    return frozenset(links)


def _grown(links: frozenset[Link], union: frozenset[Link]) -> set[Link]:
    grown = set(links)
    sources, targets = {i for i, _ in grown}, {j for _, j in grown}
    queue = sorted(grown)
    # Every new link is looked around itself, so nothing is left that could be added.
    for i, j in queue:
        for near in ((i + di, j + dj) for di, dj in _AROUND):
            if near in union and near not in grown and (near[0] not in sources or near[1] not in targets):
                grown.add(near)
                sources.add(near[0])
                targets.add(near[1])
                queue.append(near)
    return grown


def align(bitext: Bitext) -> list[Links]:
    """Links between the words of each pair of sentences, by grow-diag-final-and of eflomal's of both directions.

    The words are as the aligner is to see them: stems, say, without spaces in them. It draws samples without a seed, so
    it does not give quite the same links twice. Raises `MissingExtra` where it is not installed.
    """
    if not bitext:
        return []
    try:
        from eflomal import Aligner
    except ImportError as error:
        raise MissingExtra(f"The aligner is not installed ({error}).", hint=_INSTALL) from None
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("forward", "backward")]
        Aligner().align(
            [" ".join(source) for source, _ in bitext],
            [" ".join(target) for _, target in bitext],
            links_filename_fwd=str(paths[0]),
            links_filename_rev=str(paths[1]),
        )
        forward, backward = (_parsed(path.read_text(encoding="ascii").split("\n")) for path in paths)
    pairs = zip(forward[: len(bitext)], backward[: len(bitext)], strict=True)
    return [grow_diag_final_and(*both) for both in pairs]


def _parsed(lines: Sequence[str]) -> list[Links]:
    return [frozenset(_link(link) for link in line.split()) for line in lines]


def _link(text: str) -> Link:
    i, j = text.split("-")
    return int(i), int(j)
