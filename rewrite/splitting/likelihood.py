"""How likely an editor is to pass a split, by what a language model says of it beside leaving the sentence whole.

The model is the adapter of the pretrained base that learnt from readers' verdicts (`rewrite.acceptance.verdict`); of
all that is known of a split this tells most (`training.verdict_lines splits`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.english.detokenising import detokenised
from rerank.types import FloatArray
from rewrite.acceptance.verdict import LineAcceptance, Scored, VerdictModel, log_odds
from rewrite.layout import count_words

FEATURES = ("change", "verdict")
"""ln P(split) − ln P(sentence as it is), their ends left out, and the log-odds that a reader passes the split."""
_FILE = Path(__file__).resolve().parents[1] / "models" / "splits_lm_en.json"
WORTH_READING = 0.1
"""To read one takes some tenth of a second: what the forest finds less likely than this keeps its chance."""
_LONGEST = 100
"""Words of a sentence that is judged here: the search reads hundreds of splits of a longer one, for minutes."""

Pair = tuple[str, str]


class LikelihoodJudge:
    """Judges splits that a forest has judged, once more, by a language model's verdict; `line` replaces the bundled."""

    def __init__(self, verdicts: VerdictModel, line: LineAcceptance | None = None) -> None:
        self._verdicts, self._given = verdicts, line

    @cached_property
    def _line(self) -> LineAcceptance:
        return self._given or LineAcceptance.load(_FILE, FEATURES)

    def describe(self) -> Mapping[str, object]:
        """The model that is asked, and what hears it."""
        line = hashlib.sha256(repr(self._line).encode()).hexdigest()[:12]
        return {"splits": f"{_FILE.stem}:{line}", **self._verdicts.describe()}

    def judged(self, offered: Sequence[tuple[str, Mapping[Pair, float]]]) -> list[dict[Pair, float]]:
        """The chance that each split passes, for sentences with their splits and the forest's chances of these."""
        likely = [[pair for pair, chance in chances.items() if chance >= WORTH_READING] for _, chances in offered]
        # By place, those that are not too long for the search or the model's window.
        readable = {
            i: (text, pairs)
            for i, ((text, _), pairs) in enumerate(zip(offered, likely, strict=True))
            if pairs and count_words(text) <= _LONGEST and self._verdicts.fits(detokenised(text), _texts(text, pairs))
        }
        judged = [dict(chances) for _, chances in offered]
        for (i, (_, pairs)), rows in zip(readable.items(), self.features(list(readable.values())), strict=True):
            judged[i].update(zip(pairs, self._line.predict(rows).tolist(), strict=True))
        return judged

    def features(self, offered: Sequence[tuple[str, Sequence[Sequence[str]]]]) -> list[FloatArray]:
        """The features of each sentence's splits, `[n_splits, len(FEATURES)]`; the model reads all at once."""
        asked = [(detokenised(text), _texts(text, pairs)) for text, pairs in offered]
        return [np.array([_row(split, whole) for split in splits]) for whole, *splits in self._verdicts.scored(asked)]


def _texts(text: str, pairs: Iterable[Sequence[str]]) -> list[str]:
    """What the model reads as an answer: the sentence as it is, and each split of it."""
    return [detokenised(answer) for answer in (text, *map(" ".join, pairs))]


def _row(split: Scored, whole: Scored) -> tuple[float, float]:
    change = sum(p for _, p in split[:-1]) - sum(p for _, p in whole[:-1])
    return change, log_odds(math.exp(split[-1][1]))
