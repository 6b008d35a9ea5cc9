"""Train the model of which drawn texts an editor passes, on texts that readers judged.

    python -m training.text_acceptance --data ../shared/data --out rewrite/models/texts_ru.npz

`training/text_judgements.jsonl.gz` holds, for sentences of the news and wiki files (by file and line), what `ru-small`
drew for them, with log-probabilities and counts, and for those that were read the faults that a reader found: `w` not
well formed, `f` not factual, `p` main point lost, `n` no simpler, none for one that he would print; `null` for those
not read. Prints the area under the ROC curve by 8-fold cross-validation over sentences.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.analysis import Analyzer
from rerank.scorer import Context
from rerank.types import Candidate, FloatArray
from rewrite.gain.text_acceptance import DrawnTextReader, TextAcceptance
from training.acceptance import fit_net, mono_sentences
from training.ranking import print_calibration, shares_passed

__all__ = ["main", "read_text_judgements", "train_text_acceptance"]

JUDGEMENTS = Path(__file__).parent / "text_judgements.jsonl.gz"
_FOLDS = 8
# A text that is true and printable but no simpler is no fault of its form or sense.
_HARMLESS = frozenset({"", "n"})

Judged = tuple[FloatArray, npt.NDArray[np.bool_]]
"""Of the judged texts of one sentence: features `[n, k]`, and whether each passed `[n]`."""


def read_text_judgements(analyzer: Analyzer, data: Path, file: Path = JUDGEMENTS) -> list[Judged]:
    """The judged texts of each sentence; features see all that was drawn for it."""
    reader, context = DrawnTextReader(), Context(analyzer)
    found: list[Judged] = []
    for source, row in _judged_sentences(data, file):
        candidates = [Candidate(t["text"], "ru-small", t["logprob"], t["tokens"], count=t["count"]) for t in row]
        features = reader.features(source, candidates, context)
        judged = [i for i, t in enumerate(row) if t["faults"] is not None]
        passed = np.array([row[i]["faults"] in _HARMLESS for i in judged], dtype=bool)
        found.append((features[judged], passed))
    return found


def _judged_sentences(data: Path, file: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    texts = mono_sentences(data)
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        row = json.loads(line)
        yield texts[row["corpus"]][row["line"]], row["texts"]


def train_text_acceptance(judged: Sequence[Judged]) -> TextAcceptance:
    """The model from judged texts."""
    return TextAcceptance(fit_net(np.vstack([x for x, _ in judged]), np.concatenate([y for _, y in judged])))


def _report(judged: Sequence[Judged]) -> None:
    from sklearn.metrics import roc_auc_score

    chances: list[FloatArray] = [np.zeros(0)] * len(judged)
    for k in range(_FOLDS):
        model = train_text_acceptance([one for i, one in enumerate(judged) if i % _FOLDS != k])
        for i in range(k, len(judged), _FOLDS):
            chances[i] = model.predict(judged[i][0])
    p, passed = np.concatenate(chances), np.concatenate([y for _, y in judged])
    print(f"{len(p)} texts of {len(judged)} sentences, {passed.mean():.3f} passed, AUC {roc_auc_score(passed, p):.3f}")
    print(f"passed among the likeliest 10 / 20 / 40 / 60 %: {shares_passed(p, passed)}")
    print("calibration: predicted – passed (number)")
    print_calibration(p, passed)


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
