"""A small text to learn from, a recipe for it, and a masked model with random weights."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import yaml

from training.heads.options import MaskedOptions
from training.masked.model import new_model
from training.masked.vocabulary import read_vocabulary, train_vocabulary
from training.recipe import Run, load_recipe

_WHO = "the old woman|a tall farmer|our new teacher|the mayor of the town|my brother's wife|a well-known singer".split(
    "|"
)
_DID = "did not buy|sold|couldn't find|looked for|has lost|wanted to see".split("|")
_WHAT = "a red house|the 1,300 letters|some fresh bread|her black dog|an open window|the long-awaited book".split("|")
_WHEN = "on Monday|last year|in the evening|before the war|yesterday|in 2016".split("|")
HELD_BACK = "The mayor of the town sold her black dog before the war."


def sentences() -> list[str]:
    """All sentences of a small grammar, in an order that looks random and is always the same."""
    every = [f"{who} {did} {what} {when}." for who in _WHO for did in _DID for what in _WHAT for when in _WHEN]
    random.Random(0).shuffle(every)
    return [text[0].upper() + text[1:] for text in every]


def write_recipe(folder: Path, **changed: Any) -> Path:
    """A recipe for 600 of these sentences, three to a paragraph, with a held-back file."""
    texts = sentences()[:600]
    lines = [" ".join(texts[i : i + 3]) for i in range(0, len(texts), 3)]
    (folder / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "measures.txt").write_text(HELD_BACK, encoding="utf-8")
    masked: dict[str, Any] = {
        "files": [str(folder / "text.txt")],
        "held_back": [str(folder / "measures.txt")],
        "held_out": 0.05,
        "vocabulary": 150,
        "window": 48,
        "width": 32,
        "layers": 1,
        "heads": 2,
        "steps": 9,
        "batch_tokens": 512,
        "learning_rate": 3e-3,
        "warmup": 2,
        "schedule": "hold",
        "precision": "fp32",
        "device": "cpu",
        "threads": 1,
        "save_every": 3,
        "log_every": 3,
        "judge_every": 5,
        "licence": "mit",
        "data": [{"name": "a grammar", "licence": "none stated"}],
    }
    path = folder / "recipe.yaml"
    recipe = {"name": "mlm-tiny", "language": "en", "seed": 3, "masked": {**masked, **changed}}
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return path


def open_recipe(folder: Path, out: Path, **changed: Any) -> Run:
    """The run of `write_recipe`."""
    return Run(load_recipe(write_recipe(folder, **changed)), out)


def random_model(folder: Path) -> Path:
    """A checkpoint with its tokenizer, of a model with large random weights: its answers differ from word to word."""
    import torch

    options = MaskedOptions.model_validate(
        {"files": ["x"], "steps": 1, "width": 32, "layers": 2, "heads": 2, "window": 48}
    )
    vocabulary = train_vocabulary(sentences(), 200, language="en")
    model = new_model(options, vocabulary.get_vocab_size(), seed=1)
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(0.2 * torch.randn(weights.shape, generator=generator))
    model.save_pretrained(folder)
    vocabulary.save(str(folder / "tokenizer.json"))
    read_vocabulary(folder, options.window).save_pretrained(folder)
    return folder
