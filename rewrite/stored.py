"""Reading a bundled model: arrays in an `.npz` file, with the names of the features that it was made for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from rerank.errors import ModelNotFound

__all__ = ["stored_arrays"]


def stored_arrays(path: Path, what: str, names: Sequence[str]) -> dict[str, npt.NDArray[np.generic]]:
    """The arrays of the file but `names`; `ModelNotFound` where it is missing or made for other features."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            stored = {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise ModelNotFound(f"Cannot read the {what} {str(path)!r}: {error}.") from error
    if list(stored.pop("names", ())) != list(names):
        raise ModelNotFound(f"{str(path)!r} was made for other features.", hint="Train it again.")
    return stored
