"""Pairs that the Russian adapter of the base learns from, with the control values that each target fulfils.

    python -m training.ru_pairs --data ../shared/data --out FOLDER

`training/written_ru.jsonl.gz` and `training/written_ru_2.jsonl.gz` hold what language models wrote, as careful editors,
for sentences of the files in ru_mono and parallel_enru (by file, line and place), and for sentences of their own: the
same in simpler words (`light`), as an editor would print it (`plain`), the main point alone (`short`), and in several
sentences (`split`); `same` marks a sentence that needs no change. `training/repaired_ru.jsonl.gz` holds what the
adapter drew for 2,219 more, the faults that a reader found in each text (letters as in `training.text_acceptance`), and
the text repaired with as few changes as that took (or as it was, or none where the source is simple enough); it is for
preference and for recipes to come. Writes the pairs of each file and, of other sources, `dev.jsonl`. Nothing in them
holds a source or a reference of RuSimpleSentEval, or eight words in a row of one.

Also pairs of ParaPhraser and RuAdapt without those that teach the wrong thing.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from rewrite.controls import STYLES, Style, measured
from rewrite.datasets import Pair, data_folder, load_rsse, load_ruadapt
from training.calibrate_similarity import read_pairs as read_paraphrases
from training.held_back import HeldBack
from training.places import Places
from training.records import packed_rows

WRITTEN = {name: Path(__file__).parent / f"{name}.jsonl.gz" for name in ("written_ru", "written_ru_2", "repaired_ru")}
_DEV = {"written_ru": 100, "written_ru_2": 100}
"""Sources of each file that are kept for judging."""


# A source, and what was written for it.
Written = tuple[str, list[tuple[Style, str]]]
_CLOSED = (".", "!", "?", "…")


def written_rows(path: Path, places: Places) -> Iterator[Written]:
    """Each source in `path`, JSON lines, gzipped, with what was written for it: style and text."""
    for row in packed_rows(path):
        source = row.get("source") or places.text(row["id"])
        texts: list[tuple[Style, str]] = [(style, row[style]) for style in STYLES if row.get(style)]
        if row.get("same"):
            texts = [("light", source)]
        yield source, texts


def _usable(rows: Iterator[Written], held_back: HeldBack) -> list[list[dict[str, str]]]:
    """The pairs of each source, of all its writers, with their controls."""
    by_source: dict[str, dict[str, Style]] = {}
    for source, texts in rows:
        if source not in held_back:
            kept = {text: style for style, text in texts if text not in held_back}
            by_source.setdefault(source, {}).update(kept)
    return [
        [
            {"source": source, "target": text, "controls": measured(source, text, style).text}
            for text, style in texts.items()
        ]
        for source, texts in by_source.items()
        if texts
    ]


def write_groups(path: Path, groups: Sequence[list[dict[str, str]]]) -> None:
    """Write the pairs of each source, JSON lines, and tell how many there are."""
    rows = [json.dumps(row, ensure_ascii=False) for group in groups for row in group]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    print(f"{path.name}: {len(rows):,} pairs of {len(groups):,} sources")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    examples = load_rsse(data / "rsse" / "dev_sents.csv")
    held_back = HeldBack(text for e in examples for text in (e.source, *e.references))
    places = Places(data)
    options.out.mkdir(parents=True, exist_ok=True)
    dev: list[list[dict[str, str]]] = []
    for name, path in WRITTEN.items():
        groups = _usable(written_rows(path, places), held_back)
        random.Random(0).shuffle(groups)
        kept = _DEV.get(name, 0)
        dev += groups[:kept]
        write_groups(options.out / f"{name}.jsonl", groups[kept:])
    write_groups(options.out / "dev.jsonl", dev)


def paraphrase_pairs(path: Path) -> list[Pair]:
    """The paraphrases (class 1) of ParaPhraser whose sides differ in length, each from the longer to the shorter."""
    sides = [sorted(texts, key=len) for *texts, label in zip(*read_paraphrases(path), strict=True) if label == 1]
    return [Pair(long, short) for short, long in sides if len(short) < len(long)]


def adapted_pairs(folder: Path) -> list[Pair]:
    """RuAdapt's pairs that are aligned well and whose sides are both whole sentences."""
    # Poor alignments teach to invent; the corpus has sentences cut at an abbreviation, too.
    return [
        pair
        for pair in load_ruadapt(folder)
        if (pair.similarity or 0) >= 0.5 and pair.source.endswith(_CLOSED) and pair.target.endswith(_CLOSED)
    ]


if __name__ == "__main__":
    main()
