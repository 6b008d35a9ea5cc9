"""Models on disk: those in the package and what was made of models in the cache; how one is fetched and converted."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from rerank import checkpoint
from rewrite import catalogue
from rewrite.base import package
from rewrite.base.package import ADAPTERS, KNOWN
from rewrite.engines.cache import cache_root, require_free, write_new_folder
from rewrite.engines.convert import ORIGIN, origin
from rewrite.engines.ct2_files import ModelFiles

_SNAPSHOT = re.compile(r"models--([^/\\]+)[/\\]snapshots[/\\]")


@dataclass(frozen=True, slots=True)
class Listed:
    """One model. `size` is in bytes, of its files on the disk, `parameters` are a count.

    `generator` is what `--generator` takes for it, empty where it is no generator. `None` and an empty text stand for
    what is not known.
    """

    name: str
    where: Literal["bundled", "package", "converted"]
    size: int
    what: str = ""
    language: str = ""
    generator: str = ""
    parameters: int | None = None
    licence: str | None = None
    folder: Path | None = None


def listing() -> list[Listed]:
    """Those in the package, the base of the adapters, then what was made of models in the cache."""
    return [*_bundled(), *_made()]


def _bundled() -> Iterator[Listed]:
    """The adapters and the package of their base, models of other tasks, single files."""
    for name, adapter in KNOWN.items():
        yield _carded(name, adapter.folder, generator=name if name in ADAPTERS and package.is_installed() else "")
    if package.is_installed():
        yield Listed(
            name=package.PACKAGE,
            where="package",
            size=sum(path.stat().st_size for path in package.files()),
            what="base of the adapters",
            language="many",
            parameters=268_100_000,
            licence="Gemma Terms of Use",
        )
    for folders in (catalogue.OF_SPLITTER, catalogue.PARAPHRASES, catalogue.EVALUATORS):
        yield from (_carded(name, folder) for name, folder in folders.items())
    for name, row in yaml.safe_load((catalogue.FILES / "known.yaml").read_bytes()).items():
        yield Listed(name, "bundled", _size(catalogue.FILES / name), what=row["what"], language=row["language"])


def _carded(name: str, folder: Path, *, generator: str = "") -> Listed:
    """A model in the package, as its card tells of it."""
    card: dict[str, Any] = {}
    with contextlib.suppress(OSError, ValueError):
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    return Listed(
        name,
        "bundled",
        _size(folder),
        what=card.get("task") or "",
        language=card.get("language") or "",
        generator=generator,
        parameters=card.get("parameters"),
        licence=card.get("licence"),
        folder=folder,
    )


def _made() -> Iterator[Listed]:
    """The finished models in the cache: of an adapter and its base, of a folder, of a model of the hub."""
    for path in sorted(cache_root().glob("*/[!.]*/model.bin")):
        folder = path.parent
        source = origin(folder)
        # Copies of adapters have no origin: they are made of the package.
        adapter = "" if source else next((name for name in ADAPTERS if folder.name.startswith(f"{name}-")), "")
        if snapshot := _SNAPSHOT.search(source):
            source = snapshot[1].replace("--", "/", 1)
        generator = adapter or (f"ct2:{source}" if source else "")
        yield Listed(source or folder.name, "converted", _size(folder), generator=generator, folder=folder)


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def get_model(name: str, *, quantization: str, allow_pickle: bool = False, to: Path | None = None) -> Path:
    """The folder of the model `name` (an adapter, a name on the hub, a folder) for CTranslate2.

    It is fetched and converted into the cache if need be; with `to` a copy of it is written to that folder, which must
    be new or empty. Raises `ModelNotFound`, `BadModel`, `CannotWrite`, `MissingExtra`.
    """
    if to is not None:
        require_free(to)
    if name not in KNOWN and not Path(name).expanduser().is_dir():
        # Fetched before it is known whether it has to be converted: a repository may hold a converted model.
        checkpoint.resolve(name, allow_pickle=allow_pickle)
    folder = ModelFiles(name, quantization=quantization, allow_pickle=allow_pickle).folder
    if to is None:
        return folder

    def copy(target: Path) -> None:
        for path in folder.iterdir():
            if path.is_file() and path.name != ORIGIN:
                shutil.copy2(path, target / path.name)

    write_new_folder(to, copy)
    return to
