"""Parts of an evaluator while it learns: the loss by rank, and rows of encoders of Hugging Face."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("transformers", reason="needs transformers: pip install 'rewrite-rerank[hf]'")

from rerank.evaluator.hf import pair_rows
from tests.rerank.tiny_masked import build
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
