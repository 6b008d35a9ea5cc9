"""Train the model of which drawn texts an editor passes, on texts that readers judged.

    python -m training.text_acceptance --data ../shared/data --out rewrite/models/texts_ru.npz

`training/text_judgements.jsonl.gz` holds, for sentences of the data folder by their place (`training.ru_pairs.Places`)
or as text, what a language model drew for them, with log-probabilities and counts, and for those texts that were read
the faults that a reader found: `w` not well formed, `f` not factual, `p` main point lost, `n` no simpler, none for one
that he would print; `null` for those not read. Prints the area under the ROC curve for each model that drew, by 8-fold
cross-validation over sentences.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate
from rewrite.gain.text_acceptance import DrawnTextReader, TextAcceptance
from training.forests import JudgedTexts, across_folds, print_calibration, shares_passed
from training.readings import HARMLESS
from training.records import packed_rows
from training.ru_pairs import Places

__all__ = ["JUDGEMENTS", "main", "read_text_judgements", "train_text_acceptance"]

JUDGEMENTS = Path(__file__).parent / "text_judgements.jsonl.gz"
_FOLDS = 8
_INVERSE_STRENGTH = 0.3


def read_text_judgements(analyzer: Analyzer, data: Path, file: Path = JUDGEMENTS) -> list[JudgedTexts]:
    """The judged texts of each sentence; features see all that was drawn for it."""
    reader, context = DrawnTextReader(), Context(analyzer)
    places = Places(data)
    judged: list[JudgedTexts] = []
    for row in packed_rows(file):
        source = row.get("source") or places.text(row["place"])
        candidates = [_drawn(text, row["model"]) for text in row["texts"]]
        read = [i for i, text in enumerate(row["texts"]) if text["faults"] is not None]
        passed = np.array([row["texts"][i]["faults"] in HARMLESS for i in read], dtype=bool)
        judged.append(JudgedTexts(reader.features(source, candidates, context)[read], passed, row["model"]))
    return judged


def _drawn(text: Mapping[str, Any], model: str) -> Candidate:
    """The candidate that a judged text was."""
    return Candidate(
        text["text"],
        model,
        text["logprob"],
        text["tokens"],
        count=text["count"],
        controls=text.get("controls", ""),
        least_logprob=text.get("least_logprob"),
    )


def train_text_acceptance(judged: Sequence[JudgedTexts]) -> TextAcceptance:
    """The model from judged texts."""
    from sklearn.linear_model import LogisticRegression

    features = np.vstack([one.features for one in judged])
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    untrained = TextAcceptance(mean, scale, np.zeros_like(mean), 0.0)
    model = LogisticRegression(C=_INVERSE_STRENGTH, max_iter=5000)
    model.fit(untrained.standard(features), np.concatenate([one.passed for one in judged]))
    return replace(untrained, weights=model.coef_[0], bias=float(model.intercept_[0]))


def _report(judged: Sequence[JudgedTexts]) -> None:
    from sklearn.metrics import roc_auc_score

    chances = across_folds(judged, train_text_acceptance, _FOLDS)
    for name in ("", *dict.fromkeys(one.model for one in judged)):
        chosen = [i for i, one in enumerate(judged) if name in ("", one.model)]
        p = np.concatenate([chances[i] for i in chosen])
        passed = np.concatenate([judged[i].passed for i in chosen])
        print(f"{name or 'all'}: {len(p)} texts of {len(chosen)} sentences, {passed.mean():.3f} passed")
        print(f"    AUC {roc_auc_score(passed, p):.3f}; passed of the likeliest 10 / 20 / 40 / 60 %: ", end="")
        print(shares_passed(p, passed))
    print("calibration: predicted – passed (number)")
    print_calibration(np.concatenate(chances), np.concatenate([one.passed for one in judged]))


def main() -> None:
    """Read the options, measure, train, save, say how large the model is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data folder with ru_mono")
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS, help="default: those of the repository")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    judged = read_text_judgements(Analyzer(), options.data, options.judgements)
    _report(judged)
    train_text_acceptance(judged).save(options.out)
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
