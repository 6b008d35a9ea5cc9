"""Weights of a packed encoder as arrays, and kept as what differs from those of a bundled one that it was taught from.

CTranslate2's binary files (version 6) are a list of named arrays, then one of other names for some of them. An array in
8 bits has beside it the scales of its rows. Encoders that were taught from one model are near it, so the differences
take about half the bytes of the weights, and nothing is lost.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from rerank.arrays import save_arrays

DIFFERENCE = "difference.npz"
_VERSION = 6
_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
_NUMBERS = {np.dtype(kind): number for number, kind in _TYPES.items()}
_CHECKSUM = "checksum"
_ENCODER = "encoder/"
Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class EncoderWeights:
    """What a file of CTranslate2 holds: `kind` and `revision` of the model, arrays by name, `others` of the names."""

    kind: str
    revision: int
    arrays: Arrays
    others: Mapping[str, str]

    def plain(self, name: str) -> npt.NDArray[np.float32]:
        """The encoder's array of this name, in 32 bits. Raises `LookupError`."""
        stored = self._named(name)
        whole = stored.astype(np.float32)
        return whole / self._named(f"{name}_scale")[:, None] if stored.dtype == np.int8 and stored.ndim else whole

    @property
    def names(self) -> list[str]:
        """The names that `plain` takes."""
        names = (*self.arrays, *self.others)
        return [name.removeprefix(_ENCODER) for name in names if name.startswith(_ENCODER)]

    def _named(self, name: str) -> npt.NDArray[Any]:
        full = f"{_ENCODER}{name}"
        return self.arrays[self.others.get(full, full)]


def read_weights(data: bytes) -> EncoderWeights:
    """The weights in a file of CTranslate2. Raises `ValueError`, `LookupError` or `struct.error` for what is none."""
    file = io.BytesIO(data)
    (version,) = _numbers(file, "I")
    if version != _VERSION:
        raise ValueError(f"its format is {version}, not {_VERSION}")
    kind = _text(file)
    revision, count = _numbers(file, "II")
    arrays = dict(_array(file) for _ in range(count))
    (also,) = _numbers(file, "I")
    return EncoderWeights(kind, revision, arrays, {_text(file): _text(file) for _ in range(also)})


def write_difference(encoder: bytes, base: bytes, path: Path) -> None:
    """Write to `path` how the file `encoder` differs from the file `base`, both of CTranslate2.

    Raises what `read_weights` does, and `ValueError` where `restored` would not give the same bytes.
    """
    weights, base_arrays = read_weights(encoder), read_weights(base).arrays
    parts = {name: _shifted(name, weights.arrays, base_arrays, -1) for name in weights.arrays}
    save_arrays(path, {**parts, _CHECKSUM: np.array(zlib.crc32(encoder), np.uint32)})
    restored(path, base)


def restored(path: Path, base: bytes) -> bytes:
    """The file of CTranslate2 whose difference from the file `base` is in `path`.

    Raises `ValueError` where that is not the file that was written, as with another base, and what reading files does.
    """
    with np.load(path, allow_pickle=False) as data:
        parts = {name: data[name] for name in data.files}
    checksum = parts.pop(_CHECKSUM)
    near = read_weights(base)
    data = _written(near.kind, near.revision, {name: _shifted(name, parts, near.arrays, 1) for name in parts})
    if zlib.crc32(data) != checksum:
        raise ValueError("it differs from another model than the one of this release")
    return data


def _shifted(name: str, arrays: Arrays, base: Arrays, sign: int) -> npt.NDArray[Any]:
    """The array with the base's added, or with −1 for `sign` taken away: both as multiples of its own scales.

    Only one in 8 bits that has the shape of the base's is changed; what is beyond 8 bits wraps.
    """
    array, other, scale = arrays[name], base.get(name), f"{name}_scale"
    if array.dtype != np.int8 or other is None or other.shape != array.shape or scale not in arrays:
        return array
    near = np.rint(other * (arrays[scale] / base[scale])[:, None]).astype(np.int16)
    moved: npt.NDArray[Any] = (array + np.int16(sign) * near).astype(np.int8)
    return moved


def _written(kind: str, revision: int, arrays: Arrays) -> bytes:
    parts = [struct.pack("I", _VERSION), _text_bytes(kind), struct.pack("II", revision, len(arrays))]
    for name, array in arrays.items():
        shape = struct.pack("=B" + "I" * array.ndim, array.ndim, *array.shape)
        parts += [_text_bytes(name), shape, struct.pack("=BI", _NUMBERS[array.dtype], array.nbytes), array.tobytes()]
    return b"".join([*parts, struct.pack("I", 0)])


def _text_bytes(text: str) -> bytes:
    data = text.encode("utf-8") + b"\0"
    return struct.pack("H", len(data)) + data


def _array(file: IO[bytes]) -> tuple[str, npt.NDArray[Any]]:
    name = _text(file)
    (rank,) = _numbers(file, "B")
    shape = _numbers(file, "I" * rank)
    kind, size = _numbers(file, "=BI")
    return name, np.frombuffer(file.read(size), _TYPES[kind]).reshape(shape)


def _text(file: IO[bytes]) -> str:
    (size,) = _numbers(file, "H")
    return file.read(size).rstrip(b"\0").decode("utf-8")


def _numbers(file: IO[bytes], form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))
