"""Models that lie in the package: generators, each a folder in `rewrite/models` of its name, and those of splitting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rerank.errors import ModelNotFound, install_again
from rewrite.base.adapters import ADAPTERS
from rewrite.checksums import has_sums

__all__ = [
    "EVALUATORS",
    "OF_SPLITTER",
    "PARAPHRASES",
    "PARSER",
    "REINSTALL",
    "RESERVED",
    "SENTENCE_JUDGE",
    "SPLITTER",
    "bundled_folder",
    "bundled_models",
    "not_bundled",
    "spelled_out",
]

# What a release may bundle. A name that is asked for and is not there is then told from a mistyped one.
RESERVED = ("ru-small",)
REINSTALL = install_again("rewrite")
"""What to do about a bundled model whose files are not those of the release."""
_ROOT = Path(__file__).resolve().parent / "models"
SPLITTER = Path(__file__).resolve().parent / "splitting" / "model"
"""The folder of the network that proposes splits."""
SENTENCE_JUDGE = Path(__file__).resolve().parent / "splitting" / "whole"
"""The folder of the judge that tells whole sentences from broken ones."""
PARSER = Path(__file__).resolve().parents[1] / "rerank" / "english" / "trees" / "model"
"""The folder of the parser of English sentences."""
OF_SPLITTER = MappingProxyType({"split-en": SPLITTER, "trees-en": PARSER, "whole-en": SENTENCE_JUDGE})
"""What `rewrite split` runs, by the names of the recipes."""

_TABLES = Path(__file__).resolve().parents[1] / "rerank" / "models"
PARAPHRASES = MappingProxyType({name: _TABLES / name for name in ("paraphrases-en", "paraphrases-ru")})
"""What ParaEval looks phrases up in, by the names of the tables."""
EVALUATORS = MappingProxyType(
    {name: _TABLES / name for name in ("evaluator-rewrites-en", "evaluator-rewrites-ru", "evaluator-summaries-en")}
)
"""What `rewrite judge` and the component `quality` ask, by the names of the recipes."""


def bundled_models() -> Mapping[str, Path]:
    """The folder of each bundled generator by its name, sorted; files in it may be missing."""
    folders = sorted(path for path in _ROOT.iterdir() if (path / "model.bin").is_file() or has_sums(path))
    return {path.name: path for path in folders}


def bundled_folder(name: str) -> Path | None:
    """The folder of the bundled generator `name`; `None` where no such one is known.

    Raises `ModelNotFound` for one that other releases bundle, and for one whose weights are missing.
    """
    # Cheap, and the usual answer: a path or a hub's name.
    if "/" in name or "\\" in name:
        return None
    folder = bundled_models().get(name)
    if folder is None and name in RESERVED:
        raise not_bundled(name)
    if folder is not None and not (folder / "model.bin").is_file():
        raise ModelNotFound(f"{folder / 'model.bin'}: the file of the bundled model is missing.", hint=REINSTALL)
    return folder


def not_bundled(name: str) -> ModelNotFound:
    """What to say of a `RESERVED` name that is not there."""
    there = ", ".join(bundled_models()) or "none"
    own = f"; the folder of yours is asked for as ./{name}" if Path(name).is_dir() else ""
    return ModelNotFound(
        f"The model {name!r} is not bundled with this version.",
        hint=f"Bundled generators: {there}. `rewrite models` lists what there is{own}.",
    )


def spelled_out(text: str) -> str:
    """`edits+gemma-ru` as `edits+ct2:gemma-ru`: the names of bundled generators and adapters may stand alone."""
    names = "|".join(map(re.escape, {*RESERVED, *ADAPTERS, *bundled_models()}))
    return re.sub(rf"(^|\+)({names})(?=\+|$)", r"\1ct2:\2", text)
