"""A trained pipeline as a folder to ship: spaCy's own files, a card, a licence line for each treebank, checksums."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewrite.checksums import write_sums
from rewrite.errors import BadModel
from training.disk import write_folder
from training.parsing.learning import FIGURES, Progress, Seen
from training.parsing.options import ParserRecipe

__all__ = ["pack"]

Figures = Mapping[str, Mapping[str, float]]


def pack(
    pipeline: Path, target: Path, *, recipe: ParserRecipe, seen: Sequence[Seen], figures: Figures, progress: Progress
) -> int:
    """Write the pipeline with its card to `target`; returns its bytes.

    `figures` are those of `training.parsing.learning.measure` by the name of the set. Nothing in the folder depends on
    when or where it was written. Raises `BadModel` where it is larger than the recipe allows.
    """
    import spacy

    nlp = spacy.load(pipeline)
    nlp.meta.update(_meta(recipe, figures))

    def write(folder: Path) -> None:
        nlp.to_disk(folder)
        _forget_paths(folder / "config.cfg")
        (folder / "card.json").write_text(_card(recipe, seen, figures, progress), encoding="utf-8")
        (folder / "README.md").write_text(_readme(recipe, seen, figures, progress), encoding="utf-8")
        write_sums(folder)

    write_folder(target, write)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    if size > recipe.max_megabytes * 1e6:
        raise BadModel(
            f"{target}: {size / 1e6:.1f} MB, more than the {recipe.max_megabytes:g} MB of the recipe.",
            hint="Raise max_megabytes, or take fewer rows in training/parsing/pipeline.cfg.",
        )
    return size


def _forget_paths(settings: Path) -> None:
    """Paths of the training are of no use to anybody else, and its logger is known to nobody else."""
    from spacy.util import load_config

    config = load_config(settings)
    for part in ("train", "dev"):
        config["corpora"][part]["path"] = None
    config["training"]["logger"] = {"@loggers": "spacy.ConsoleLogger.v1"}
    config.to_disk(settings)


def _meta(recipe: ParserRecipe, figures: Figures) -> dict[str, Any]:
    return {
        "name": recipe.name.removeprefix("en-").replace("-", "_"),
        "version": recipe.version,
        "description": recipe.summary,
        "license": recipe.licence,
        "author": "",
        "email": "",
        "url": "",
        "sources": [{"name": t.what, "license": t.licence} for t in recipe.train],
        "performance": {key: value / 100 for key, value in figures["dev"].items() if key in FIGURES},
    }


def _card(recipe: ParserRecipe, seen: Sequence[Seen], figures: Figures, progress: Progress) -> str:
    data = {
        "name": recipe.name,
        "version": recipe.version,
        "summary": recipe.summary,
        "language": "en",
        "licence": recipe.licence,
        "data": [
            {
                "what": s.treebank.what,
                "licence": s.treebank.licence,
                "documents": s.documents,
                "sentences": s.sentences,
                "words": s.words,
            }
            for s in seen
        ],
        "figures": {name: {k: v for k, v in row.items() if k in FIGURES} for name, row in figures.items()},
        "seed": recipe.seed,
        "steps": progress.steps,
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _readme(recipe: ParserRecipe, seen: Sequence[Seen], figures: Figures, progress: Progress) -> str:
    sets = "\n".join(
        f"| {s.treebank.what} | {s.treebank.licence} | {s.documents} | {s.sentences:,} | {s.words:,} |" for s in seen
    )
    names = list(figures)
    rows = "\n".join(
        f"| {label} | {' | '.join(_shown(figures[name].get(key)) for name in names)} |"
        for key, label in FIGURES.items()
        if any(key in figures[name] for name in names)
    )
    return f"""# {recipe.name} {recipe.version}

{recipe.summary}

A spaCy pipeline for English: parts of speech and features, dependency parse and sentences in Universal Dependencies,
lemmas, and names of people, places and organisations. It has no word vectors.

- Licence: {recipe.licence}
- Made by: `python -m training.english_parser {recipe.name} --out FOLDER --data DIR`; seed {recipe.seed}, \
{progress.steps:,} steps.
- Load it: `rerank.english.EnglishAnalyzer("FOLDER")` or `spacy.load("FOLDER")`.

## What it has seen

| what | licence, as stated at the origin | documents | sentences | words |
| --- | --- | --- | --- | --- |
{sets}

No document of the sets it is measured on is among them.

## How good it is (%)

| | {" | ".join(names)} |
| --- |{" --- |" * len(names)}
{rows}

## Limits

A small model errs more in long sentences, in speech and where words are rare. Whoever cuts or splits a text by its
parse should check what comes out.
"""


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
