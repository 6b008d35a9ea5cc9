"""Keep a packed network as what differs from the bundled masked model that its encoder was taught from.

    python -m training.differences FOLDER [--base mlm-en]

FOLDER, as a step that teaches a network has written it, then holds no encoder and no tokenizer: about half the bytes,
and the same weights to the bit. It runs beside the `rerank/models/BASE` that it was made with, so this is for networks
that a release holds. What a folder held stays where it cannot be done.
"""

from __future__ import annotations

import argparse
import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rerank.errors import BadInput
from rerank.masked.packed import (
    BUNDLED,
    CONFIG,
    ENCODER,
    FORMAT,
    SETTINGS,
    TOKENIZER,
    VOCABULARY,
    read_settings,
)
from rerank.masked.weights import DIFFERENCE, write_difference
from rewrite.checksums import write_sums
from training.command import run_to_the_end
from training.disk import explained

__all__ = ["keep_difference", "main"]

_HINT = "Give a folder that a step of training wrote, and the bundled model that its recipe names as `encoder`."


def keep_difference(folder: Path, base: str) -> None:
    """Turn the network in `folder` into one that differs from the bundled model `base`.

    Raises `ModelNotFound` where `folder` or `base` is none, `BadInput` where they have other tokens or layers.
    """
    settings, shared = read_settings(folder, _HINT), BUNDLED / base
    read_settings(shared, _HINT)
    if settings.base:
        raise BadInput(f"{folder}: it is kept as a difference from {settings.base} already.", hint=_HINT)
    for name in (CONFIG, TOKENIZER, VOCABULARY):
        if (folder / name).read_bytes() != (shared / name).read_bytes():
            raise BadInput(f"{folder / name}: it is not that of {base}.", hint=_HINT)
    with explained(folder):
        draft = folder / f"new-{DIFFERENCE}"
        try:
            write_difference((folder / ENCODER).read_bytes(), (shared / ENCODER).read_bytes(), draft)
            draft.replace(folder / DIFFERENCE)
        except (ValueError, LookupError, struct.error) as error:
            raise BadInput(f"{folder / ENCODER}: no difference from {base}: {error}.", hint=_HINT) from error
        finally:
            draft.unlink(missing_ok=True)
        told = {"format": FORMAT, **asdict(replace(settings, base=base))}
        (folder / SETTINGS).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for name in (ENCODER, CONFIG, TOKENIZER, VOCABULARY):
            (folder / name).unlink()
        write_sums(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m training.differences",
        description="Keep a packed network as what differs from the bundled model it was taught from.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a packed network; it is changed in place")
    parser.add_argument("--base", metavar="NAME", help="a model in rerank/models (default: that of its language)")
    given = parser.parse_args(arguments)

    def work() -> None:
        language = read_settings(given.folder, _HINT).language
        keep_difference(given.folder, given.base or f"mlm-{language}")
        size = sum(path.stat().st_size for path in given.folder.iterdir())
        print(f"{given.folder}: {size / 1e6:.1f} MB")

    return run_to_the_end("differences", work)


if __name__ == "__main__":
    raise SystemExit(main())
