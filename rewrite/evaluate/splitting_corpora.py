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
        examples.append(_example(source, targets[0], _marked_by(_WIKISPLIT), place))
    return examples


def _load_pair(source: Path, *, endings: tuple[str, str], borders: _Borders) -> list[Example]:
    """Two files aligned line by line; `BadInput` names the lines of a pair that is incomplete, or both counts."""
    ending, other = endings
    if not source.name.endswith(ending):
        raise BadInput(f"{str(source)!r} does not end with {ending}.", hint=f"Name the file that {other} belongs to.")
    target = source.with_name(source.name.removesuffix(ending) + other)
    return [
        _example(row.source, row.references[0], borders, f"{target}, line {number}")
        for number, row in enumerate(load_lines(source, [target]), 1)
    ]


def _example(source: str, target: str, borders: _Borders, place: str) -> Example:
    sentences = borders(target)
    # Not only stripped: MinWiki has runs of spaces, and the sum of two sentences must be one text.
    text = " ".join(" ".join(sentences or [target]).split())
    if not source.strip() or not text or not all(sentences):
        raise BadInput(f"{place}: an empty sentence in the pair {source[:40]!r}, {target[:40]!r}.")
    return Example(source.strip(), (text,), sentences=len(sentences))


def load_beside(source: Path, *, endings: tuple[str, str]) -> list[Example]:
    """ASSET and TurkCorpus: a file of sources, and beside it one for each simplifier, all aligned line by line.

    `endings` are that of the file of sources, and what stands in its place before the number of the others. `BadInput`
    where there is none, or the numbers of lines differ.
    """
    ending, other = endings
    if not source.is_file() or not source.name.endswith(ending):
        raise BadInput(f"{source}: no file of sources, which ends with {ending}.", hint="Give it, or the data folder.")
    stem = source.name.removesuffix(ending)
    beside = (file for file in source.parent.iterdir() if file.name.startswith(stem + other))
    references = sorted((file for file in beside if file.name.removeprefix(stem + other).isdecimal()), key=_numbers)
    if not references:
        raise BadInput(f"{source}: there is no {stem}{other}0 beside it, nor another number.", hint="Check --data.")
    return [
        Example(row.source.strip(), tuple(map(str.strip, row.references))) for row in load_lines(source, references)
    ]


def _numbers(file: Path) -> tuple[list[int], str]:
    return [int(number) for number in re.findall(r"\d+", file.name)], file.name


load_websplit = partial(
    json_examples,
    source="complex",
    references="references",
    noun="reference",
    hint='Expected {"complex": "…", "references": ["…", …]}.',
)
"""WebSplit: an object a complex sentence, with all its rephrasings, each a text or the list of its sentences."""

_SIMPLE = partial(_load_pair, endings=(".complex", ".simple"))
_BISECT = partial(_load_pair, endings=(".src", ".dst"), borders=_marked_by("<SEP>"))

SETS: dict[str, Known] = {
    "wikisplit": Known(load_wikisplit, "wikisplit", ("validation", "tune", "test"), ".tsv"),
    "websplit": Known(load_websplit, "websplit", ("test", "validation", "train"), ".jsonl"),
    "minwiki": Known(partial(_SIMPLE, borders=by_stops), "desse_minwiki/MinWiki", ("train", "test"), ".complex"),
    "desse": Known(
        partial(_SIMPLE, borders=_unmarked), "desse_minwiki/ACL2021", ("valid", "train", "test"), ".complex"
    ),
    "bisect": Known(_BISECT, "bisect", ("valid", "test", "train"), ".src"),
    "asset": Known(partial(load_beside, endings=(".orig", ".simp.")), "asset", ("valid", "test"), ".orig"),
    "turk": Known(
        partial(load_beside, endings=(".norm", ".turk.")), "turkcorpus", ("tune", "test"), ".8turkers.tok.norm"
    ),
}
