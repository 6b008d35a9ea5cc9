"""The base with an adapter in the user's cache, made there on first use."""

from __future__ import annotations

import hashlib
import shutil
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rerank.checkpoint import digest_of
from rerank.errors import install_again
from rewrite.base import package
from rewrite.base.model_weights import read_gguf
from rewrite.base.model_writing import ACTIVATIONS, Adapted, write_for_ct2, write_for_transformers
from rewrite.base.package import ADAPTER_FILE, BARE, KNOWN, TERMS
from rewrite.base.vocabulary import TABLE, kept_ids
from rewrite.checksums import SUMS
from rewrite.engines.cache import build_once, cache_root, mark_used, remove_unused, write_new_folder
from rewrite.errors import BadModel, BadOption

# Raise this where the same base and adapter would be written otherwise than before.
_RECIPE = 2


def adapted_for_ct2(name: str, *, quantization: str = "int8") -> Path:
    """The cache's CTranslate2 model of the base with the adapter `name`, made now if it is not there yet.

    Raises `MissingExtra`, `BadModel`, `CannotWrite`.
    """
    key = key_of(name)
    # Older ones are known by it, and go.
    stem = f"{name}-{quantization}-"
    target = cache_root() / "base" / f"{stem}{key}"
    if target.is_dir():
        mark_used(target)
        return target
    package.require_installed()
    remove_unused(target.parent, stem, keep=f"-{key}")
    began = time.monotonic()
    _tell(f"Making {name} ready from {package.PACKAGE}, this once …")
    build_once(target, lambda folder: _write(name, folder, partial(write_for_ct2, quantization=quantization)))
    _tell(f"… done in {time.monotonic() - began:.0f} s: {target}")
    return target


def export(name: str, folder: Path) -> None:
    """Write the base with the adapter `name` (or a name of `BARE`) to `folder`, which must be new or empty.

    Transformers, vLLM and others load it. Raises as `adapted_for_ct2`, `BadOption` for a name that is not known.
    """
    if name not in KNOWN and name not in BARE:
        raise BadOption(
            f"{name!r} is no adapter of the base.", hint=f"Known: {', '.join((*KNOWN, *BARE))} (rewrite models)."
        )
    package.require_installed()
    write_new_folder(folder, lambda scratch: _write(name, scratch, write_for_transformers))


def _write(name: str, folder: Path, write: Callable[[Adapted, Path], None]) -> None:
    """The model, with the adapter's prompt and card and the terms under which it may be passed on."""
    adapter = KNOWN.get(name)
    with package.assembled(folder) as path:
        ids = kept_ids(adapter.language if adapter else BARE[name])
        write(Adapted(read_gguf(path), ids, adapter.read() if adapter else {}), folder)
    others = [path for path in adapter.folder.iterdir() if path.name not in (ADAPTER_FILE, SUMS)] if adapter else []
    for path in (*others, *TERMS):
        shutil.copyfile(path, folder / path.name)


def key_of(name: str) -> str:
    """Twenty hexadecimal digits that change with all that the model of `adapted_for_ct2` is made of.

    Raises `BadModel` where a file of the package is missing.
    """
    import ctranslate2

    adapter = KNOWN[name]
    files = (*adapter.files, TABLE, ACTIVATIONS)
    try:
        facts = [str(_RECIPE), ctranslate2.__version__, *(digest_of([path]) for path in files)]
    except OSError as error:
        raise BadModel(f"{error.filename}: {error.strerror}.", hint=install_again("rewrite/base")) from None
    return hashlib.sha256("\n".join([*facts, package.DIGEST]).encode()).hexdigest()[:20]


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
