"""The base with an adapter in the user's cache, made there on first use."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rerank.checkpoint import digest_of
from rerank.errors import install_again
from rewrite.base import package
from rewrite.base.model_weights import BaseWeights, read_gguf
from rewrite.base.model_writing import ACTIVATIONS, Adapted, write_for_ct2, write_for_transformers
from rewrite.base.package import ADAPTER_FILE, BARE, KNOWN, TERMS
from rewrite.base.vocabulary import TABLE, kept_ids
from rewrite.checksums import SUMS
from rewrite.engines.cache import build_once, cache_root, mark_used, remove_unused, write_new_folder
from rewrite.errors import BadModel, BadOption

# Raise this where the same base and adapter would be written otherwise than before.
_RECIPE = 2
_BASES = "Give a GGUF file; llama.cpp's convert_hf_to_gguf.py makes one of a folder of safetensors."


def adapted_for_ct2(name: str, *, quantization: str = "int8", base: str | None = None) -> Path:
    """The cache's CTranslate2 model of the base with the adapter `name`, made now if it is not there yet.

    `base` is a GGUF file of the same model elsewhere; without it the installed package's. Raises `MissingExtra`,
    `BadModel`, `CannotWrite`.
    """
    key = key_of(name, base=base)
    # Of one base, whatever else changes: older ones are known by it, and go.
    stem = f"{name}-{quantization}-{_digest([base or package.DIGEST])[:8]}-"
    target = cache_root() / "base" / f"{stem}{key}"
    if target.is_dir():
        mark_used(target)
        return target
    if base is None:
        package.require_installed()
    remove_unused(target.parent, stem, keep=f"-{key}")
    began = time.monotonic()
    _tell(f"Making {name} ready from {base or package.PACKAGE}, this once …")
    build_once(target, lambda folder: _write(name, folder, form="ct2", quantization=quantization, base=base))
    _tell(f"… done in {time.monotonic() - began:.0f} s: {target}")
    return target


def export(name: str, folder: Path, *, form: str, quantization: str = "int8", base: str | None = None) -> None:
    """Write the base with the adapter `name` (or a name of `BARE`) to `folder`, which must be new or empty.

    `form` is hf (transformers, vLLM and others load it) or ct2. Raises as `adapted_for_ct2`, `BadOption` for a name or
    form that is not known.
    """
    if name not in KNOWN and name not in BARE:
        raise BadOption(
            f"{name!r} is no adapter of the base.", hint=f"Known: {', '.join((*KNOWN, *BARE))} (rewrite models)."
        )
    if form not in ("hf", "ct2"):
        raise BadOption(f"--format got {form!r}.", hint="Write hf or ct2.")
    if base is None:
        package.require_installed()
    else:
        _file_of_base(base)
    write_new_folder(folder, lambda scratch: _write(name, scratch, form=form, quantization=quantization, base=base))


def _write(name: str, folder: Path, *, form: str, quantization: str, base: str | None) -> None:
    """The model, with the adapter's prompt and card and the terms under which it may be passed on."""
    adapter = KNOWN.get(name)
    with _base_weights(base, folder) as weights:
        ids = kept_ids(adapter.language if adapter else BARE[name])
        model = Adapted(weights, ids, adapter.read() if adapter else {})
        if form == "hf":
            write_for_transformers(model, folder)
        else:
            write_for_ct2(model, folder, quantization=quantization)
    others = [path for path in adapter.folder.iterdir() if path.name not in (ADAPTER_FILE, SUMS)] if adapter else []
    for path in (*others, *TERMS):
        shutil.copyfile(path, folder / path.name)


@contextlib.contextmanager
def _base_weights(base: str | None, scratch: Path) -> Iterator[BaseWeights]:
    """The weights of the base, of the package (put together in `scratch`) or of the file that is named."""
    if base is None:
        with package.assembled(scratch) as path:
            yield read_gguf(path)
        return
    yield read_gguf(Path(base).expanduser())


def key_of(name: str, *, base: str | None = None) -> str:
    """Twenty hexadecimal digits that change with all that the model of `adapted_for_ct2` is made of.

    Raises `BadModel` where a file of the package is missing, `BadOption` where there is no such base or it is a folder.
    """
    import ctranslate2

    adapter = KNOWN[name]
    files = (*adapter.files, TABLE, ACTIVATIONS)
    try:
        facts = [str(_RECIPE), ctranslate2.__version__, *(digest_of([path]) for path in files)]
    except OSError as error:
        raise BadModel(f"{error.filename}: {error.strerror}.", hint=install_again("rewrite/base")) from None
    return _digest([*facts, _file_of_base(base) if base is not None else package.DIGEST])[:20]


def _file_of_base(base: str) -> str:
    path = Path(base).expanduser()
    try:
        status = path.stat()
    except FileNotFoundError:
        raise BadOption(f"--base: there is no {base!r}.", hint=_BASES) from None
    except OSError as error:
        raise BadModel(f"{error.filename}: {error.strerror}.", hint=_BASES) from None
    if path.is_dir():
        raise BadOption(f"--base: {base!r} is a folder.", hint=_BASES)
    return f"{path.resolve()} {status.st_size} {status.st_mtime_ns}"


def _digest(facts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
