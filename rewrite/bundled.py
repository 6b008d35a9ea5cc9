"""Where models lie in the package: those of splitting, the tables of paraphrases, the evaluators."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from rerank.errors import install_again

__all__ = [
    "EVALUATORS",
    "OF_SPLITTER",
    "PARAPHRASES",
    "PARSER",
    "REINSTALL",
    "SENTENCE_JUDGE",
    "SPLITTER",
]

REINSTALL = install_again("rewrite")
"""What to do about a bundled model whose files are not those of the release."""
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
