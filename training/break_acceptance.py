"""Train the model of which cut of a sentence in two an editor passes, on cuts that readers judged.

    python -m training.break_acceptance --data ../shared/data --out rewrite/models/breaks_ru.npz

`training/break_judgements.jsonl.gz` holds sentences of the data folder by their place (`training.ru_pairs.Places`), or
as text, with cuts of each and the faults that a reader found: `w` not well formed, `f` not factual, `p` main point
lost, `n` no easier, none for one that he would print. Needs the adapter gemma-ru, which says how probable a cut is.
Prints the area under the ROC curve by 10-fold cross-validation over sentences, and how many sentences would be cut.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from rerank.analysis import Analyzer
from rerank.facts import FactGuard
from rerank.wellformed import WellFormedness
from rewrite.engines.ct2 import CT2Engine
from rewrite.gain.break_judge import FEATURES, BreakJudge, Cut, offered_cuts
from rewrite.generators.edits.breaks import BREAK_FEATURES
from rewrite.generators.edits.tree import Tree
from training.forests import JudgedTexts, report, train_forest
from training.readings import HARMLESS
from training.records import packed_rows
from training.ru_pairs import Places

__all__ = ["JUDGEMENTS", "main", "read_break_judgements"]

JUDGEMENTS = Path(__file__).parent / "break_judgements.jsonl.gz"


def read_break_judgements(analyzer: Analyzer, data: Path, file: Path = JUDGEMENTS) -> list[JudgedTexts]:
    """The judged cuts of each sentence that are still offered."""
    places = Places(data)
    judge = BreakJudge(CT2Engine("gemma-ru"), analyzer=analyzer)
    guard, form = FactGuard(analyzer, morphology=analyzer.morphology), WellFormedness(analyzer.morphology)
    trees: list[Tree] = []
    cuts: list[list[Cut]] = []
    verdicts: list[dict[str, str]] = []
    for row in packed_rows(file):
        source = row.get("source") or places.text(row["place"])
        analysis = analyzer.analyze_one(source, ("morph", "syntax", "entities"))
        if len(analysis.sentences) == 1:
            trees.append(Tree(analysis.sentences[0], analysis.entities))
            cuts.append(offered_cuts(trees[-1], analyzer, guard, form))
            verdicts.append({_key(text["text"]): text["faults"] for text in row["texts"]})
    judged: list[JudgedTexts] = []
    for own, rows, known in zip(cuts, judge.features(trees, cuts), verdicts, strict=True):
        read = [i for i, cut in enumerate(own) if _key(cut.text) in known]
        if read:
            passed = np.array([known[_key(own[i].text)] in HARMLESS for i in read], dtype=bool)
            judged.append(JudgedTexts(rows[read], passed))
    return judged


def _key(text: str) -> str:
    """A text without spaces and capitals, which do not tell cuts apart."""
    return "".join(text.lower().split())


def main() -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono")
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS, help="default: those of the repository")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    judged = read_break_judgements(Analyzer(), options.data, options.judgements)
    model = train_forest(judged)
    n = len(BREAK_FEATURES)
    print(report(judged, model, {"parse": slice(None, n), "log-probabilities": slice(n, None)}))
    model.save(options.out, FEATURES)
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
