"""The Hugging Face hub: what it has of a model, and how that gets into the hub library's own cache."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rerank.errors import MissingExtra, ModelNotFound

# Seconds for the list of a model's files: who has no network is to know soon.
_PATIENCE = 10.0
# Folders inside, and the same weights in other numbers.
_LEFT = ("*/*", "*.fp16.*", "*.fp16-*", "*.bf16.*", "*.fp32.*")
_OFFLINE = (
    "Without a network: on a machine that has one run `hf download {} --local-dir DIR`, "
    "copy DIR here and give its path."
)


def require_name(name: str) -> None:
    """Raise `ModelNotFound` for what cannot be a model's name, `MissingExtra` without the hub library."""
    try:
        import huggingface_hub  # noqa: F401
        from huggingface_hub.utils import validate_repo_id
    except ImportError:
        raise MissingExtra(
            f"No folder {name!r}; a model's name on the hub needs huggingface_hub.",
            hint="Run: pip install 'rewrite-rerank[hf]'",
        ) from None
    try:
        validate_repo_id(name)
    except ValueError:
        raise ModelNotFound(f"There is no folder {name!r}.", hint="Give a model's folder, or its hub name.") from None


def cached(name: str, patterns: Sequence[str]) -> Path | None:
    """The folder of the model in the hub library's cache, whole or not; `None` if it is not there."""
    try:
        return download(name, patterns, from_cache=True)
    except (OSError, ValueError):  # the library's errors for what is not in its cache are both
        return None


def list_files(name: str) -> list[str]:
    """Paths of the model's files on the hub. Raises whatever the library does, and soon."""
    import huggingface_hub

    with _quietly():
        # The list alone would be asked for again and again, with a line on standard error each time.
        return [file.rfilename for file in huggingface_hub.HfApi().model_info(name, timeout=_PATIENCE).siblings or []]


def download(name: str, patterns: Sequence[str], *, from_cache: bool = False) -> Path:
    """The folder with the model's files of those `patterns`. Raises whatever the library does."""
    import huggingface_hub

    with _quietly():
        folder = huggingface_hub.snapshot_download(
            name, local_files_only=from_cache, allow_patterns=list(patterns), ignore_patterns=list(_LEFT)
        )
    return Path(folder)


def unavailable(name: str, error: Exception, reason: str) -> ModelNotFound:
    """What to tell of a model that could not be had; `reason` is the `error` in one line."""
    from huggingface_hub.errors import RepositoryNotFoundError

    if isinstance(error, RepositoryNotFoundError):
        return ModelNotFound(
            f"No folder {name!r}, and the hub has no model of that name that you may read.",
            hint="Check the name; for a private or gated model run `hf auth login` first.",
        )
    return ModelNotFound(
        f"No folder {name!r}, and it cannot be had from the hub: {reason}.", hint=_OFFLINE.format(name)
    )


def is_full(error: BaseException) -> bool:
    """Whether `error` says that a disk, or the user's share of it, is full; not every library keeps the number."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return os.strerror(errno.ENOSPC) in str(error)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Without the library's lines on what failed and is tried again; progress bars of a download stay."""
    from huggingface_hub.utils import logging

    library: Any = logging
    before = library.get_verbosity()
    library.set_verbosity_error()
    try:
        yield
    finally:
        library.set_verbosity(before)
