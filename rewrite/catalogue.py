"""Models by name: where those in the package lie, and those on the hub that `rewrite/models/known.yaml` knows."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from rerank.errors import UnknownName, install_again
from rewrite.base.package import KNOWN

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
"""What `rewrite judge` and the component `quality` ask, by the names of the recipes."""

_BYTES = 4_000_000  # of a million parameters, in 32 bits
Where = Literal["bundled", "package", "converted", "hub cache", "hub"]


@dataclass(frozen=True, slots=True)
class Listed:
    """One model. `size` is in bytes, of its files on the disk, or if `approximate` of what would be fetched.

    `hub` is its name there. `generator` is what `--generator` takes for it, empty where it is no generator or has to be
    fetched first. `parameters` are in millions; `None` and an empty text stand for what is not known: a
    licence, too, where nobody looked; `none stated` where the model's card states none.
    """

    name: str
    where: Where
    size: int
    hub: str = ""
    what: str = ""
    language: str = ""
    generator: str = ""
    parameters: float | None = None
    licence: str | None = None
    approximate: bool = False
    folder: Path | None = None


def known_models() -> tuple[Listed, ...]:
    """Those on the hub, in the order of the file."""
    return tuple(
        Listed(
            name=row["name"],
            where="hub",
            hub=row["hub"],
            size=row["parameters"] * _BYTES,
            what=row["task"],
            language=row["language"],
            parameters=row["parameters"],
            licence=row["licence"],
            approximate=True,
        )
        for row in _data()["hub"]
    )


def described() -> Mapping[str, Mapping[str, str]]:
    """By its name in `FILES` the `language` of each bundled file, and `what` it is for."""
    files: Mapping[str, Mapping[str, str]] = _data()["bundled"]
    return files


def hub_name(name: str) -> str:
    """The hub's name of a model that is asked for by ours or by the hub's.

    Raises `UnknownName` with the closest known names for one that is neither.
    """
    hub = next((model.hub for model in known_models() if name in (model.name, model.hub)), None)
    if hub is not None:
        return hub
    # The hub's names have their maker's before a slash.
    if name.count("/") == 1 and not name.startswith((".", "/", "~")):
        return name
    raise UnknownName(
        f"No folder and no known model {name!r}.",
        hint=f"{close_names(name)} Or give MAKER/NAME as on the hub, or a folder.",
    )


def close_names(name: str, *, of_hub: bool = False) -> str:
    """A question that holds the known names which may have been meant by `name`; all of them where none is like it.

    A model goes by our name for it, as `rewrite models get` takes it, or `of_hub` by the hub's, as engines do too.
    """
    adapters = () if of_hub else tuple(KNOWN)
    names: dict[str, str] = {name: name for name in adapters}
    for model in known_models():
        shown = model.hub if of_hub else model.name
        names |= dict.fromkeys((model.name, model.hub.lower(), model.hub.lower().split("/")[1]), shown)
    close = list(dict.fromkeys(names[match] for match in difflib.get_close_matches(name.lower(), names, n=3)))
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"Known: {', '.join(dict.fromkeys(names.values()))}."


@lru_cache(maxsize=1)
def _data() -> Any:
    import yaml

    return yaml.safe_load((FILES / "known.yaml").read_bytes())
