"""Models on disk: which there are (in the package, in the caches of this machine, on the hub), checked and fetched."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rerank import hub
from rerank.checkpoint import is_converted
from rewrite import catalogue
from rewrite.base import package
from rewrite.base.package import ADAPTERS, KNOWN, VERDICTS
from rewrite.catalogue import Listed, Where, known_models
from rewrite.checksums import has_sums, verify_sums
from rewrite.engines.cache import cache_root, require_free, write_new_folder
from rewrite.engines.convert import convert, converted, origin, require_converter
from rewrite.engines.model_folder import resolve
from rewrite.errors import MissingExtra

_GENERATES = re.compile(r"LMHeadModel|ForCausalLM|ForConditionalGeneration|MTModel")
_SNAPSHOT = re.compile(r"models--([^/\\]+)[/\\]snapshots[/\\]")


def listing() -> list[Listed]:
    """All that is known of, bundled ones first, then those in the caches, then those on the hub that are in none."""
    here = [*_bundled(), *_converted(), *_snapshots()]
    fetched = {item.hub for item in here}
    return [*here, *(model for model in known_models() if model.hub not in fetched)]


def check(items: list[Listed]) -> int:
    """Compare the files of all that have checksums with them, as bundled ones must; returns how many files there were.

    Raises `BadModel` that names the files that are missing, or the first that differs.
    """
    count = 0
    for item in items:
        if item.folder is None:
            continue
        if item.where == "bundled":
            count += verify_sums(item.folder, hint=catalogue.REINSTALL)
        elif has_sums(item.folder):
            # Of a repository of the hub only what is needed was fetched.
            count += verify_sums(item.folder, part=item.where == "hub cache")
    return count


def _bundled() -> Iterator[Listed]:
    """The adapters, the package of their base and what was made of both; models of other tasks; single files."""
    for name, adapter in ADAPTERS.items():
        yield replace(_carded(name, adapter.folder), generator=name if package.is_installed() else "")
    yield from (_carded(name, adapter.folder) for name, adapter in VERDICTS.items())
    if package.is_installed():
        yield Listed(
            name=package.PACKAGE,
            where="package",
            size=sum(path.stat().st_size for path in package.files()),
            what="base of the adapters",
            language="many",
            parameters=268.1,
            licence="Gemma Terms of Use",
        )
    for folder in _made("base"):
        name = next((name for name in KNOWN if folder.name.startswith(f"{name}-")), "")
        yield Listed(
            name=folder.name,
            where="converted",
            size=_size(folder),
            generator=name if name in ADAPTERS else "",
            folder=folder,
        )
    for folders in (catalogue.OF_SPLITTER, catalogue.PARAPHRASES, catalogue.EVALUATORS):
        yield from (_carded(name, folder) for name, folder in folders.items())
    for name, row in catalogue.described().items():
        path = catalogue.FILES / name
        if path.exists():
            yield Listed(name=name, where="bundled", size=_size(path), what=row["what"], language=row["language"])


def _carded(name: str, folder: Path) -> Listed:
    """A model in the package, as its card tells of it."""
    card = _json(folder / "card.json")
    count = card.get("parameters")
    return Listed(
        name=name,
        where="bundled",
        size=_size(folder),
        what=str(card.get("task") or ""),
        language=str(card.get("language") or ""),
        parameters=count / 1e6 if isinstance(count, int) else None,
        licence=card.get("licence"),
        folder=folder,
    )


def _made(kind: str) -> list[Path]:
    """The finished models of a kind in the cache."""
    with contextlib.suppress(OSError):
        return [
            folder
            for folder in sorted((cache_root() / kind).iterdir())
            if not folder.name.startswith(".") and (folder / "model.bin").is_file()
        ]
    return []


def _converted() -> Iterator[Listed]:
    """Copies for CTranslate2 that were made of a folder or of a model of the hub."""
    for folder in _made("ct2"):
        source = origin(folder)
        snapshot = _SNAPSHOT.search(source)
        named = snapshot[1].replace("--", "/", 1) if snapshot else ""
        generator = f"ct2:{named or source or folder}"
        yield _here(named, source or folder.name, "converted", folder, _size(folder), generator)


def _snapshots() -> Iterator[Listed]:
    """What the hub library has fetched, as far as it generates text."""
    for name, folder, size in hub.snapshots():
        architectures = _json(folder / "config.json").get("architectures") or ()
        if any(_GENERATES.search(str(kind)) for kind in architectures) or (folder / "model.bin").is_file():
            yield _here(name, name, "hub cache", folder, size, f"ct2:{name}")


def _here(named: str, name: str, where: Where, folder: Path, size: int, generator: str) -> Listed:
    """A model in a cache; `named` is what the hub calls it, or empty, and `name` what stands in for a short name."""
    unknown = Listed(name=name, where=where, size=size, hub=named)
    item = next((model for model in known_models() if model.hub == named), unknown)
    return replace(item, where=where, size=size, folder=folder, generator=generator, approximate=False)


def _json(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict):
            return data
    return {}


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


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
        require_free(to)
    if name in KNOWN:
        return _made_ready(name, quantization, to)
    source, asked = _source(name, allow_pickle)
    # Of a repository of the hub only what is needed was fetched.
    checked = verify_sums(source, part=asked != str(source)) if has_sums(source) else 0
    if to is not None:
        write_new_folder(to, lambda folder: _fill(folder, source, quantization, allow_pickle))
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
    from rewrite.base.adapted_models import adapted_for_ct2, export

    if to is None:
        generator = name if name in ADAPTERS else ""
        return Fetched(folder=adapted_for_ct2(name, quantization=quantization), generator=generator)
    export(name, to, form="ct2", quantization=quantization)
    return Fetched(folder=to, generator=f"ct2:{to}" if name in ADAPTERS else "")


def _source(name: str, allow_pickle: bool) -> tuple[Path, str]:
    """The folder of the model, and what it is asked for by."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return (folder if is_converted(folder) else resolve(name, allow_pickle=allow_pickle)), str(folder)
    asked = catalogue.hub_name(name)
    return resolve(asked, allow_pickle=allow_pickle, before_fetch=lambda: _announce(asked)), asked


def _announce(name: str) -> None:
    size = next((f", about {model.size / 1e6:,.0f} MB" for model in known_models() if model.hub == name), "")
    print(f"Fetching {name} from the hub{size} …", file=sys.stderr)


def _fill(folder: Path, source: Path, quantization: str, allow_pickle: bool) -> None:
    if not is_converted(source):
        convert(source, folder, quantization=quantization, allow_pickle=allow_pickle)
        return
    for path in source.iterdir():
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
