"""From a trained network to a folder that runs without torch: its encoder in CTranslate2, the rest of it for numpy."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.masked.packed import HEAD, TOKENIZER
from rewrite.engines.checkpoint import quietly
from training.masked.packing import pack

__all__ = ["head_of", "pack_network"]

Floats = npt.NDArray[np.float32]


def head_of(network: Any) -> dict[str, Floats]:
    """The weights of a network by name, without those of its encoder."""
    state = network.state_dict()
    return {key: part.detach().float().numpy() for key, part in state.items() if not key.startswith("encoder.")}


def pack_network(
    network: Any, encoder: Path, head: Mapping[str, Floats], folder: Path, *, name: str, language: str = "en"
) -> None:
    """Write the encoder of the trained `network` to `folder` in 8 bits, its `head` in 16, tokenizer and settings.

    `encoder` is the folder of the masked language model that it began with. Raises `BadModel`.
    """
    import transformers

    with tempfile.TemporaryDirectory() as scratch:
        # CTranslate2 reads an encoder out of a masked model's folder.
        with quietly():
            whole = transformers.BertForMaskedLM.from_pretrained(str(encoder), local_files_only=True)
            whole.bert.load_state_dict(network.encoder.state_dict(), strict=False)
            whole.config.position_embedding_type = "absolute"
            whole.save_pretrained(scratch)
        shutil.copyfile(encoder / TOKENIZER, Path(scratch) / TOKENIZER)
        pack(Path(scratch), folder, name=name, language=language, weights="int8")
    parts: dict[str, Any] = {key: part.astype(np.float16) for key, part in head.items()}
    np.savez(folder / HEAD, **parts)
