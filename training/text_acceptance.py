"""Train the models of which rewrites an editor passes, on texts that readers judged; read files of such texts.

    python -m training.text_acceptance --cuts --data ../shared/data --out rewrite/models/breaks_ru.npz
    python -m training.text_acceptance --splits --data ../shared/data --out rewrite/models/splits_en.npz

`training/text_judgements.jsonl.gz` (of English `text_judgements_en.jsonl.gz`) holds, for sentences of the data folder
by their place (`training.places`) or as text, what a language model drew for them, with log-probabilities, counts and
`controls`, and for those texts that were read the faults that a reader found: `w` not well formed, `f` not factual, `p`
main point lost, `n` no simpler, none for one that he would print; `null` for those not read. `repair` is what he made
of a faulty one, `guard` why one that was not read was stopped, `certainty` what a model that learnt from verdicts said.
`text_judgements_en_hot.jsonl.gz`, of draws at temperature 1, is for `training.preferences` alone.

`break_judgements.jsonl.gz` holds in the same way cuts of a sentence in two; how probable a cut is says the adapter
gemma-ru. `split_judgements.jsonl.gz` holds splits of English sentences (a line for each sentence) and the faults that
every reader of it found, `a` for not all kept or not clear; a split that readers disagree on counts for either side.
`split_judgements_2.jsonl.gz` has later ones, `p` for `a`, with the `chance` that a model of that time gave. What
`verdict-en` learns from them all is in `training.verdicts`.

Prints the area under the ROC curve and how well calibrated the chances are, by cross-validation over sentences.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.wellformed.russian import WellFormedness
from rewrite.acceptance import break_judge
from rewrite.acceptance.break_judge import BreakJudge, Cut, offered_cuts
from rewrite.engines.ct2 import CT2Engine
from rewrite.generators.edits.repaired_tree import RepairedTree
from rewrite.splitting import acceptance as splits_judge
from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsed_words import Words, read_words, sentence_analyzer
from rewrite.splitting.refusals import RULES
from rewrite.splitting.search import distinct
from rewrite.splitting.split import Split, render
from rewrite.splitting.wholeness import SentenceJudge
from training.forests import JudgedTexts, train_forest
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows

_FOLDER = Path(__file__).parent
JUDGED_TEXTS = {"ru": _FOLDER / "text_judgements.jsonl.gz", "en": _FOLDER / "text_judgements_en.jsonl.gz"}
"""By language."""
JUDGED_CUTS = _FOLDER / "break_judgements.jsonl.gz"
JUDGED_SPLITS = _FOLDER / "split_judgements.jsonl.gz"
_AT_ONCE = 50
Judged = tuple[str, dict[str, Any]]
"""A sentence, and its row of a file of judgements."""


def judged_rows(file: Path, places: Places) -> Iterator[Judged]:
    """Each judged sentence, and its row of the file. Raises `BadInput` for a place that the data folder lacks."""
    for row in packed_rows(file):
        yield row.get("source") or places.text(row["place"]), row


def read_cuts(analyzer: Analyzer, data: Path) -> list[JudgedTexts]:
    """The judged cuts of each sentence that are still offered."""
    judge = BreakJudge(CT2Engine("gemma-ru"), analyzer=analyzer)
    guard, form = FactGuard(analyzer, morphology=analyzer.morphology), WellFormedness(analyzer.morphology)
    trees: list[RepairedTree] = []
    cuts: list[list[Cut]] = []
    verdicts: list[dict[str, str]] = []
    for source, row in judged_rows(JUDGED_CUTS, Places(data)):
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        if len(analysis.sentences) == 1:
            trees.append(RepairedTree(analysis.sentences[0], analysis.entities))
            cuts.append(offered_cuts(trees[-1], analyzer, guard, form))
            verdicts.append({_key(text["text"]): text["faults"] for text in row["texts"]})
    judged: list[JudgedTexts] = []
    for offered, rows, known in zip(cuts, judge.features(trees, cuts), verdicts, strict=True):
        read = [i for i, cut in enumerate(offered) if _key(cut.text) in known]
        if read:
            passed = np.array([known[_key(offered[i].text)] in HARMLESS for i in read], dtype=bool)
            judged.append(JudgedTexts(rows[read], passed, source=source))
    return judged


def _key(text: str) -> str:
    """A text without spaces and capitals, which do not tell cuts apart."""
    return "".join(text.lower().split())


def read_splits(data: Path) -> list[JudgedTexts]:
    """Of each sentence the judged splits that are still offered: a row for each reader's answer.

    Prints how often each fault was found, and for
    each rule of `rewrite.splitting.refusals` how many answers are on splits that it refuses, and passed.
    """
    rows = list(judged_rows(JUDGED_SPLITS, Places(data, detokenise=False)))
    print(_shares(rows))
    judge = SentenceJudge()
    refused: dict[str, list[bool]] = {rule.__name__: [] for rule in RULES}
    tables: list[JudgedTexts] = []
    for row, words, splits, none in _proposed(rows):
        known = {_spaced(split["text"]): [faults in HARMLESS for faults in split["faults"]] for split in row["splits"]}
        offered = distinct(words, splits)
        features = splits_judge.split_features(words, list(offered.values()), list(offered), none, judge.probabilities)
        answers = [known.get(_spaced("\n".join(pair)), []) for pair in offered]
        if any(answers):
            repeated = np.repeat(features, [len(passed) for passed in answers], axis=0)
            tables.append(JudgedTexts(repeated, np.concatenate(answers).astype(bool)))
        for split in splits:
            passed = known.pop(_spaced("\n".join(render(words, split) or ())), [])
            for rule in RULES:
                if passed and rule(words, split):
                    refused[rule.__name__] += passed
    for name, passed in refused.items():
        print(f"refused by {name}: {len(passed)}, {sum(passed)} of them passed")
    return tables


def _proposed(rows: Sequence[Judged]) -> Iterator[tuple[dict[str, Any], Words, list[Split], float]]:
    """Each row, its sentence's words, the splits that the model proposes, and the log-probability of none."""
    analyzer, model = sentence_analyzer(), SplitModel()
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        parsed = read_words([source for source, _ in batch], analyzer)
        for (_, row), words, (splits, none) in zip(batch, parsed, model.propose(parsed), strict=True):
            yield row, words, splits, none


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _shares(rows: Sequence[Judged]) -> str:
    """How many splits were judged, and how often each fault was found."""
    splits = [split["faults"] for _, row in rows for split in row["splits"]]
    answers = [faults for readers in splits for faults in readers]
    counts = Counter(letter for faults in answers for letter in faults)
    by_fault = ", ".join(f"{letter} {counts[letter] / len(answers):.1%}" for letter in "wfan")
    passed = sum(faults in HARMLESS for faults in answers) / len(answers)
    return f"{len(splits)} splits of {len(rows)} sentences: {by_fault} of the answers; passed {passed:.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--cuts", action="store_true", help="the model of cuts of a Russian sentence in two")
    kinds.add_argument("--splits", action="store_true", help="the model of splits of English sentences")
    parser.add_argument("--data", type=Path, required=True, help="with ru_mono, or parallel_enru and wikisplit")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    names = break_judge.FEATURES if given.cuts else splits_judge.FEATURES
    judged = read_cuts(Analyzer(), given.data) if given.cuts else read_splits(given.data)
    model = train_forest(names, judged)
    model.save(given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
