"""Fit how likely a reader is to pass an English text to what `verdict-en` says of it and what is known beside.

    python -m training.verdict_lines texts --data ../shared/data --out rewrite/models/texts_en.json
    python -m training.verdict_lines splits --data ../shared/data --out rewrite/models/splits_lm_en.json

Logistic regressions, of texts that a language model drew and of splits, on the judged ones of sentences that the model
of the verdicts has not learnt from (`training.verdicts`). Each reader's answer counts. Prints the area under the ROC
curve and how well calibrated the chances are, by cross-validation over sentences.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rerank.english import EnglishAnalyzer
from rerank.english.detokenising import detokenised
from rerank.scorer import Context
from rewrite.acceptance.english_texts import ENGLISH_TEXT_FEATURES, EnglishTextReader
from rewrite.acceptance.verdict import VERDICT_MODELS, LineAcceptance, VerdictModel
from rewrite.engines.ct2 import CT2Engine
from rewrite.splitting.likelihood import FEATURES, LikelihoodJudge
from training.command import command_line, run_to_the_end
from training.forests import JudgedTexts, report_by_model
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows
from training.text_acceptance import drawn
from training.verdicts import MEASURED, is_held

_FOLDER = Path(__file__).parent
_DRAWN = ("text_judgements_en", "text_judgements_en_3")
_SPLITS = ("split_judgements", "split_readings", "split_judgements_2", "split_judge_readings")
_TAIL = 0.02


def unseen_rows(names: Sequence[str], places: Places) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """File, sentence and row of judged texts that the model of the verdicts has not learnt from."""
    for name in names:
        for row in packed_rows(_FOLDER / f"{name}.jsonl.gz"):
            source = row.get("source") or places.text(row["place"])
            if name in MEASURED or is_held(detokenised(source)):
                yield name, source, row


def read_texts(verdicts: VerdictModel, places: Places) -> list[JudgedTexts]:
    """Judged draws of each sentence; what is not read counts as the rest of the pool."""
    reader, context = EnglishTextReader(), Context(EnglishAnalyzer())
    judged: list[JudgedTexts] = []
    for name, source, row in unseen_rows(_DRAWN, places):
        read = [i for i, text in enumerate(row["texts"]) if text["faults"] is not None]
        if not read:
            continue
        chances = verdicts.chances(source, [text["text"] for text in row["texts"]])
        candidates = [
            replace(drawn(text, row["model"]), certainty=chance)
            for text, chance in zip(row["texts"], chances, strict=True)
        ]
        passed = np.array([row["texts"][i]["faults"] in HARMLESS for i in read], dtype=bool)
        judged.append(JudgedTexts(reader.features(source, candidates, context)[read], passed, name, source))
    return judged


def read_splits(verdicts: VerdictModel, places: Places) -> list[JudgedTexts]:
    """Judged splits of each sentence, a row for each reader's answer."""
    judge = LikelihoodJudge(verdicts)
    judged: list[JudgedTexts] = []
    for name, source, row in unseen_rows(_SPLITS, places):
        splits = [split for split in row["splits"] if split["faults"] and not _is_its_own(split)]
        if not splits:
            continue
        (rows,) = judge.features([(source, [split["text"].split("\n") for split in splits])])
        answers = [[faults in HARMLESS for faults in split["faults"]] for split in splits]
        repeated = np.repeat(rows, [len(passed) for passed in answers], axis=0)
        judged.append(JudgedTexts(repeated, np.concatenate(answers).astype(bool), name, source))
    return judged


def _is_its_own(split: Mapping[str, Any]) -> bool:
    """Whether only the splitter that asks for verdicts made the split: such readings measure it."""
    systems = split.get("systems", ())
    return bool(systems) and all(system.startswith("splitter-lm, ") for system in systems)


def fit_line(names: Sequence[str], judged: Sequence[JudgedTexts]) -> LineAcceptance:
    """The logistic regression of what passed on the features, which have these names."""
    from sklearn.linear_model import LogisticRegression

    features = np.vstack([texts.features for texts in judged])
    low, high = np.round(np.quantile(features, (_TAIL, 1 - _TAIL), axis=0), 4)
    features = features.clip(low, high)
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-9
    model = LogisticRegression(max_iter=1_000)
    model.fit((features - mean) / scale, np.concatenate([texts.passed for texts in judged]))
    weights = model.coef_[0] / scale
    offset = float(model.intercept_[0] - weights @ mean)
    parts = ({name: float(v) for name, v in zip(names, part, strict=True)} for part in (weights.round(4), low, high))
    weights_by_name, low_by_name, high_by_name = parts
    return LineAcceptance(weights_by_name, round(offset, 4), low_by_name, high_by_name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure, fit, save; returns the exit status."""
    parser = command_line("verdict_lines", __doc__)
    parser.add_argument("kind", choices=("texts", "splits"))
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    return run_to_the_end("verdict_lines", lambda: _fit(given))


def _fit(given: argparse.Namespace) -> None:
    verdicts = VerdictModel(CT2Engine(VERDICT_MODELS["en"].target))
    of_texts = given.kind == "texts"
    names = ENGLISH_TEXT_FEATURES if of_texts else FEATURES
    judged = (read_texts if of_texts else read_splits)(verdicts, Places(given.data))
    report_by_model(judged, partial(fit_line, names))
    line = fit_line(names, judged)
    line.save(given.out)
    print(f"{given.out}: {line}")


if __name__ == "__main__":
    sys.exit(main())
