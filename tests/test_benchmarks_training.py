"""The benchmark of training: both take the same steps, turn by turn, and the ratio is of their seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'rewrite-rerank[hf]'")
pytest.importorskip("accelerate", reason="needs accelerate: pip install accelerate")

from benchmarks import training
from training.packed import write_pack


def test_trainer_and_loop_take_turns_over_the_same_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from transformers import PegasusForConditionalGeneration

    done: list[tuple[int, ...]] = []
    loops: list[int] = []
    forward, run = PegasusForConditionalGeneration.forward, training.BareLoop.run

    def noted(self: Any, *given: Any, **named: Any) -> Any:
        done.append((*named["input_ids"].shape, len(loops) % 2))
        return forward(self, *given, **named)

    def turn(self: training.BareLoop, first: int, end: int) -> training.Seconds:
        loops.append(first)
        found = run(self, first, end)
        loops.append(end)
        return found

    monkeypatch.setattr(PegasusForConditionalGeneration, "forward", noted)
    monkeypatch.setattr(training.BareLoop, "run", turn)
    assert training.main(["--steps", "4", "--block", "2", "--batch-tokens", "128"]) in (0, 1)
    # A block that is not timed, and two that are; the step that ends the last one is the Trainer's alone.
    assert loops == [0, 2, 2, 4, 4, 6]
    ours, bare = ([step[:2] for step in done if step[2] == whose] for whose in (0, 1))
    assert len(ours) == 7
    assert bare == ours[:6]
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "8.5 M parameters, 7 steps of each, 2 at a time"
    assert told[2].startswith("tokens/s ")


def test_tokens_and_ratios_are_of_the_blocks_that_are_timed(tmp_path: Path) -> None:
    write_pack(tmp_path, [([5] * 10, [6] * 6)] * 3)
    found = training.SideBySide([training.Pack(tmp_path)], [1.0], tokens=10, causal=False, seed=0, pad=2, updates=7)
    found.ours, found.bare = [(50.0, 9.0), (2.0, 1.0), (2.0, 1.0)], [(1.0, 1.0), (1.0, 0.5), (3.0, 0.9)]
    lines, ratio = training._table(found, 2)
    assert ratio == pytest.approx(0.7)
    # Of steps 2 to 5, of 16 tokens each.
    assert lines[1].split()[1:3] == ["16", "16"]
    assert "100.0%, 100.0%" in lines[1]
    assert lines[2].split()[4:6] == ["32", "46"]
