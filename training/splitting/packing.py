"""From a trained splitter to the folder that `rewrite.splitting.model` runs: encoder, heads, openers, tokenizer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewrite.splitting.model import OPENERS
from training.encoders.packing import head_of, pack_network

__all__ = ["pack_splitter"]


def pack_splitter(network: Any, encoder: Path, openers: Sequence[tuple[str, ...]], folder: Path, *, name: str) -> None:
    """Write the trained `network` and its openers to `folder`; see `pack_network`."""
    heads = head_of(network)
    heads["word.bias"] = heads["word.bias"] + heads.pop("style.weight")[0]
    pack_network(network, encoder, heads, folder, name=name)
    text = json.dumps([list(parts) for parts in openers], ensure_ascii=False)
    (folder / OPENERS).write_text(f"{text}\n", encoding="utf-8")
