"""Models on the hub that are of use here, as far as `rewrite/models/known.yaml` knows them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from rerank.errors import UnknownName
from rewrite.base.adapters import ADAPTERS

__all__ = ["Bundled", "Known", "close_names", "described", "hub_name", "known_models"]

_FILE = Path(__file__).resolve().parent / "models" / "known.yaml"
_BYTES = 4_000_000  # of a million parameters, in 32 bits


class Known(BaseModel):
    """A model on the hub: our short `name` for it, the hub's, its `parameters` in millions (approximate).

    `licence` is `None` where it is not known here, and `none stated` where its card states none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    hub: str
    task: str
    language: Literal["ru", "en"]
    kind: Literal["causal", "seq2seq"]
    parameters: int
    licence: str | None

    @property
    def download(self) -> int:
        """Bytes to fetch, approximately."""
        return self.parameters * _BYTES


class Bundled(BaseModel):
    """What a bundled file that is no generator is for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Literal["ru", "en"]
    what: str


def known_models() -> tuple[Known, ...]:
    """All of them, in the order of the file."""
    return tuple(Known.model_validate(row) for row in _data()["hub"])


def described() -> Mapping[str, Bundled]:
    """By its name in `rewrite/models` what each bundled file is for."""
    return {name: Bundled.model_validate(row) for name, row in _data()["bundled"].items()}


def hub_name(name: str) -> str:
    """The hub's name of a model that is asked for by ours or by the hub's.

    Raises `UnknownName` with the closest known names for one that is neither.
    """
    found = next((model.hub for model in known_models() if name in (model.name, model.hub)), None)
    if found is not None:
        return found
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
    adapters = () if of_hub else tuple(ADAPTERS)
    names: dict[str, str] = {name: name for name in adapters}
    for model in known_models():
        own = model.hub if of_hub else model.name
        names |= dict.fromkeys((model.name, model.hub.lower(), model.hub.lower().split("/")[1]), own)
    close = list(dict.fromkeys(names[found] for found in difflib.get_close_matches(name.lower(), names, n=3)))
    if close:
        return f"Did you mean {' or '.join(close)}?"
    known = (*adapters, *(model.hub if of_hub else model.name for model in known_models()))
    return f"Known: {', '.join(known)}."


@lru_cache(maxsize=1)
def _data() -> Any:
    import yaml

    return yaml.safe_load(_FILE.read_bytes())
