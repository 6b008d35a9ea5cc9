"""`rewrite models get`: a model from the hub or a folder, made ready to run by CTranslate2."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rewrite.base.adapters import ADAPTERS
from rewrite.catalogue import hub_name, known_models
from rewrite.checksums import has_sums, verify_sums
from rewrite.engines.cache import build_anew, is_full
from rewrite.engines.convert import convert, converted, is_converted, require_converter
from rewrite.engines.names import resolve
from rewrite.errors import CannotWrite, MissingExtra

__all__ = ["Fetched", "get_model", "write_new_folder"]


@dataclass(frozen=True, slots=True)
class Fetched:
    """Where a model lies now: `folder` holds its files; `generator` is what `--generator` takes for it.

    `checked` files agree with their checksums. `note` says what is still to be done, or is empty.
    """

    folder: Path
    generator: str
    checked: int = 0
    note: str = ""


def get_model(name: str, *, quantization: str, allow_pickle: bool = False, to: Path | None = None) -> Fetched:
    """Fetch the model `name` (ours, the hub's, or a folder) if need be, verify it, and convert it into the cache.

    With `to` the model for CTranslate2 is written to that folder instead, which must be new or empty. What has
    checksums is compared with them. Raises `UnknownName` or `ModelNotFound` with the closest known names, `BadModel`
    for files that differ or are missing, `CannotWrite`, `MissingExtra`.
    """
    if to is not None:
        _require_free(to)
    if name in ADAPTERS:
        return _made_ready(name, quantization, to)
    source, asked = _source(name, allow_pickle)
    # Of a repository of the hub only what is needed was fetched.
    checked = verify_sums(source, part=asked != str(source)) if has_sums(source) else 0
    if to is not None:
        _write(source, to, quantization, allow_pickle)
        return Fetched(folder=to, generator=f"ct2:{to}", checked=checked)
    if is_converted(source):
        return Fetched(folder=source, generator=f"ct2:{asked}", checked=checked)
    try:
        require_converter(asked)
    except MissingExtra as error:
        return Fetched(folder=source, generator="", checked=checked, note=str(error))
    copy = converted(source, quantization=quantization, allow_pickle=allow_pickle)
    return Fetched(folder=copy, generator=f"ct2:{asked}", checked=checked)


def _made_ready(name: str, quantization: str, to: Path | None) -> Fetched:
    """An adapter with the base of the installed package, in the cache or in the folder `to`."""
    from rewrite.base.store import adapted_for_ct2, export

    if to is None:
        return Fetched(folder=adapted_for_ct2(name, quantization=quantization), generator=name)
    export(name, to, form="ct2", quantization=quantization)
    return Fetched(folder=to, generator=f"ct2:{to}")


def _source(name: str, allow_pickle: bool) -> tuple[Path, str]:
    """The folder of the model, and what it is asked for by."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return (folder if is_converted(folder) else resolve(name, allow_pickle=allow_pickle)), str(folder)
    asked = hub_name(name)
    return resolve(asked, allow_pickle=allow_pickle, before_fetch=lambda: _announce(asked)), asked


def _announce(name: str) -> None:
    size = next((f", about {model.download / 1e6:,.0f} MB" for model in known_models() if model.hub == name), "")
    print(f"Fetching {name} from the hub{size} …", file=sys.stderr)


def _require_free(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotWrite(f"{str(folder)!r} is there and is not empty.", hint="Name a new folder.")


def _write(source: Path, target: Path, quantization: str, allow_pickle: bool) -> None:
    def build(folder: Path) -> None:
        if not is_converted(source):
            convert(source, folder, quantization=quantization, allow_pickle=allow_pickle)
            return
        for path in source.iterdir():
            if path.is_file():
                shutil.copyfile(path, folder / path.name)

    write_new_folder(target, build)


def write_new_folder(target: Path, build: Callable[[Path], None]) -> None:
    """`target`, new or empty, filled by `build(folder)`: all of it, or left as it was. Raises `CannotWrite`."""
    _require_free(target)
    try:
        build_anew(target.absolute(), build)
    except CannotWrite as error:
        raise _full(target) from error
    except OSError as error:
        if is_full(error):
            raise _full(target) from error
        reason = error.strerror or error
        raise CannotWrite(f"Cannot write {str(target)!r}: {reason}.", hint="Name another folder.") from error


def _full(target: Path) -> CannotWrite:
    return CannotWrite(f"No space left to write {str(target)!r}.", hint="Free some space, or name a folder elsewhere.")
