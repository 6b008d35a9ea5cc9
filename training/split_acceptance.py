"""Train the model of which split of an English sentence an editor passes, on splits that readers judged.

    python -m training.split_acceptance --data ../shared/data --out rewrite/models/splits_en.npz

`training/split_judgements.jsonl.gz` holds sentences by their place in the data folder, each with splits (a line for
each sentence) and the faults that every reader of it found: `w` not well formed, `f` not factual, `a` not all kept or
not clear, `n` no easier; none for one to print. A split that readers disagree on counts for either side.
Prints the area under the ROC curve by 10-fold cross-validation over sentences, and how many sentences would be split.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rewrite.splitting.acceptance import FEATURES, split_features
from rewrite.splitting.model import SplitModel
from rewrite.splitting.refusals import RULES
from rewrite.splitting.search import distinct
from rewrite.splitting.split import Split, render
from rewrite.splitting.wholeness import SentenceJudge
from rewrite.splitting.words import Words, read_words, sentence_analyzer
from training.forests import JudgedTexts, report, train_forest
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows

JUDGEMENTS = Path(__file__).parent / "split_judgements.jsonl.gz"
_BATCH = 50
_NETWORK = slice(0, FEATURES.index("whole_first"))
_JUDGE = slice(FEATURES.index("whole_first"), FEATURES.index("words_first"))
_PARSE = slice(FEATURES.index("words_first"), None)


@dataclass(frozen=True, slots=True)
class JudgedSource:
    """A sentence, and for each split of it, its sentences a line each, the faults that each reader found."""

    source: str
    splits: dict[str, tuple[str, ...]]


def read_judgements(data: Path, path: Path = JUDGEMENTS) -> Iterator[JudgedSource]:
    """The judged sentences. Raises `BadInput` for a place that the data folder does not have."""
    places = Places(data, detokenise=False)
    for row in packed_rows(path):
        yield JudgedSource(places.text(row["place"]), {one["text"]: tuple(one["faults"]) for one in row["splits"]})


def _proposed(judged: Sequence[JudgedSource]) -> Iterator[tuple[JudgedSource, Words, list[Split], float]]:
    """Each sentence, its words, the splits that the model proposes, and the log-probability that there is none."""
    analyzer, model = sentence_analyzer(), SplitModel()
    for start in range(0, len(judged), _BATCH):
        batch = judged[start : start + _BATCH]
        parsed = read_words([source.source for source in batch], analyzer)
        for source, words, (splits, none) in zip(batch, parsed, model.propose(parsed), strict=True):
            yield source, words, splits, none


def tabulate(judged: Sequence[JudgedSource]) -> list[JudgedTexts]:
    """Of each sentence the judged splits that are still offered: a row for each reader's answer."""
    judge = SentenceJudge()
    tables: list[JudgedTexts] = []
    for source, words, splits, none in _proposed(judged):
        offered = distinct(words, splits)
        rows = split_features(words, list(offered.values()), list(offered), none, judge.probabilities)
        known = {_spaced(text): faults for text, faults in source.splits.items()}
        answers = [
            (row, faults in HARMLESS)
            for row, pair in zip(rows, offered, strict=True)
            for faults in known.get(_spaced("\n".join(pair)), ())
        ]
        if answers:
            features, passed = zip(*answers, strict=True)
            tables.append(JudgedTexts(np.array(features), np.array(passed)))
    return tables


def refusals(judged: Sequence[JudgedSource]) -> str:
    """For each rule of `rewrite.splitting.refusals` how many answers are on splits that it refuses, and passed."""
    answers: dict[str, list[bool]] = {rule.__name__: [] for rule in RULES}
    for source, words, splits, _ in _proposed(judged):
        left = {_spaced(text): faults for text, faults in source.splits.items()}
        for split in splits:
            pair = render(words, split)
            passed = [faults in HARMLESS for faults in left.pop(_spaced("\n".join(pair or ())), ())]
            for rule in RULES:
                if passed and rule(words, split):
                    answers[rule.__name__] += passed
    return "\n".join(f"refused by {name}: {len(of)}, {sum(of)} of them passed" for name, of in answers.items())


def _spaced(text: str) -> str:
    return " ".join(text.split())


def shares(judged: Sequence[JudgedSource]) -> str:
    """How many splits were judged, and how often each fault was found."""
    answers = [faults for one in judged for readers in one.splits.values() for faults in readers]
    counts = Counter(letter for faults in answers for letter in faults)
    by_fault = ", ".join(f"{letter} {counts[letter] / len(answers):.1%}" for letter in "wfan")
    passed = sum(faults in HARMLESS for faults in answers)
    splits = sum(len(one.splits) for one in judged)
    return f"{splits} splits of {len(judged)} sentences: {by_fault} of the answers; passed {passed / len(answers):.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with wikisplit and parallel_enru")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    judged = list(read_judgements(options.data))
    print(shares(judged))
    rows = tabulate(judged)
    model = train_forest(rows)
    print(report(rows, model, {"network": _NETWORK, "judge of whole sentences": _JUDGE, "parse": _PARSE}))
    print(refusals(judged))
    model.save(options.out, FEATURES)
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
