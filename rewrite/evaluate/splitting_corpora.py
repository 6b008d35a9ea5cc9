"""Readers of split-and-rephrase corpora in the formats that their makers publish, and the sets by name.

WikiSplit (Botha et al., 2018), MinWiki and DeSSE (Gao et al., 2021), BiSECT (Kim et al., 2021) and WebSplit (Narayan et
al., 2017) as `training.papers.websplit` writes it, a form for any other set; of simplification ASSET (Alva-Manchego et
al., 2020) and TurkCorpus (Xu et al., 2016).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from rewrite.datasets import Example, load_lines, placed_lines
from rewrite.errors import BadInput
from rewrite.evaluate.sets import Known, json_examples

_Borders = Callable[[str], Sequence[str]]
"""The sentences of a gold rewrite, or nothing where their ends are not marked."""

_WIKISPLIT = "<::::>"


def _marked_by(mark: str) -> _Borders:
    """Sentences that a `mark` stands between."""
    return lambda text: [sentence.strip() for sentence in text.split(mark)]


def by_stops(text: str) -> list[str]:
    """Sentences of MinWiki, each up to a mark that stands alone; the second stop at the end of a line is no word."""
    return re.split(r"(?<=\s[.?!])\s+", re.sub(r"\s+\.\s*\.$", " .", text))


def _unmarked(text: str) -> list[str]:
    """For sets that do not mark where sentences end."""
    return []


def load_wikisplit(path: str | Path) -> list[Example]:
    """TSV rows `complex<TAB>sentence <::::> sentence`; `BadInput` names file and line."""
    examples = []
    for place, line in placed_lines(Path(path)):
        source, *targets = line.split("\t")
        if len(targets) != 1:
            raise BadInput(
                f"{place}: {len(targets)} tabs where complex<TAB>simple has one: {line[:60]!r}.",
                hint=f"Expected complex<TAB>simple {_WIKISPLIT} simple.",
            )
        examples.append(_example(source, targets, _marked_by(_WIKISPLIT), place))
    return examples


def _load_aligned(source: Path, *, ending: str, beside: str, borders: _Borders = _unmarked) -> list[Example]:
    """A file of sources that ends with `ending`, and those of gold rewrites, aligned with it line by line.

    These have the pattern `beside` in the place of `ending`; all that there are count, in the order of their numbers.
    `BadInput` where there is none, where numbers of lines differ, and for a line that is incomplete.
    """
    if not source.is_file() or not source.name.endswith(ending):
        raise BadInput(f"{source}: no file of sources, which ends with {ending}.", hint="Give it, or the data folder.")
    pattern = source.name.removesuffix(ending) + beside
    references = sorted(source.parent.glob(pattern), key=lambda file: (len(file.name), file.name))
    if not references:
        raise BadInput(f"{source}: there is no {pattern} beside it.", hint="Check --data.")
    rows = enumerate(load_lines(source, references), 1)
    return [_example(row.source, row.references, borders, f"{references[0]}, line {number}") for number, row in rows]


def _example(source: str, targets: Sequence[str], borders: _Borders, place: str) -> Example:
    sentences = [borders(target) for target in targets]
    # Not only stripped: MinWiki has runs of spaces, and the sum of two sentences must be one text.
    pairs = zip(sentences, targets, strict=True)
    texts = tuple(" ".join(" ".join(parts or [target]).split()) for parts, target in pairs)
    if not source.strip() or not all(texts) or not all(map(all, sentences)):
        raise BadInput(f"{place}: an empty sentence in the pair {source[:40]!r}, {targets[0][:40]!r}.")
    return Example(source.strip(), texts, sentences=len(sentences[0]))


load_websplit = partial(
    json_examples,
    source="complex",
    references="references",
    noun="reference",
    hint='Expected {"complex": "…", "references": ["…", …]}.',
)
"""WebSplit: an object a complex sentence, with all its rephrasings, each a text or the list of its sentences."""

_SIMPLE = partial(_load_aligned, ending=".complex", beside=".simple")
_BISECT = partial(_load_aligned, ending=".src", beside=".dst", borders=_marked_by("<SEP>"))
_ASSET = partial(_load_aligned, ending=".orig", beside=".simp.[0-9]*")
_TURK = partial(_load_aligned, ending=".norm", beside=".turk.[0-9]*")

SETS: dict[str, Known] = {
    "wikisplit": Known(load_wikisplit, "wikisplit", ("validation", "tune", "test"), ".tsv"),
    "websplit": Known(load_websplit, "websplit", ("test", "validation", "train"), ".jsonl"),
    "minwiki": Known(partial(_SIMPLE, borders=by_stops), "desse_minwiki/MinWiki", ("train", "test"), ".complex"),
    "desse": Known(_SIMPLE, "desse_minwiki/ACL2021", ("valid", "train", "test"), ".complex"),
    "bisect": Known(_BISECT, "bisect", ("valid", "test", "train"), ".src"),
    "asset": Known(_ASSET, "asset", ("valid", "test"), ".orig"),
    "turk": Known(_TURK, "turkcorpus", ("tune", "test"), ".8turkers.tok.norm"),
}
