"""Files that are compressed, told by their suffix: gzip and Zstandard, streamed both ways."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput, MissingExtra

SUFFIXES = (".gz", ".zst")
_LEVEL = {".gz": 6, ".zst": 3}
_NAMES = {".gz": "gzip", ".zst": "Zstandard"}
# zlib's number for the frame of gzip; such a frame has no name and no time in it, so equal text gives equal bytes.
_GZIP = 31
_PIECE = 1 << 14


def suffixes(path: str) -> tuple[str, str]:
    """What a file's name says of its rows and of its compression, in small letters: `.csv` and `.gz`, or empty."""
    name = Path(path)
    compression = name.suffix.lower() if name.suffix.lower() in SUFFIXES else ""
    return (Path(name.stem) if compression else name).suffix.lower(), compression


def require(compression: str) -> None:
    """Raises `MissingExtra` where nothing installed reads such a file."""
    if compression == ".zst":
        try:
            import zstandard  # noqa: F401
        except ImportError:
            raise MissingExtra(
                "Reading and writing .zst needs zstandard.", hint="Run: pip install 'rewrite-rerank[corpus]'"
            ) from None


def decompressed(blocks: Iterable[bytes], compression: str, name: str) -> Iterator[bytes]:
    """The blocks of the text; `BadInput` for what is damaged, or ends too early."""
    require(compression)
    make, failures = _decompressor(compression)
    frame, is_open = make(), False
    for block in blocks:
        # A piece at a time: one block of nothing but zeros could be a thousand of text.
        for start in range(0, len(block), _PIECE):
            data = block[start : start + _PIECE]
            while data:
                try:
                    text = frame.decompress(data)
                except failures as error:
                    raise BadInput(
                        f"{name}: {_NAMES[compression]} cannot be read: {error}.",
                        hint=f"It is damaged, or no {compression} file.",
                    ) from None
                if text:
                    yield text
                data, is_open = (frame.unused_data, False) if frame.eof else (b"", True)
                if frame.eof:  # several may follow one another
                    frame = make()
    if is_open:
        raise BadInput(f"{name}: the {_NAMES[compression]} data ends too early.", hint="Copy or fetch it again.")


def _decompressor(compression: str) -> tuple[Callable[[], Any], type[Exception]]:
    if compression == ".gz":
        return lambda: zlib.decompressobj(_GZIP), zlib.error
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError


def compressed(blocks: Iterable[bytes], compression: str) -> Iterator[bytes]:
    """The blocks as one gzip member or Zstandard frame: the same bytes for the same blocks."""
    if compression == ".gz":
        frame: Any = zlib.compressobj(_LEVEL[compression], zlib.DEFLATED, _GZIP)
    else:
        import zstandard

        frame = zstandard.ZstdCompressor(_LEVEL[compression]).compressobj()
    for block in blocks:
        yield frame.compress(block)
    yield frame.flush()
