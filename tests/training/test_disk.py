"""Files and folders that are written whole or stay as they were, and errors that say which, why and what to do."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from rewrite.errors import BadInput, CannotWrite
from training import disk
from training.command import duration, million
from training.disk import cannot_write, require_writable, write_folder, write_text, write_whole

_FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_replaced_when_it_is_whole_and_stays_as_it_was_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.json"
    write_text(path, "один\n")
    assert path.read_bytes() == "один\n".encode()

    def torn(error: BaseException) -> None:
        with write_whole(path) as draft:
            draft.write_text("half")
            raise error

    for error, told in ((_FULL, CannotWrite), (KeyboardInterrupt(), KeyboardInterrupt), (BadInput("no"), BadInput)):
        with pytest.raises(told):
            torn(error)
        assert path.read_text(encoding="utf-8") == "один\n"
        assert [left.name for left in path.parent.iterdir()] == ["file.json"]


def test_a_folder_is_replaced_when_it_is_whole_and_stays_as_it_was_otherwise(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    write_folder(folder, lambda scratch: (scratch / "a").write_text("1"))
    # What a killed run has left, the day before yesterday.
    half = tmp_path / ".model-1234.half"
    half.mkdir()
    os.utime(half, (time.time() - 2 * 24 * 60 * 60,) * 2)

    def torn(scratch: Path) -> None:
        assert not list(scratch.iterdir())
        (scratch / "b").write_text("2")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, torn)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert [path.name for path in folder.iterdir()] == ["a"]
    write_folder(folder, lambda scratch: (scratch / "c").write_text("3"))
    assert [path.name for path in folder.iterdir()] == ["c"]


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (_FULL, True),
        (OSError(errno.EDQUOT, "Quota"), True),
        (OSError(errno.EFBIG, "File too large"), True),
        (RuntimeError("I/O error: No space left on device (os error 28)"), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (OSError("150000 requested and 1024 written"), True),
        (OSError("Can't load the configuration"), False),
        (RuntimeError("unexpected pos 64 vs 0"), False),
    ],
)
def test_a_full_disk_has_one_remedy_whatever_a_library_says_of_it(error: Exception, full: bool, tmp_path: Path) -> None:
    told = cannot_write(tmp_path / "not there" / "file", error)
    assert f"Cannot write {str(tmp_path / 'not there' / 'file')!r}: " in str(told)
    assert (told.hint == "Free some space, then run the same command again.") == full


def test_a_disk_without_room_is_full_where_a_library_does_not_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda path: SimpleNamespace(free=9))
    told = cannot_write(tmp_path, RuntimeError("unexpected pos 64 vs 0"))
    assert told.message == f"Cannot write {str(tmp_path)!r}: No space left on device."


def test_a_folder_that_files_can_be_written_to_is_left_as_it_was(tmp_path: Path) -> None:
    require_writable(tmp_path / "new" / "out")
    assert list((tmp_path / "new" / "out").iterdir()) == []


def test_sizes_and_times_in_words() -> None:
    assert million(13_240_000) == "13.2 M parameters"
    assert duration(3599.7) == "1 h 0 min"
