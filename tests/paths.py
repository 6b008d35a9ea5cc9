"""Where tests find data sets."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["data_folder"]


def data_folder() -> Path | None:
    """The data folder: `REWRITE_DATA`, else `../shared/data` beside the checkout; `None` where there is none."""
    named = os.environ.get("REWRITE_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None
