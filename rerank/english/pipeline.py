"""The spaCy pipeline behind the analysis of English, and loading it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rerank.errors import ModelNotFound

__all__ = ["BUNDLED", "load"]

BUNDLED = Path(__file__).resolve().parent / "model"
_HINT = "Install the package again, or train one in a checkout: python -m training.english_parser en-open --out FOLDER."


def load(pipeline: str | Path | None = None) -> Any:
    """The spaCy `Language` of an installed package, by its name, or of a folder; the bundled one without.

    Raises `ModelNotFound` for what is no pipeline, or has no parser that learnt Universal Dependencies.
    """
    import spacy

    chosen = str(pipeline or BUNDLED)
    try:
        nlp = spacy.load(chosen)
        # Files that are missing or do not belong together may show only when they are used.
        nlp("A word.")
    except (OSError, ValueError, LookupError, TypeError) as error:
        reason = str(error).strip().splitlines()
        raise ModelNotFound(
            f"No usable spaCy pipeline {chosen!r}: {reason[0] if reason else type(error).__name__}", hint=_HINT
        ) from error
    if "parser" not in nlp.pipe_names:
        found = ", ".join(nlp.pipe_names) or "nothing"
        raise ModelNotFound(f"The spaCy pipeline {chosen!r} has no parser, only {found}.", hint=_HINT)
    if "pobj" in nlp.get_pipe("parser").labels:
        raise ModelNotFound(
            f"The parser of {chosen!r} has the relations of ClearNLP, not of Universal Dependencies.", hint=_HINT
        )
    return nlp
