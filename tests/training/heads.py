"""What tests of heads share: data and a masked model to learn from, recipes, and runs that are over or that stop."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from training.finetuning.trainer import Judge
from training.heads.encoder import pack_network
from training.heads.options import MaskedOptions
from training.masked.model import new_model
from training.masked.vocabulary import read_vocabulary, train_vocabulary
from training.recipe import Run, load_recipe

_LEARNING: Mapping[str, Any] = {
    "dropout": 0.0,
    "batch_tokens": 512,
    "precision": "fp32",
    "device": "cpu",
    "threads": 1,
    "data": [{"name": "pairs of a grammar", "licence": "none stated"}],
}
_NAMES = "Alan Shepard|Mary Jones|Tom Smith|Anna Brown|Peter White|Helen Black".split("|")
_PLACES = "Rome|Paris|Berlin|Madrid|London|Vienna|Oslo|Prague".split("|")
_BUILT = "wrote a long book|sold the old house|played for the club|lost a red car|met the mayor".split("|")
NOUNS, VERBS = "cat dog man ship bird girl".split(), "saw heard liked met found".split()
_OUTPUTS = {"quality": ["word-replacement", "cross-pair"], "grammar": ["word-replacement"]}


@dataclass(frozen=True)
class Place:
    """Where things lie: the data folder, the masked model, and a run, which mostly is over."""

    data: Path
    encoder: Path
    run: Path

    @property
    def model(self) -> Path:
        return self.run / "model"


def write_section(folder: Path, name: str, section: str, values: Mapping[str, Any]) -> Path:
    """A recipe `name` whose only section learns on one thread in 32 bits, with further `values`."""
    path = folder / "recipe.yaml"
    recipe = {"name": name, "language": "en", "seed": 3, section: {**_LEARNING, **values}}
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return path


def stop_and_go_on(
    main: Callable[[list[str]], int],
    arguments: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """Run a command twice, with Ctrl-C where the first looks at dev examples; what the second prints."""

    def stop(self: Judge, model: object, step: int) -> float:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Judge, "judge", stop)
        assert main([*arguments]) == 130
    assert "stopped" in capsys.readouterr().err
    assert not (Path(arguments[arguments.index("--out") + 1]) / "model").exists()
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def broken_copy(model: Path, copy: Path, name: str, content: str | None) -> Path:
    """A copy of a packed folder whose file `name` has this content, or is missing."""
    shutil.copytree(model, copy)
    if content is None:
        (copy / name).unlink()
    else:
        (copy / name).write_text(content, encoding="utf-8")
    return copy


def without_torch(code: str) -> str:
    """What some code prints in a process that has no torch and no transformers."""
    code = f"import sys\nsys.modules['torch'] = sys.modules['transformers'] = None\nfrom pathlib import Path\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


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
    options = MaskedOptions.model_validate(
        {"files": ["x"], "steps": 1, "width": 256, "layers": 1, "heads": 4, "window": window}
    )
    texts = [text for joined, simple in pairs(0, 200) for text in (joined, *simple)]
    vocabulary = train_vocabulary(texts, 200, language="en")
    new_model(options, vocabulary.get_vocab_size(), seed=1).save_pretrained(folder)
    vocabulary.save(str(folder / "tokenizer.json"))
    read_vocabulary(folder, options.window).save_pretrained(folder)
    return folder


def write_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns from `write_data` for a few steps."""
    splitter: dict[str, Any] = {
        "encoder": str(encoder),
        "sets": ["wikisplit-tune"],
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


def sentence(rng: random.Random) -> str:
    """*The cat saw a dog.*, as CoNLL-U."""
    first, second, verb = rng.choice(NOUNS), rng.choice(NOUNS), rng.choice(VERBS)
    rows = [
        ("The", "the", "DET", "DT", "_", 2, "det", "_"),
        (first, first, "NOUN", "NN", "Number=Sing|Gender=Neut", 3, "nsubj", "_"),
        (verb, verb, "VERB", "VBD", "Tense=Past|VerbForm=Fin", 0, "root", "_"),
        ("a", "a", "DET", "DT", "_", 5, "det", "_"),
        (second, second, "NOUN", "NN", "Number=Sing", 3, "obj", "SpaceAfter=No"),
        (".", ".", "PUNCT", ".", "_", 3, "punct", "_"),
    ]
    return "\n".join(
        f"{n}\t{form}\t{lemma}\t{pos}\t{tag}\t{feats}\t{head}\t{rel}\t_\t{misc}"
        for n, (form, lemma, pos, tag, feats, head, rel, misc) in enumerate(rows, 1)
    )


def treebank(path: Path, documents: dict[str, int], *, url: str = "https://example.org/a") -> Path:
    rng = random.Random(1)
    parts = [
        f"# newdoc id = {name}\n# meta::sourceURL = {url}\n" + "\n\n".join(sentence(rng) for _ in range(count))
        for name, count in documents.items()
    ]
    path.write_text("\n\n".join(parts) + "\n\n", encoding="utf-8")
    return path


def write_trees_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns forty sentences of two documents, with a third one to look at."""
    treebank(folder / "one.conllu", {"a": 30, "b": 10, "held": 5})
    treebank(folder / "dev.conllu", {"held": 5})
    parser = {
        "licence": "CC0",
        "train": [{"files": str(folder / "o*.conllu"), "what": "A treebank", "licence": "CC BY 4.0"}],
        "dev": str(folder / "dev.conllu"),
    }
    recipe = {"name": "tiny", "language": "en", "parser": parser}
    (folder / "treebanks.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    trees: dict[str, Any] = {
        "encoder": str(encoder),
        "treebanks": str(folder / "treebanks.yaml"),
        "steps": 60,
        "learning_rate": 3e-3,
        "warmup": 4,
        "save_every": 15,
        "log_every": 30,
        "judge_every": 30,
    }
    return write_section(folder, "trees-tiny", "trees", {**trees, **changed})


def open_trees(folder: Path, out: Path, encoder: Path, data: Path | None = None, **changed: Any) -> Run:
    """The run of `write_trees_recipe`."""
    return Run(load_recipe(write_trees_recipe(folder, encoder, **changed)), out, str(data) if data else None)


def write_whole_recipe(folder: Path, encoder: Path, **changed: Any) -> Path:
    """A recipe that learns from `write_data` for a few steps."""
    whole: dict[str, Any] = {
        "encoder": str(encoder),
        "pairs": {"wikisplit-tune": 60},
        "dev": 30,
        "steps": 60,
        "learning_rate": 2e-3,
        "warmup": 4,
        "save_every": 15,
        "log_every": 30,
        "judge_every": 30,
    }
    return write_section(folder, "whole-tiny", "whole", {**whole, **changed})


def open_whole(folder: Path, out: Path, data: Path, encoder: Path, **changed: Any) -> Run:
    """The run of `write_whole_recipe`."""
    return Run(load_recipe(write_whole_recipe(folder, encoder, **changed)), out, str(data))


def write_judge(folder: Path, *, window: int = 122) -> Path:
    """A packed judge with random weights, which runs as a trained one does."""
    import torch

    from training.whole.network import WholeNetwork

    encoder = write_encoder(folder / "encoder", window=window)
    torch.manual_seed(0)
    network = WholeNetwork(encoder, 0.0)
    pack_network(network, encoder, folder / "judge", name="untaught")
    return folder / "judge"


def write_evaluator_recipe(folder: Path, base: str, **changed: Any) -> Path:
    """A recipe that learns from `write_data` for a few steps."""
    values: dict[str, Any] = {
        "encoder": base,
        "positives": {"wikisplit-tune": 60},
        "outputs": _OUTPUTS,
        "window": 96,
        "dev": 8,
        "steps": 80,
        "learning_rate": 2e-3,
        "warmup": 4,
        "save_every": 20,
        "log_every": 40,
        "judge_every": 40,
        **changed,
    }
    if "epochs" in changed:
        del values["steps"]
    return write_section(folder, "evaluator-tiny", "evaluator", values)


def open_evaluator(folder: Path, out: Path, data: Path, base: str, **changed: Any) -> Run:
    """The run of `write_evaluator_recipe`, on the encoder that a recipe would name `base`."""
    return Run(load_recipe(write_evaluator_recipe(folder, base, **changed)), out, str(data))
