"""One line that says how values were computed: equal signatures mean equal values for equal input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from rerank.scorer import Scorer

__all__ = ["signature"]

# What analysis rests on: the taggers' code, their models (in natasha's wheel), tokens, and the arithmetic.
_PACKAGES = ("natasha", "slovnet", "navec", "razdel", "numpy")
_OURS = "rewrite-rerank"


@lru_cache(maxsize=32)
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def signature(scorers: Iterable[Scorer], *, settings: Mapping[str, object] | None = None) -> str:
    """Our version, each scorer's own signature, sorted settings and the versions of the packages beneath, joined by |.

    For example `rewrite-rerank:0.1.0|length:released|likelihood:per-token|natasha:1.6.0|…`. `settings` is whatever
    else changed the values, such as the seed or the generator.
    """
    parts = [f"{_OURS}:{_version(_OURS)}"]
    parts += [scorer.signature() for scorer in scorers]
    parts += [f"{name}:{value}" for name, value in sorted((settings or {}).items())]
    parts += [f"{package}:{_version(package)}" for package in _PACKAGES]
    return "|".join(" ".join(part.split()) for part in parts)
