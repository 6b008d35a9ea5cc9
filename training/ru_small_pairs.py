"""Pairs for fine-tuning the small Russian generator, and the folds that keep its figures honest.

    python -m training.ru_small_pairs --data ../shared/data --out FOLDER

Writes a file of pairs for each set (RuAdapt without its identical pairs; ParaPhraser; edits that readers passed;
rewrites written for this model), `rsse.jsonl` (RuSimpleSentEval dev) and `rsse-without-K.jsonl` for each fold K of the
cross-validation, the one of `training.edit_model`. Of RuSimpleSentEval and the written ones only targets are taken that
keep to the facts of their source and are well formed: readers found a third of RuSimpleSentEval's not to. No pair of
the other sets holds a source of RuSimpleSentEval, or eight words in a row of one.

`training/written_ru.jsonl.gz` holds what language models wrote, as careful editors, for sentences of the wiki and news
files (by file and line): the same in simpler words (`light`), as an editor would print it (`plain`), and the main point
alone (`short`).
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.wellformed import LAYERS, WellFormedness
from rewrite.datasets import Pair, data_folder, load_rsse
from training.acceptance import passed_pairs
from training.edit_model import FOLDS, fold_of
from training.held_back import HeldBack
from training.russian_pairs import adapted_pairs, paraphrase_pairs
from training.valency import read_paragraphs

__all__ = ["WRITTEN", "main", "sound", "written_pairs"]

WRITTEN = Path(__file__).parent / "written_ru.jsonl.gz"
_FILES = {"wiki": "wikineural_wiki_sents", "rt": "news_russia_today"}
_CLOSED = (".", "!", "?", "…", "»")
_LONGER = 1.1


def written_pairs(path: Path, folder: Path) -> list[Pair]:
    """The rewrites in `path`, JSON lines, gzipped, each with its sentence from the files in `folder`."""
    rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    texts = {name: read_paragraphs(folder, file) for name, file in _FILES.items()}
    pairs = []
    for row in rows:
        corpus, _, line = row["id"].partition(":")
        pairs += [Pair(texts[corpus][int(line)], row[kind]) for kind in ("light", "plain", "short") if row[kind]]
    return pairs


def sound(pairs: Sequence[Pair], analyzer: Analyzer) -> list[Pair]:
    """The pairs whose target changes no fact of its source, is well formed and not much longer, in their order."""
    guard = FactGuard(analyzer, morphology=analyzer.morphology)
    form = WellFormedness(analyzer.morphology)
    kept = []
    for source, group in itertools.groupby(pairs, key=lambda pair: pair.source):
        near = [pair for pair in group if _comparable(pair)]
        parsed, *texts = analyzer.analyze([source, *(pair.target for pair in near)], LAYERS)
        violations = guard.check_all(source, [pair.target for pair in near])
        kept += [
            pair
            for pair, text, found in zip(near, texts, violations, strict=True)
            if not found and not form.check(parsed, text)
        ]
    return kept


def _comparable(pair: Pair) -> bool:
    return bool(pair.target) and pair.target != pair.source and len(pair.target) <= _LONGER * len(pair.source)


def _write(path: Path, pairs: Iterable[Pair]) -> None:
    rows = [json.dumps({"source": p.source, "target": p.target}, ensure_ascii=False) for p in pairs]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    print(f"{path.name}: {len(rows)} pairs", flush=True)


def _general(data: Path, analyzer: Analyzer, held_back: HeldBack) -> Iterator[tuple[str, list[Pair]]]:
    sets = {
        "ruadapt": adapted_pairs(data / "ruadapt", _CLOSED),
        "paraphraser": paraphrase_pairs(data / "paraphraser_ru" / "paraphrases.xml"),
        "passed-edits": list(passed_pairs(analyzer, data)),
        "written": sound(written_pairs(WRITTEN, data / "ru_mono"), analyzer),
    }
    for name, pairs in sets.items():
        fresh = (p for p in dict.fromkeys(pairs) if p.source not in held_back and p.target not in held_back)
        yield name, list(fresh)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    options.out.mkdir(parents=True, exist_ok=True)
    analyzer = Analyzer()
    examples = load_rsse(data / "rsse" / "dev_sents.csv")
    for name, found in _general(data, analyzer, HeldBack(example.source for example in examples)):
        _write(options.out / f"{name}.jsonl", found)
    folds = dict(zip((example.source for example in examples), fold_of(len(examples)).tolist(), strict=True))
    pairs = sound([Pair(example.source, target) for example in examples for target in example.references], analyzer)
    _write(options.out / "rsse.jsonl", pairs)
    for fold in range(FOLDS):
        unseen = HeldBack(source for source, own in folds.items() if own == fold)
        _write(
            options.out / f"rsse-without-{fold}.jsonl",
            (p for p in pairs if folds[p.source] != fold and p.source not in unseen and p.target not in unseen),
        )


if __name__ == "__main__":
    main()
