"""A network on a small encoder in one folder: the encoder in CTranslate2, and a head of its own in numpy."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from rerank.masked.bundled_files import Settings, checksum, read_settings, readable
from rerank.masked.encoder import PackedEncoder

__all__ = ["PackedNetwork"]


class PackedNetwork:
    """The network in `folder`, as the command `step` writes it; without one that in the folder `bundled`.

    `kind` begins its name, and `also` are the files that it has beside those of every packed encoder. Weights are
    loaded when it is first asked for something. `threads` are those of the encoder, 0 one for each core. Raises
    `ModelNotFound` where a file of the folder is missing or broken, with the hint `reinstall` for the bundled one.
    """

    def __init__(
        self,
        folder: Path | None,
        bundled: Path,
        *,
        kind: str,
        step: str,
        threads: int,
        reinstall: str,
        also: tuple[str, ...] = (),
    ) -> None:
        self.folder = folder or bundled
        self._hint = f"Give a folder that `python -m {step}` has written." if folder else reinstall
        self._settings: Settings = read_settings(self.folder, self._hint)
        name = "bundled" if folder is None else self._settings.name
        self._encoder = PackedEncoder(self.folder, self._settings, name=name, threads=threads, hint=self._hint)
        self._also = also
        self.name = f"{kind}:{name}"

    def signature(self) -> str:
        """Name and checksum of all that decides what the network says."""
        return f"{self.name}@{self._checksum}"

    @cached_property
    def _checksum(self) -> str:
        with readable(self.folder, self._hint):
            return checksum(self.folder, *self._also)
