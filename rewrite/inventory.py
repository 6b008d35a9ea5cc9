"""Which models there are: in the package, in the caches of this machine, and on the hub as far as we know."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rerank import hub
from rewrite import bundled
from rewrite.base import package
from rewrite.base.adapters import ADAPTERS
from rewrite.catalogue import Known, described, known_models
from rewrite.checksums import has_sums, verify_sums
from rewrite.engines.cache import cache_root
from rewrite.engines.convert import origin

__all__ = ["Listed", "Where", "check", "listing"]

Where = Literal["bundled", "package", "converted", "hub cache", "hub"]
_GENERATES = re.compile(r"LMHeadModel|ForCausalLM|ForConditionalGeneration|MTModel")
_SNAPSHOT = re.compile(r"models--([^/\\]+)[/\\]snapshots[/\\]")


@dataclass(frozen=True, slots=True)
class Listed:
    """One model. `size` is in bytes, of its files on the disk, or if `approximate` of what would be fetched.

    `hub` is its name there. `generator` is what `--generator` takes for it, empty where it is no generator or has to be
    fetched first. `parameters` are in millions; `None` and an empty text stand for what is not known.
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


def listing() -> list[Listed]:
    """All that is known of, bundled ones first, then those in the caches, then those on the hub that are in none."""
    here = [*_adapters(), *_of_other_tasks(), *_bundled_files(), *_converted(), *_snapshots()]
    fetched = {item.hub for item in here}
    return [*here, *(_known(model) for model in known_models() if model.hub not in fetched)]


def check(items: list[Listed]) -> int:
    """Compare the files of all that have checksums with them, as bundled ones must; returns how many files there were.

    Raises `BadModel` that names the files that are missing, or the first that differs.
    """
    count = 0
    for item in items:
        if item.folder is None:
            continue
        if item.where == "bundled":
            count += verify_sums(item.folder, hint=bundled.REINSTALL)
        elif has_sums(item.folder):
            # Of a repository of the hub only what is needed was fetched.
            count += verify_sums(item.folder, part=item.where == "hub cache")
    return count


def _adapters() -> Iterator[Listed]:
    """The adapters in the package, the package of their base, and what was made of both."""
    for name, adapter in ADAPTERS.items():
        yield replace(_carded(name, adapter.folder), generator=name if package.is_installed() else "")
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
    root = cache_root() / "base"
    with contextlib.suppress(OSError):
        for folder in sorted(root.iterdir()):
            if not folder.name.startswith(".") and (folder / "model.bin").is_file():
                name = next((name for name in ADAPTERS if folder.name.startswith(f"{name}-")), "")
                yield Listed(name=folder.name, where="converted", size=_size(folder), generator=name, folder=folder)


def _of_other_tasks() -> Iterator[Listed]:
    for name, folder in (*bundled.OF_SPLITTER.items(), *bundled.PARAPHRASES.items(), *bundled.EVALUATORS.items()):
        yield _carded(name, folder)


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


def _bundled_files() -> Iterator[Listed]:
    root = Path(__file__).resolve().parent / "models"
    for name, item in described().items():
        if (root / name).exists():
            yield Listed(name=name, where="bundled", size=_size(root / name), what=item.what, language=item.language)


def _converted() -> Iterator[Listed]:
    """Copies for CTranslate2 that were made of a folder or of a model of the hub."""
    root = cache_root() / "ct2"
    with contextlib.suppress(OSError):
        for folder in sorted(root.iterdir()):
            # Others are being made, or removed.
            if folder.name.startswith(".") or folder.suffix == ".removed" or not (folder / "model.bin").is_file():
                continue
            source = origin(folder)
            named = _hub_name(source)
            generator = f"ct2:{named or source or folder}"
            yield _here(named, source or folder.name, "converted", folder, _size(folder), generator)


def _snapshots() -> Iterator[Listed]:
    """What the hub library has fetched, as far as it generates text."""
    for name, folder, size in hub.snapshots():
        if _generates(folder):
            yield _here(name, name, "hub cache", folder, size, f"ct2:{name}")


def _here(named: str, name: str, where: Where, folder: Path, size: int, generator: str) -> Listed:
    """A model in a cache; `named` is what the hub calls it, or empty, and `name` what stands in for a short name."""
    known = next((model for model in known_models() if model.hub == named), None)
    item = Listed(name=name, where=where, hub=named, folder=folder, size=size, generator=generator)
    if known is None:
        return item
    return replace(
        item,
        name=known.name,
        what=known.task,
        language=known.language,
        parameters=known.parameters,
        licence=known.licence,
    )


def _generates(folder: Path) -> bool:
    architectures = _json(folder / "config.json").get("architectures")
    named = any(_GENERATES.search(str(name)) for name in architectures or ())
    return named or (folder / "model.bin").is_file()


def _known(model: Known) -> Listed:
    return Listed(
        name=model.name,
        where="hub",
        hub=model.hub,
        size=model.download,
        what=model.task,
        language=model.language,
        parameters=model.parameters,
        licence=model.licence,
        approximate=True,
    )


def _hub_name(source: str) -> str:
    """The hub's name of the model that lies in `source`, a folder of the hub library's cache; else empty."""
    found = _SNAPSHOT.search(source)
    return found[1].replace("--", "/", 1) if found else ""


def _json(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict):
            return data
    return {}


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else (path,)
    return sum(found.stat().st_size for found in files if found.is_file() and found.suffix != ".pyc")
