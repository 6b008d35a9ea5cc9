"""Digests of what decides the values of a score table: code, and the files of the models that are named.

A model goes by the name of its folder, and a model that is trained again keeps that name: so its files are read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

import rerank
import rewrite
from rewrite.engines.registry import create_engine
from rewrite.errors import BadInput
from rewrite.generators import known_generators
from rewrite.request import Options
from rewrite.specs import Spec, parse_model, parse_specs
from training.disk import file_sha256

__all__ = ["code_digest", "digest", "file_digest", "models_digest", "trainer_digest"]

# It imports nothing else of `training`.
_TRAINER = Path(__file__).resolve().parents[1] / "edit_model.py"
# What the edit model is fitted with and what it reads texts with.
_FITTED_WITH = ("scikit-learn", "numpy", "natasha", "slovnet", "navec", "razdel")
# Tell of a model, and decide nothing.
_PROSE = frozenset({".md", ".html"})


def digest(*parts: object) -> str:
    """A short name for plain data: 16 hexadecimal digits of its SHA-256."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def file_digest(path: Path) -> str:
    """A digest of a file's bytes; a file that has not changed since is not read again. Raises `BadInput`."""
    try:
        status = path.stat()
    except OSError as error:
        raise BadInput(f"Cannot read {str(path)!r}: {error.strerror or error}.", hint="Check the path.") from error
    return _read(path.resolve(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1024)
def _read(path: Path, size: int, changed: int) -> str:
    return file_sha256(path)[:16]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of the packages' code and bundled models: in a checkout they change without a new version."""
    return _of_folders(Path(str(package.__file__)).parent for package in (rerank, rewrite))


def _of_folders(folders: Iterable[Path]) -> str:
    digest_of_bytes = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest_of_bytes.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest_of_bytes.hexdigest()[:16]


@lru_cache(maxsize=1)
def trainer_digest() -> str:
    """A digest of what makes an edit model beside the packages: its training, and the libraries it is fitted with."""
    return digest(file_digest(_TRAINER), {name: _version(name) for name in _FITTED_WITH})


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def models_digest(options: Options) -> str:
    """A digest of the files of all models and recordings that `options` name; the same without any.

    Of a model on a server nothing can be read: it is known by its name alone. Raises what the engines raise for a
    model that is not there, `BadInput` for a file that cannot be read.
    """
    specs = list(parse_specs(options.generator, known_generators()))
    specs += [parse_model(options.fluency)] if options.fluency else []
    return digest([_of_spec(spec, options) for spec in specs])


def _of_spec(spec: Spec, options: Options) -> object:
    if spec.scheme == "replay":
        return file_digest(Path(spec.target))
    if not spec.is_language_model:
        return _of_entry_point(spec.scheme)
    folder = create_engine(spec.scheme, spec.target, options.engine).info.folder
    return {} if folder is None else _of_model(folder)


def _of_model(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix not in _PROSE)
    return {path.name: file_digest(path) for path in files if not path.name.startswith(".")}


def _of_entry_point(name: str) -> list[str]:
    """Who declares a generator that is not of this package, and in which version."""
    points = [point for point in entry_points(group="rewrite.generators") if point.name == name]
    return [f"{point.value} {point.dist.version if point.dist else ''}" for point in points]
