"""Fit how likely a reader is to pass a text to what `verdict-en` says of it and what is known beside.

    python -m training.verdict_lines texts --data ../shared/data --out rewrite/models/texts_en.json
    python -m training.verdict_lines texts-ru --data ../shared/data --out rewrite/models/texts_ru.json
    python -m training.verdict_lines splits --data ../shared/data --out rewrite/models/splits_lm_en.json
    python -m training.verdict_lines simpler --data ../shared/data --out rewrite/models/simpler_en.json
    python -m training.verdict_lines simpler-ru --data ../shared/data --out rewrite/models/simpler_ru.json

Logistic regressions, of texts that a language model drew and of splits, on the judged ones of sentences that the model
of the verdicts has not learnt from (`training.verdicts`); in Russian there is no such model, and all judged draws of
`gemma-ru` count. Each reader's answer counts. Prints the area under the ROC curve and how well calibrated the chances
are, by cross-validation over sentences. The last two tell which of the draws that are true and well formed readers
called no simpler.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rerank.english.detokenising import detokenised
from rerank.types import Candidate
from rewrite.acceptance.simplicity import SIMPLICITY_FEATURES, simplicity_features
from rewrite.acceptance.text_acceptance import TEXT_FEATURES, text_features
from rewrite.acceptance.verdict import VERDICT_MODELS, LineAcceptance, VerdictModel
from rewrite.engines.ct2 import CT2Engine
from rewrite.splitting.likelihood import FEATURES, LikelihoodJudge
from training.command import command_line, run_to_the_end
from training.forests import JudgedTexts, report_by_model
from training.places import Places
from training.readings import HARMLESS
from training.records import packed_rows
from training.text_acceptance import JUDGED_TEXTS, judged_rows
from training.verdicts import MEASURED, is_held

_FOLDER = Path(__file__).parent
_DRAWN = ("text_judgements_en", "text_judgements_en_3")
_JUDGED_DRAWS = {"en": _DRAWN, "ru": ("text_judgements",)}
_SPLITS = ("split_judgements", "split_readings", "split_judgements_2", "split_judge_readings")
_TAIL = 0.02


def unseen_rows(names: Sequence[str], places: Places) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """File, sentence and row of judged texts that the model of the verdicts has not learnt from."""
    for name in names:
        for row in packed_rows(_FOLDER / f"{name}.jsonl.gz"):
            source = row.get("source") or places.text(row["place"])
            if name in MEASURED or is_held(detokenised(source)):
                yield name, source, row


def read_texts(places: Places) -> list[JudgedTexts]:
    """Judged English draws of each sentence, with their verdicts."""
    verdicts = _verdicts()
    rows = list(unseen_rows(_DRAWN, places))
    asked = [verdicts.chances(source, [text["text"] for text in row["texts"]]) for _, source, row in rows]
    return [_judged(*row, chances) for row, chances in zip(rows, asked, strict=True)]


def read_russian_texts(places: Places) -> list[JudgedTexts]:
    """Judged draws of `gemma-ru` of each sentence; no model says verdicts on them."""
    rows = ((row["model"], source, row) for source, row in judged_rows(JUDGED_TEXTS["ru"], places))
    return [_judged(*row, [None] * len(row[2]["texts"])) for row in rows if row[0].startswith("gemma-ru")]


def _judged(name: str, source: str, row: Mapping[str, Any], chances: Sequence[float | None]) -> JudgedTexts:
    """The texts of a row that were read; the others count as the rest of the pool."""
    texts = row["texts"]
    candidates = [replace(drawn(text, row["model"]), certainty=p) for text, p in zip(texts, chances, strict=True)]
    read = [i for i, text in enumerate(texts) if text["faults"] is not None]
    passed = np.array([texts[i]["faults"] in HARMLESS for i in read], dtype=bool)
    return JudgedTexts(text_features(candidates)[read], passed, name, source)


def read_simpler(language: str, places: Places) -> list[JudgedTexts]:
    """The true and well-formed judged draws of each sentence, and which of them are simpler."""
    judged: list[JudgedTexts] = []
    for file in _JUDGED_DRAWS[language]:
        for source, row in judged_rows(_FOLDER / f"{file}.jsonl.gz", places):
            texts = [text for text in row["texts"] if text["faults"] in HARMLESS]
            if texts:
                features = simplicity_features(source, [text["text"] for text in texts], language)
                simpler = np.array([not text["faults"] for text in texts], dtype=bool)
                judged.append(JudgedTexts(features, simpler, file, source))
    return judged


def drawn(text: Mapping[str, Any], model: str) -> Candidate:
    """The candidate that a judged text was."""
    return Candidate(
        text["text"],
        model,
        text["logprob"],
        text["tokens"],
        count=text["count"],
        controls=text.get("controls", ""),
        least_logprob=text.get("least_logprob"),
        source_logprob=text.get("source_logprob"),
        source_tokens=text.get("source_tokens"),
    )


def _verdicts() -> VerdictModel:
    return VerdictModel(CT2Engine(VERDICT_MODELS["en"].target))


def read_splits(places: Places) -> list[JudgedTexts]:
    """Judged splits of each sentence, a row for each reader's answer."""
    judge = LikelihoodJudge(_verdicts())
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


_KINDS: Mapping[str, tuple[Sequence[str], Callable[[Places], list[JudgedTexts]]]] = {
    "texts": (TEXT_FEATURES, read_texts),
    "texts-ru": (TEXT_FEATURES, read_russian_texts),
    "splits": (FEATURES, read_splits),
    "simpler": (SIMPLICITY_FEATURES, partial(read_simpler, "en")),
    "simpler-ru": (SIMPLICITY_FEATURES, partial(read_simpler, "ru")),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, measure, fit, save; returns the exit status."""
    parser = command_line("verdict_lines", __doc__)
    parser.add_argument("kind", choices=sorted(_KINDS))
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    return run_to_the_end("verdict_lines", lambda: _fit(given))


def _fit(given: argparse.Namespace) -> None:
    names, read = _KINDS[given.kind]
    judged = read(Places(given.data))
    report_by_model(judged, partial(fit_line, names))
    line = fit_line(names, judged)
    line.save(given.out)
    print(f"{given.out}: {line}")


if __name__ == "__main__":
    sys.exit(main())
