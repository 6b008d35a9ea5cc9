"""Sums of a model's files: they cover every file, and what is missing or differs is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from rewrite.checksums import verify_sums, write_sums
from rewrite.errors import BadModel


def test_the_sums_cover_every_file_and_name_the_one_that_differs(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("model.bin", "tokenizer.json", "below/card.json"):
        (tmp_path / name).write_text(name)
    write_sums(tmp_path)
    assert verify_sums(tmp_path) == 3
    (tmp_path / "tokenizer.json").write_text("other")
    with pytest.raises(BadModel, match=r"tokenizer\.json: it differs .* Do that"):
        verify_sums(tmp_path, hint="Do that.")
    (tmp_path / "model.bin").unlink()
    with pytest.raises(BadModel, match=r"model\.bin: it cannot be read: No such file"):
        verify_sums(tmp_path)
