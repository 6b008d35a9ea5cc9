"""Where the models lie that the package brings."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from rerank.errors import install_again

_HERE = Path(__file__).resolve().parent
_RERANK = _HERE.parent / "rerank"
REINSTALL = install_again("rewrite")
"""What to do about a bundled model whose files are not those of the release."""
FILES = _HERE / "models"
"""The folder of bundled files that are no models by themselves."""
SPLITTER = _HERE / "splitting" / "model"
"""The folder of the network that proposes splits."""
SENTENCE_JUDGE = _HERE / "splitting" / "whole"
"""The folder of the judge that tells whole sentences from broken ones."""
PARSER = _RERANK / "english" / "trees" / "model"
"""The folder of the parser of English sentences."""
OF_SPLITTER = MappingProxyType({"split-en": SPLITTER, "trees-en": PARSER, "whole-en": SENTENCE_JUDGE})
"""What `rewrite split` runs, by the names of the recipes."""
PARAPHRASES = MappingProxyType({name: _RERANK / "models" / name for name in ("paraphrases-en", "paraphrases-ru")})
"""What ParaEval looks phrases up in, by the names of the tables."""
EVALUATORS = MappingProxyType(
    {
        name: _RERANK / "models" / name
        for name in ("evaluator-rewrites-en", "evaluator-rewrites-ru", "evaluator-summaries-en")
    }
)
"""What `rewrite judge` asks, by the names of the recipes."""
