"""A small data folder of split sentences, a masked model as wide as a splitter's, and a recipe for both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.training.heads import write_section
from training.masked.model import new_model
from training.masked.options import MaskedOptions
from training.masked.vocabulary import SPECIAL, train_vocabulary
from training.recipe import Run, load_recipe

_NAMES = "Alan Shepard|Mary Jones|Tom Smith|Anna Brown|Peter White|Helen Black".split("|")
_PLACES = "Rome|Paris|Berlin|Madrid|London|Vienna|Oslo|Prague".split("|")
_BUILT = "wrote a long book|sold the old house|played for the club|lost a red car|met the mayor".split("|")


def pairs(first: int, count: int) -> list[tuple[str, tuple[str, str]]]:
    """Complex sentences with their simple ones, another for each number."""
    found = []
    for number in range(first, first + count):
        name, place = _NAMES[number % 6], _PLACES[number // 6 % 8]
        did = f"{_BUILT[number // 48 % 5]} in {1900 + number % 97}"
        pronoun = "He" if number % 2 == 0 else "She"
        one = f"{name} was born in {place} ."
        joined = (f"{one[:-2]} and {pronoun.lower()} {did} .", f"{one[:-2]} and {did} .")[number % 3 == 0]
        found.append((joined, (one, f"{pronoun} {did} .")))
    return found


def write_data(folder: Path) -> Path:
    """A data folder with WikiSplit's two files: 60 pairs to learn from, four to look at, and two that measure."""
    (folder / "wikisplit").mkdir(parents=True)
    rows = [f"{joined}\t{' <::::> '.join(simple)}\n" for joined, simple in pairs(0, 60)]
    (folder / "wikisplit" / "tune.tsv").write_text("".join(rows), encoding="utf-8")
    dev = [f"{joined}\t{' <::::> '.join(simple)}\n" for joined, simple in pairs(1000, 4)]
    # Rows without a sentence are passed over.
    filled = ["\t\n"] * 3_500 + dev + ["\t\n"] * 496
    last = [f"{joined}\t{' <::::> '.join(simple)}\n" for joined, simple in pairs(7, 2)]
    (folder / "wikisplit" / "validation.tsv").write_text("".join([*filled, *last]), encoding="utf-8")
    return folder


def write_encoder(folder: Path, *, window: int = 122) -> Path:
    """A masked language model with random weights, one layer of the width that a splitter has."""
    from transformers import PreTrainedTokenizerFast

    options = MaskedOptions.model_validate(
        {"files": [{"path": "x"}], "steps": 1, "width": 256, "layers": 1, "heads": 4, "window": window}
    )
    texts = [text for joined, simple in pairs(0, 200) for text in (joined, *simple)]
    vocabulary = train_vocabulary(texts, 200, language="en")
    new_model(options, vocabulary.get_vocab_size(), seed=1).save_pretrained(folder)
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True))
    PreTrainedTokenizerFast(tokenizer_object=vocabulary, **names).save_pretrained(folder)
    return folder


def write_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns from `write_data` for a few steps."""
    splitter: dict[str, Any] = {
        "encoder": str(encoder),
        "sets": ["wikisplit-tune"],
        "fusions": 0,
        "whole": {"wikisplit-tune": 0.5},
        "least": 2,
        "steps": 24,
        "learning_rate": 3e-3,
        "warmup": 2,
        "schedule": "hold",
        "save_every": 6,
        "log_every": 12,
        "judge_every": 12,
    }
    return write_section(folder, "split-tiny", "splitter", {**splitter, **changed})


def open_recipe(folder: Path, out: Path, data: Path, encoder: Path, **changed: Any) -> Run:
    """The run of `write_recipe`."""
    return Run(load_recipe(write_recipe(folder, encoder, **changed)), out, str(data))
