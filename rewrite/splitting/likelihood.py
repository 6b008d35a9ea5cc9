"""How likely an editor is to pass a split, by how probable a language model finds it beside leaving the sentence whole.

The model is the adapter of the pretrained base for English, which has learnt to split sentences, and from readers'
verdicts; of all that is known of a split this tells most (`training.text_acceptance --splits-lm`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from rerank.english.detokenising import detokenised
from rerank.types import FloatArray
from rewrite.controls import Controls
from rewrite.engines.base import ModelInput, TokenScoring
from rewrite.forest import TreeAcceptance
from rewrite.prompting import Prompt, load_prompt

FEATURES = ("forest", "change", "change_mean", "least", "end")
"""Log-odds of the forest's chance; ln P(split) − ln P(sentence as it is), in all and by token; ln P of the least
probable token of the split but for its end, and of the end token."""
_FILE = Path(__file__).resolve().parents[1] / "models" / "splits_lm_en.npz"
_PROMPT = "gemma_en"
_ASKED = Controls("split", 10, 2, 4)
WORTH_READING = 0.1
"""To read one takes some tenth of a second: what the forest finds less likely than this keeps its chance."""
_LEAST = 1e-3

Pair = tuple[str, str]
Scored = Sequence[tuple[str, float]]


class LikelihoodJudge:
    """Judges splits that a forest has judged, once more, by the language model that `engine` runs.

    `model` replaces the bundled trees.
    """

    def __init__(self, engine: TokenScoring, model: TreeAcceptance | None = None) -> None:
        self._engine, self._given = engine, model

    @cached_property
    def _prompt(self) -> Prompt:
        return load_prompt(_PROMPT)

    @cached_property
    def _model(self) -> TreeAcceptance:
        return self._given or TreeAcceptance.load(_FILE, FEATURES)

    def describe(self) -> Mapping[str, object]:
        """The model that is asked, and the trees that hear it."""
        arrays = self._model.trees.arrays().values()
        trees = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:12]
        return {"splits": f"{_FILE.stem}:{trees}", **{f"splits.{k}": v for k, v in self._engine.describe().items()}}

    def judged(self, offered: Sequence[tuple[str, Mapping[Pair, float]]]) -> list[dict[Pair, float]]:
        """The chance that each split passes, for sentences with their splits and the forest's chances of these."""
        likely = [
            (text, {pair: chance for pair, chance in chances.items() if chance >= WORTH_READING})
            for text, chances in offered
        ]
        # By place, those that the model's window holds.
        readable = {
            i: part for i, part in enumerate(likely) if part[1] and not self._engine.too_long(*self._asked(*part))
        }
        judged = [dict(chances) for _, chances in offered]
        for (i, (_, chances)), rows in zip(readable.items(), self.features(list(readable.values())), strict=True):
            judged[i].update(zip(chances, self._model.predict(rows).tolist(), strict=True))
        return judged

    def features(self, offered: Sequence[tuple[str, Mapping[Pair, float]]]) -> list[FloatArray]:
        """The features of each sentence's splits, `[n_splits, len(FEATURES)]`; the model reads all at once."""
        asked = [self._asked(text, pairs) for text, pairs in offered]
        inputs, answers = (list(chain(*parts)) for parts in zip(*asked, strict=True)) if asked else ([], [])
        scored = iter(self._engine.token_logprobs(inputs, answers))
        rows: list[FloatArray] = []
        for _, pairs in offered:
            whole = next(scored)
            rows.append(np.array([_row(chance, next(scored), whole) for chance in pairs.values()]))
        return rows

    def _asked(self, text: str, pairs: Iterable[Pair]) -> tuple[list[ModelInput], list[str]]:
        """What the model reads: the sentence as its own answer, and each split of it."""
        answers = [detokenised(answer) for answer in (text, *map(" ".join, pairs))]
        return [self._prompt.render(answers[0], _ASKED.text)] * len(answers), answers


def _row(chance: float, split: Scored, whole: Scored) -> tuple[float, ...]:
    inside = min(max(chance, _LEAST), 1 - _LEAST)
    said, kept = np.array([p for _, p in split]), np.array([p for _, p in whole])
    odds = math.log(inside / (1 - inside))
    return odds, said.sum() - kept.sum(), said.mean() - kept.mean(), said[:-1].min(initial=0.0), said[-1]
