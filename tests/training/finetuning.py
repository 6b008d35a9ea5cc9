"""What tests of fine-tuning share: a recipe around a tiny model, and pairs to learn from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from training.finetune import main

__all__ = ["PAIRS", "recipe", "redraw", "run", "weights"]

PAIRS = (
    ("Филипп женился в седьмой раз на знатной македонянке Клеопатре.", "Филипп женился на Клеопатре."),
    ("Дети нашли во дворе большую рыжую кошку, которая спала на старом диване.", "Дети нашли рыжую кошку."),
    ("Пётр Первый основал город на берегу Невы.", "Пётр основал город."),
    ("Книга лежала на столе; никто её не читал.", "Книгу никто не читал."),
    ("Учёные обнаружили, что новая планета вращается вокруг далёкой звезды.", "Учёные обнаружили планету."),
    ("Дождь шёл весь день, и дети сидели дома.", "Шёл дождь."),
)


def recipe(folder: Path, model: Path | str, learnt: Sequence[tuple[str, str]] = PAIRS, **changes: Any) -> Path:
    """A recipe file in `folder` with its pairs beside it; it makes six steps and a checkpoint after each second."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = (json.dumps({"source": s, "target": t}, ensure_ascii=False) + "\n" for s, t in learnt)
    (folder / "pairs.jsonl").write_text("".join(rows), encoding="utf-8")
    options: dict[str, Any] = {
        "model": str(model),
        "pairs": [str(folder / "pairs.jsonl")],
        "steps": 6,
        "batch_tokens": 128,
        "learning_rate": 0.003,
        "save_every": 2,
        "log_every": 1,
        "threads": 1,
        "device": "cpu",
        "precision": "fp32",
    }
    path = folder / "recipe.yaml"
    settings: Mapping[str, Any] = {k: v for k, v in {**options, **changes}.items() if v is not None}
    path.write_text(yaml.safe_dump({"name": "tiny", "seed": 3, "finetune": settings}, allow_unicode=True), "utf-8")
    return path


def redraw(folder: Path, **changes: float) -> Path:
    """The tiny model of `folder` with `changes` in its config and its weights drawn anew, narrower: those can learn."""
    import torch
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder)
    kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    for name, value in changes.items():
        setattr(config, name, value)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        kind.from_config(config).save_pretrained(folder)
    return folder


def run(path: Path, out: Path, *flags: str) -> int:
    """The command's exit status."""
    return main([str(path), "--out", str(out), *flags])


def weights(out: Path) -> bytes:
    """The file of the trained weights."""
    return (out / "model" / "model.safetensors").read_bytes()
