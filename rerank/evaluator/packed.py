"""A small evaluator that runs without torch: an encoder in CTranslate2, a head in numpy, in one folder."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from rerank.errors import ModelNotFound
from rerank.evaluator.alone import Outputs, judged
from rerank.evaluator.heads import PARTS, WORD_PARTS, check_parts, told
from rerank.evaluator.pairs import row_of
from rerank.masked.bundled_files import HEAD, Floats, read_arrays, readable
from rerank.masked.network import PackedNetwork
from rerank.types import FloatArray

__all__ = ["OUTPUTS", "PackedEvaluator"]

OUTPUTS = "outputs.json"
_REMEMBERED = 8_192
_AT_ONCE = 4_096


class PackedEvaluator(PackedNetwork):
    """The evaluator in `folder`, as `training.evaluator` writes it; see `PackedNetwork`.

    `outputs` names what it tells: `quality`, and where it was taught them `grammar` and `content`.
    """

    def __init__(self, folder: Path | None, bundled: Path, *, reinstall: str = "", threads: int = 0) -> None:
        super().__init__(
            folder,
            bundled,
            kind="evaluator",
            step="training.evaluator",
            threads=threads,
            reinstall=reinstall,
            also=(OUTPUTS,),
        )
        if folder is None:
            self.name = f"evaluator:{self._settings.name}"
        self.language = self._settings.language
        self._known: OrderedDict[tuple[str, str], FloatArray] = OrderedDict()

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the columns of `judge`."""
        return self._outputs.names

    @cached_property
    def _outputs(self) -> Outputs:
        path = self.folder / OUTPUTS
        if not path.is_file():
            raise ModelNotFound(f"{self.folder}: it holds no evaluator: {OUTPUTS} missing.", hint=self._hint)
        with readable(path, self._hint):
            return Outputs(json.loads(path.read_text(encoding="utf-8")))

    def judge(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """What the evaluator says of each (source, text), in [0, 1], `[pairs, outputs]`.

        Of a pair that is longer than the window the end of the longer text is left out (`round_robin`). A source may
        be empty: then only what was learnt of texts alone is told with reason (`grammar`); so it is of a text that is
        its own source.
        """
        return judged(self._remembered, pairs, self._outputs, self.language)

    def _remembered(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        known = {pair: self._known[pair] for pair in pairs if pair in self._known}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        for start in range(0, len(new), _AT_ONCE):
            chosen = new[start : start + _AT_ONCE]
            known.update(zip(chosen, self._judged(chosen), strict=True))
        self._remember(known)
        return np.array([known[pair] for pair in pairs], dtype=np.float64).reshape(len(pairs), len(self.outputs))

    def _remember(self, found: dict[tuple[str, str], FloatArray]) -> None:
        for pair, values in found.items():
            self._known[pair] = values
            self._known.move_to_end(pair)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _judged(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        tokens, repeats = self._encoder.tokens, self._outputs.repeats
        rows = [row_of(source, text, tokens, self._settings, repeats=repeats) for source, text in pairs]
        vectors = self._encoder.vectors([row.tokens for row in rows], [row.kinds for row in rows])
        with readable(self.folder / HEAD, self._hint):
            return told(vectors, rows, self._weights, self._outputs.likely)

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        with readable(self.folder / HEAD, self._hint):
            arrays = read_arrays(self.folder)
            parts = (*PARTS, *WORD_PARTS) if self._outputs.likely else PARTS
            found = {name: arrays[name].astype(np.float32) for name in parts}
            check_parts(found, len(self.outputs), len(self._outputs.likely))
        return found
