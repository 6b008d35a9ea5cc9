"""What plays the hub where models are fetched: folders."""

from __future__ import annotations

import fnmatch
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

__all__ = ["Hub"]


class Hub:
    """Stands in for the hub library's calls: repositories are folders, and its cache is laid out as the library's."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.repositories: dict[str, Path] = {}
        self.asked: list[str] = []
        self.fault: BaseException | None = None

    def model_info(self, api: Any, name: str, timeout: float) -> Any:
        self.asked.append(name)
        if self.fault is not None and not isinstance(self.fault, OSError):
            raise self.fault
        if name not in self.repositories:
            raise OSError("no way to the hub")
        names = sorted(path.name for path in self.repositories[name].iterdir())
        return SimpleNamespace(siblings=[SimpleNamespace(rfilename=each) for each in names])

    def snapshot_download(
        self,
        name: str,
        *,
        allow_patterns: Sequence[str],
        ignore_patterns: Sequence[str],
        local_files_only: bool = False,
    ) -> str:
        root = self.cache / f"models--{name.replace('/', '--')}"
        snapshot = root / "snapshots" / ("0" * 40)
        if local_files_only:
            if not snapshot.is_dir():
                raise OSError("not in the cache")
            return str(snapshot)
        if self.fault is not None:
            raise self.fault
        for folder in (snapshot, root / "blobs", root / "refs"):
            folder.mkdir(parents=True)
        (root / "refs" / "main").write_text("0" * 40)
        for path in self.repositories[name].iterdir():
            if any(fnmatch.fnmatch(path.name, pattern) for pattern in allow_patterns):
                shutil.copyfile(path, snapshot / path.name)
        return str(snapshot)
