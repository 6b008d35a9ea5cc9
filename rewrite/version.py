"""The version, read from the installed distribution so that it is written in one place."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version


@lru_cache(maxsize=1)
def version() -> str:
    """Version of this distribution, `0+unknown` in a checkout that was never installed."""
    try:
        return installed_version("rewrite-rerank")
    except PackageNotFoundError:
        return "0+unknown"
