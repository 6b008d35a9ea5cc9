"""From a trained splitter to the folder that `rewrite.splitting.model` runs: encoder, heads, openers, tokenizer."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rerank.masked.bundled_files import HEAD, TOKENIZER
from rewrite.engines.checkpoint import quietly
from rewrite.splitting.model import OPENERS
from training.masked.packing import pack

__all__ = ["pack_splitter"]


def pack_splitter(network: Any, encoder: Path, openers: Sequence[tuple[str, ...]], folder: Path, *, name: str) -> None:
    """Write the trained `network` to `folder`: the encoder in 8 bits, the heads in 16.

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
        pack(Path(scratch), folder, name=name, language="en", weights="int8")
    state = network.state_dict()
    heads = {key: part.detach().float().numpy() for key, part in state.items() if not key.startswith("encoder.")}
    heads["word.bias"] = heads["word.bias"] + heads.pop("style.weight")[0]
    np.savez(folder / HEAD, **{key: part.astype(np.float16) for key, part in heads.items()})
    text = json.dumps([list(parts) for parts in openers], ensure_ascii=False)
    (folder / OPENERS).write_text(f"{text}\n", encoding="utf-8")
