"""Memory that a model frees at one token and asks for at the next, kept instead of given back in between.

CTranslate2 allocates its growing caches anew at each token. With glibc's defaults such blocks go back to the system
every time, and are filled with zeros again. docs/engines.md has what that costs.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform

# Numbers of `mallopt` in malloc.h, with what each is set to here.
_TRIM_THRESHOLD = (-1, 2_000_000_000)
# Older releases of glibc allow 32 MiB at most.
_MMAP_THRESHOLDS = ((-3, 1 << 30), (-3, 32 << 20))
# Each thread would otherwise keep freed memory of its own.
_ARENAS = (-8, 1)


def keep_freed_memory() -> bool:
    """Tell glibc to keep what is freed for what comes next in this process; whether it was told.

    Not where another C library runs, nor where the environment says how memory is to be allocated (`MALLOC_…`,
    `GLIBC_TUNABLES`). The process then holds what it held at its peak until it ends.
    """
    if platform.libc_ver()[0] != "glibc" or any(
        name.startswith("MALLOC_") or name == "GLIBC_TUNABLES" for name in os.environ
    ):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    if not any(mallopt(*threshold) for threshold in _MMAP_THRESHOLDS):
        return False
    return bool(mallopt(*_TRIM_THRESHOLD) and mallopt(*_ARENAS))


def give_back_memory() -> None:
    """Give the system what is free, once a model is: models that are loaded one after the other leave gaps between what
    stays, into which the next does not fit. Where the C library is another, nothing happens."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
