"""Which pairs were there before. Fingerprints lie on disk, so memory does not grow with their number."""

from __future__ import annotations

import hashlib
import sqlite3
import unicodedata
from pathlib import Path
from types import TracebackType

from rerank.frequency import fold
from rewrite.errors import CannotWrite

__all__ = ["Seen", "normal"]

_CACHE_KIB = 16_384
_SAME = str.maketrans({**dict.fromkeys("«»„“”‟", '"'), **dict.fromkeys("‘’‚", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})


def normal(text: str) -> str:
    """What two equal texts share: NFC, lower case, ё as е, one form of quotes and of dashes, single spaces."""
    return " ".join(fold(unicodedata.normalize("NFC", text)).translate(_SAME).split())


class Seen:
    """The pairs so far, as fingerprints of 8 bytes in a file; a context manager that removes the file.

    Memory: 16 MB at most, whatever the number of pairs. Disk: some 12 to 25 bytes a pair. Two different pairs of n are
    taken for one with a chance of n²/2⁶⁵: 2·10⁻⁹ for 247 thousand pairs, 0.0003 for 100 million.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.unlink(missing_ok=True)
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
            # The file is made anew at every start: nothing of it needs to outlive a crash.
            for setting in (
                "journal_mode=OFF",
                "synchronous=OFF",
                f"cache_size=-{_CACHE_KIB}",
                "locking_mode=EXCLUSIVE",
            ):
                self._base.execute(f"PRAGMA {setting}")
            self._base.execute("CREATE TABLE seen (pair INTEGER PRIMARY KEY)")
            self._base.execute("BEGIN")
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._base.close()
        self._path.unlink(missing_ok=True)

    def add(self, source: str, target: str) -> bool:
        """Whether the pair is new; it is known from now on."""
        text = f"{normal(source)}\0{normal(target)}".encode()
        mark = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True)
        try:
            return self._base.execute("INSERT OR IGNORE INTO seen VALUES (?)", (mark,)).rowcount == 1
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: sqlite3.Error) -> CannotWrite:
        return CannotWrite(
            f"Cannot write {str(self._path)!r}: {error}.", hint="Free some space; the same command then goes on."
        )
