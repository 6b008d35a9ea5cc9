"""Numbers and what they count, in messages for people."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`, `1,804 rows`; `many` for what is not `one` with an s behind it: `lacks` and `lack`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
