"""Where tests find data sets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["data_folder", "need_data"]


def data_folder() -> Path | None:
    """The data folder: `REWRITE_DATA`, else `../shared/data` beside the checkout; `None` where there is none."""
    named = os.environ.get("REWRITE_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def need_data(*parts: str) -> Path:
    """A file or folder of the data folder; the test is skipped where it is not at hand."""
    folder = data_folder()
    if folder is None or not folder.joinpath(*parts).exists():
        pytest.skip(f"needs {'/'.join(parts)} from the data folder: set REWRITE_DATA")
    return folder.joinpath(*parts)
