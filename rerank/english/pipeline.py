"""The spaCy pipeline behind the analysis of English: which one there is, and loading it."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rerank.errors import ModelNotFound

__all__ = ["BUNDLED", "PREFERRED", "choose", "installed", "load", "uses_clearnlp"]

PREFERRED = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_trf")
"""Installed packages are taken in this order; the transformer last, for it is slow on a processor."""
BUNDLED = Path(__file__).resolve().parent / "model"
_HINT = (
    "Run: python -m spacy download en_core_web_sm, or train one in a checkout: "
    "python -m training.english_parser en-open --out FOLDER."
)


def installed() -> tuple[str, ...]:
    """Those of `PREFERRED` that are installed, best first."""
    return tuple(name for name in PREFERRED if importlib.util.find_spec(name) is not None)


def choose(given: str | Path | None = None, *, bundled: Path = BUNDLED) -> str | Path:
    """The pipeline to load: `given`, else the best that is `installed`, else the one in the folder `bundled`.

    Raises `ModelNotFound` where there is none of them.
    """
    if given is not None:
        return given
    there = installed()
    if there:
        return there[0]
    if not (bundled / "config.cfg").is_file():
        raise ModelNotFound("There is no spaCy pipeline for English.", hint=_HINT)
    return bundled


def load(pipeline: str | Path) -> Any:
    """The spaCy `Language` of an installed package, by its name, or of a folder.

    Raises `ModelNotFound` for what is no pipeline or has no parser.
    """
    import spacy

    try:
        nlp = spacy.load(pipeline)
        # Files that are missing or do not belong together may show only when they are used.
        nlp("A word.")
    except (OSError, ValueError, LookupError, TypeError) as error:
        reason = str(error).strip().splitlines()
        raise ModelNotFound(
            f"No usable spaCy pipeline {str(pipeline)!r}: {reason[0] if reason else type(error).__name__}", hint=_HINT
        ) from error
    if "parser" not in nlp.pipe_names:
        found = ", ".join(nlp.pipe_names) or "nothing"
        raise ModelNotFound(f"The spaCy pipeline {str(pipeline)!r} has no parser, only {found}.", hint=_HINT)
    return nlp


def uses_clearnlp(relations: Iterable[str]) -> bool:
    """Whether a parser's labels are those of `en_core_web_*` rather than of Universal Dependencies."""
    labels: Sequence[str] = tuple(relations)
    return "pobj" in labels or "dobj" in labels
