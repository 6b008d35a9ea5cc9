"""Sums of a model's files: they cover every file, and what is missing, differs or is no sum is named."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rewrite.checksums import SUMS, verify_sums, write_sums
from rewrite.errors import BadModel


def test_the_sums_cover_every_file_and_name_the_one_that_differs(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for name in ("model.bin", "tokenizer.json", "below/card.json"):
        (tmp_path / name).write_text(name)
    write_sums(tmp_path)
    assert verify_sums(tmp_path) == 3
    (tmp_path / "tokenizer.json").write_text("other")
    with pytest.raises(BadModel, match=r"tokenizer\.json: it differs"):
        verify_sums(tmp_path)
    (tmp_path / "model.bin").unlink()
    with pytest.raises(BadModel, match=r"model\.bin: the file is missing"):
        verify_sums(tmp_path)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../secret", ".."])
def test_a_sum_that_points_out_of_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    empty = hashlib.sha256(b"").hexdigest()
    (tmp_path / SUMS).write_text(f"{empty}  a\n{empty}  {name}\n")
    with pytest.raises(BadModel, match=r"SHA256SUMS, line 2: .* is no sum with a file's name"):
        verify_sums(tmp_path)
    with pytest.raises(BadModel, match="line 2"):
        verify_sums(tmp_path, part=True)


def test_all_files_that_are_missing_are_named_unless_a_part_is_asked_for(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name)
    write_sums(tmp_path)
    (tmp_path / "a").unlink()
    (tmp_path / "c").unlink()
    with pytest.raises(BadModel, match=r"a, c are missing, but SHA256SUMS names them\. Fetch or export"):
        verify_sums(tmp_path)
    with pytest.raises(BadModel, match="Do that"):
        verify_sums(tmp_path, hint="Do that.")
    assert verify_sums(tmp_path, part=True) == 1
    (tmp_path / "b").write_text("other")
    with pytest.raises(BadModel, match=r"b: it differs"):
        verify_sums(tmp_path, part=True)
