"""Pairs that the adapters of the base learn from, with the control values that each target fulfils.

    python -m training.adapter_pairs --lang ru --data ../shared/data --out FOLDER
    python -m training.adapter_pairs --lang en --data ../shared/data --out FOLDER

What language models wrote, as careful editors, for sentences of the data folder (by their place, `training.places`) and
for sentences of their own is in `training/written_ru.jsonl.gz`, `training/written_ru_2.jsonl.gz` and
`training/written_en.jsonl.gz`: the same in simpler words (`light`), as an editor would print it (`plain`), the main
point alone (`short`), and in several sentences (`split`); `same` marks a sentence that needs no change.
`training/repaired_ru.jsonl.gz` holds what the adapter drew for 2,219 more, the faults that a reader found in each text
(letters as in `training.text_acceptance`), and the text repaired with as few changes as that took (or as it was, or
none where the source is simple enough); it is for preference and for recipes to come.

Writes the pairs of each file and, of other sources, `dev.jsonl`. Nothing in the Russian ones holds a source or a
reference of RuSimpleSentEval, or eight words in a row of one.

English ones are also of two kinds of sets. Splits are of WikiSplit (tune, and rows 1 to 3,500 of validation), BiSECT,
MinWiki and DeSSE, whose pairs are noisy: kept is one that neither adds nor drops more than a word of content
(`is_faithful`). Simplifications are of ASSET and TurkCorpus, but for the last 500 of their 2,000 common sources, which
measure what was learnt; one that changes a fact, as the English guard sees it, is left out.

Also pairs of ParaPhraser and RuAdapt without those that teach the wrong thing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from rerank.english.detokenising import detokenised
from rerank.english.facts import EnglishFactGuard
from rewrite.controls import STYLES, Style, measured
from rewrite.datasets import Pair, data_folder, load_rsse, load_ruadapt
from rewrite.evaluate.sets import load_set
from rewrite.evaluate.splitting_corpora import SETS
from rewrite.splitting.guard import FUNCTION_WORDS
from training.calibrate_similarity import read_pairs as read_paraphrases
from training.command import command_line
from training.disk import write_json_lines
from training.masked.corpora import HeldBack
from training.places import Places
from training.records import packed_rows
from training.splitting.pairs import is_drawn, measuring_texts, read_set

WRITTEN = {
    name: Path(__file__).parent / f"{name}.jsonl.gz"
    for name in ("written_ru", "written_ru_2", "repaired_ru", "written_en")
}
MEASURED_FROM = 1_500
"""Of the 2,000 sources of ASSET's validation part, which are TurkCorpus' tuning part, those from here on measure."""
_SPLITS = {"wikisplit-tune": 5_000, "wikisplit-validation": 3_500, "bisect": 1_500, "minwiki": 1_500, "desse": 1_000}
"""How many pairs of each set are kept at most."""
_OF_ASSET, _OF_TURK = 4, 2
"""Simplifications of a source that are kept; TurkCorpus' writers changed little."""
_DEV = {"written_ru": 100, "written_ru_2": 100, "repaired_ru": 0}
_DEV_ENGLISH = 60
"""Sources of each file, or kind, that are kept for judging."""
_MOST_CHANGED = 1
_STEM = 4
_WORD = re.compile(r"\w+")
_CLOSED = (".", "!", "?", "…")

Group = list[dict[str, str]]
"""The pairs of one source."""
Texts = tuple[str, tuple[str, ...]]
Written = tuple[str, list[tuple[Style, str]]]
"""A source, and what was written for it."""


def written_rows(path: Path, places: Places) -> Iterator[Written]:
    """Each source in `path`, JSON lines, gzipped, with what was written for it: style and text."""
    for row in packed_rows(path):
        source = row.get("source") or places.text(row["id"])
        texts: list[tuple[Style, str]] = [(style, row[style]) for style in STYLES if row.get(style)]
        if row.get("same"):
            texts = [("light", source)]
        yield source, texts


def _usable(rows: Iterable[Written], held_back: HeldBack, language: str) -> Iterator[Group]:
    """The pairs of each source, of all its writers, with their controls."""
    by_source: dict[str, dict[str, Style]] = {}
    for source, texts in rows:
        if source not in held_back:
            kept = {text: style for style, text in texts if text not in held_back}
            by_source.setdefault(source, {}).update(kept)
    for source, styles in by_source.items():
        if styles:
            yield [_row(source, text, style, language) for text, style in styles.items()]


def _row(source: str, target: str, style: Style, language: str = "en") -> dict[str, str]:
    controls = measured(source, target, style, language=language)
    return {"source": source, "target": target, "controls": controls.text}


def is_faithful(source: str, target: str) -> bool:
    """Whether the target adds at most one word of content to the source, and drops at most one.

    Words with the same first four letters are one: other forms of a word are no change.
    """
    before, after = _stems(source), _stems(target)
    return len(before - after) <= _MOST_CHANGED and len(after - before) <= _MOST_CHANGED


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS and len(word) > 1}


def asset(data: Path) -> Iterator[Texts]:
    """The sources of ASSET's validation part with their ten simplifications. Raises `BadInput`."""
    for example in load_set(SETS, "asset", data, part="valid").examples:
        yield example.source, tuple(dict.fromkeys(example.references))


def turk(data: Path) -> Iterator[Texts]:
    """The sources of TurkCorpus' tuning part with their eight simplifications, detokenised. Raises `BadInput`."""
    for example in load_set(SETS, "turk", data, part="tune").examples:
        yield detokenised(example.source), tuple(dict.fromkeys(map(detokenised, example.references)))


def _simplifications(data: Path, held_back: HeldBack) -> Iterator[Group]:
    """Those of a source by all writers of both sets together, which have their sources in the same order."""
    guard = EnglishFactGuard(limits=True)
    sets: tuple[tuple[Style, Iterator[Texts], int], ...] = (
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


def _parts(language: str, data: Path, seed: int) -> Iterator[tuple[str, Iterator[Group]]]:
    """The pairs by the name of the file that they go to."""
    if language == "en":
        rows = list(asset(data))[MEASURED_FROM:]
        held_back = measuring_texts(data, [], chain.from_iterable((source, *texts) for source, texts in rows))
    else:
        held_back = HeldBack(t for e in load_rsse(data / "rsse" / "dev_sents.csv") for t in (e.source, *e.references))
    places = Places(data)
    for name, path in WRITTEN.items():
        if ("en" if name == "written_en" else "ru") == language:
            yield name.removesuffix("_en"), _usable(written_rows(path, places), held_back, language)
    if language == "en":
        yield "splits", _splits(data, held_back, seed)
        yield "simplifications", _simplifications(data, held_back)


def _write(path: Path, groups: Sequence[Group]) -> None:
    """Write the pairs of each source, JSON lines, and tell how many there are."""
    rows = [row for group in groups for row in group]
    write_json_lines(path, rows)
    print(f"{path.name}: {len(rows):,} pairs of {len(groups):,} sources")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather, write."""
    parser = command_line("adapter_pairs", __doc__, data=True)
    parser.add_argument("--lang", choices=("ru", "en"), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    dev: list[Group] = []
    for name, read in _parts(options.lang, data_folder(options.data), options.seed):
        groups = list(read)
        random.Random(options.seed).shuffle(groups)
        kept = _DEV.get(name, _DEV_ENGLISH)
        dev += groups[:kept]
        _write(options.out / f"{name}.jsonl", groups[kept:])
    _write(options.out / "dev.jsonl", dev)


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
