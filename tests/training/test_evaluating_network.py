"""Parts of an evaluator while it learns: the loss by rank, rows of encoders of Hugging Face, and what is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rerank.evaluator.hf import pair_rows
from tests.rerank.tiny_masked import build
from training.evaluating.examples import Taught
from training.evaluating.likelihood import pairwise
from training.evaluating.network import misranked


def test_a_text_below_a_worse_one_of_its_source_costs_and_others_do_not() -> None:
    import torch

    logits = torch.tensor([[2.0, 0.0], [5.0, 0.0], [-1.0, 0.0], [9.0, 0.0]])
    labels = torch.tensor([[1.0, -1.0], [0.3, 0.5], [0.0, -1.0], [0.0, -1.0]])
    groups = torch.tensor([4, 4, 4, -1])
    # The first is 3 below the second and 3 above the third, the second 6 above it; the other output tells one alone.
    wanted = sum(np.log1p(np.exp(apart)) for apart in (3, -3, -6)) / 3
    assert float(misranked(logits, labels, groups)) == pytest.approx(wanted)
    assert float(misranked(logits, labels, torch.tensor([1, 2, -1, -1]))) == 0


def test_rows_of_hugging_face_are_trimmed_by_turns(tmp_path: Path) -> None:
    from rerank.checkpoint import load_tokenizer

    tokenizer = load_tokenizer(build("bert", tmp_path / "bert"))
    # This tokenizer puts no marks around pairs.
    (row,) = pair_rows(tokenizer, [("cold " * 40, "rain snow")], 16)
    assert (row.kinds.count(0), row.kinds.count(1)) == (14, 2)
    (both,) = pair_rows(tokenizer, [("cold " * 40, "snow " * 40)], 16)
    assert (both.kinds.count(0), both.kinds.count(1)) == (8, 8)


def test_a_mutation_is_compared_with_the_text_that_it_was_made_of() -> None:
    examples = [
        Taught("s", "good", {"q": 1.0}, "", 0),
        Taught("s", "bad", {"q": 0.5}, "names", 0),
        Taught("s", "even", {"q": 0.5}, "order", 0),
        Taught("t", "good", {"q": 1.0}, "", 1),
        Taught("t", "bad", {"q": 0.5}, "names", 1),
        # Its good text is not there: there is nothing to compare with.
        Taught("u", "bad", {"q": 0.5}, "names", 2),
    ]

    class Batches:
        def __init__(self) -> None:
            self.examples = examples

    values = np.array([0.9, 0.2, 0.9, 0.3, 0.6, 0.1])
    found = pairwise(Batches(), values, np.ones(6, dtype=bool))  # type: ignore[arg-type]
    assert found == {"names": 0.5, "order": 0.5, "pairs": 0.5}
