"""Pairs that the English adapter of the base learns from, with the control values that each target fulfils.

    python -m training.en_pairs --data ../shared/data --out FOLDER

`training/written_en.jsonl.gz` holds what language models wrote, as careful editors, for sentences of the sets of the
masked model (by set, paragraph and sentence) and of parallel_enru (by file and line), and for sentences of their own:
the same in simpler words (`light`), as an editor would print it (`plain`), the main point alone (`short`), and in
several sentences (`split`).

Splits are of WikiSplit (tune, and rows 1 to 3,500 of validation), BiSECT, MinWiki and DeSSE, whose pairs are noisy:
kept is one that neither adds nor drops more than a word of content (`is_faithful`). Simplifications are of ASSET and
TurkCorpus, but for the last 500 of their 2,000 common sources, which measure what was learnt; one that changes a fact,
as the English guard sees it, is left out. Writes `written.jsonl`, `splits.jsonl`, `simplifications.jsonl` and, of other
sources, `dev.jsonl`.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from rerank.english.facts import EnglishFactGuard
from rewrite.controls import STYLES, Style, measured
from rewrite.datasets import data_folder, load_lines
from rewrite.splitting.guard import FUNCTION_WORDS
from training.held_back import HeldBack
from training.masked.sentences import detokenised
from training.places import Places
from training.records import packed_rows
from training.ru_pairs import write_groups
from training.splitting.pairs import is_drawn, measuring_texts, read_set

WRITTEN = Path(__file__).parent / "written_en.jsonl.gz"
MEASURED_FROM = 1_500
"""Of the 2,000 sources of ASSET's validation part, which are TurkCorpus' tuning part, those from here on measure."""
_SPLITS = {"wikisplit-tune": 5_000, "wikisplit-validation": 3_500, "bisect": 1_500, "minwiki": 1_500, "desse": 1_000}
"""How many pairs of each set are kept at most."""
_OF_ASSET, _OF_TURK = 4, 2
"""Simplifications of a source that are kept; TurkCorpus' writers changed little."""
_DEV = 60
"""Sources of each kind that are kept for judging."""
_MOST_CHANGED = 1
_STEM = 4
_WORD = re.compile(r"\w+")

Group = list[dict[str, str]]
Written = tuple[str, tuple[str, ...]]


def is_faithful(source: str, target: str) -> bool:
    """Whether the target adds at most one word of content to the source, and drops at most one.

    Words with the same first four letters are one: other forms of a word are no change.
    """
    before, after = _stems(source), _stems(target)
    return len(before - after) <= _MOST_CHANGED and len(after - before) <= _MOST_CHANGED


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS and len(word) > 1}


def asset(data: Path) -> Iterator[Written]:
    """The sources of ASSET's validation part with their ten simplifications. Raises `BadInput`."""
    folder = data / "asset"
    references = [folder / f"asset.valid.simp.{number}" for number in range(10)]
    for example in load_lines(folder / "asset.valid.orig", references):
        yield example.source.strip(), tuple(dict.fromkeys(text.strip() for text in example.references))


def turk(data: Path) -> Iterator[Written]:
    """The sources of TurkCorpus' tuning part with their eight simplifications, detokenised. Raises `BadInput`."""
    name = str(data / "turkcorpus" / "tune.8turkers.tok")
    for example in load_lines(f"{name}.norm", [f"{name}.turk.{number}" for number in range(8)]):
        texts = (detokenised(text.strip()) for text in example.references)
        yield detokenised(example.source.strip()), tuple(dict.fromkeys(texts))


def _written(data: Path, held_back: HeldBack) -> Iterator[Group]:
    places = Places(data)
    for row in packed_rows(WRITTEN):
        source = row.get("source") or places.text(row["id"])
        texts: list[tuple[Style, str]] = [(style, row[style]) for style in STYLES if row.get(style)]
        group = [_row(source, text, style) for style, text in texts if text != source and text not in held_back]
        if group and source not in held_back:
            yield group


def _simplifications(data: Path, held_back: HeldBack) -> Iterator[Group]:
    """Those of a source by all writers of both sets together, which have their sources in the same order."""
    guard = EnglishFactGuard(limits=True)
    sets: tuple[tuple[Style, Iterator[Written], int], ...] = (
        ("plain", asset(data), _OF_ASSET),
        ("light", turk(data), _OF_TURK),
    )
    for both in islice(zip(*(rows for _, rows, _ in sets), strict=True), MEASURED_FROM):
        group: Group = []
        for (style, _, most), (source, texts) in zip(sets, both, strict=True):
            if source not in held_back:
                wanted = (text for text in texts if text != source and text.endswith((".", "!", "?", '"')))
                kept = [text for text in wanted if not guard.check(source, text)]
                group += [_row(source, text, style) for text in kept[:most]]
        if group:
            yield group


def _splits(data: Path, held_back: HeldBack, seed: int) -> Iterator[Group]:
    for name, count in _SPLITS.items():
        pairs = [pair for pair in read_set(name, data) if len(pair.simple) > 1]
        random.Random(seed).shuffle(pairs)
        kept = 0
        for pair in pairs:
            target = " ".join(pair.simple)
            if kept < count and is_faithful(pair.complex, target) and not any(t in held_back for t in pair.texts):
                kept += 1
                # Some as running text is, others as the sets have it: spaces then say nothing.
                texts = (detokenised(pair.complex), detokenised(target)) if is_drawn(pair.origin, seed) else None
                yield [_row(*(texts or (pair.complex, target)), "split")]


def _row(source: str, target: str, style: Style) -> dict[str, str]:
    return {"source": source, "target": target, "controls": measured(source, target, style, language="en").text}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    rows = list(asset(data))[MEASURED_FROM:]
    held_back = measuring_texts(data, [], chain.from_iterable((source, *texts) for source, texts in rows))
    options.out.mkdir(parents=True, exist_ok=True)
    dev: list[Group] = []
    for name, found in (
        ("written", _written(data, held_back)),
        ("splits", _splits(data, held_back, options.seed)),
        ("simplifications", _simplifications(data, held_back)),
    ):
        groups = list(found)
        random.Random(options.seed).shuffle(groups)
        dev += groups[:_DEV]
        write_groups(options.out / f"{name}.jsonl", groups[_DEV:])
    write_groups(options.out / "dev.jsonl", dev)


if __name__ == "__main__":
    main()
