"""From a trained judge to the folder that `rewrite.splitting.wholeness` runs: encoder, head, tokenizer, settings."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rerank.masked.bundled_files import HEAD, TOKENIZER
from rewrite.checksums import write_sums
from rewrite.engines.checkpoint import quietly
from training.exporting.card import data_table
from training.masked.packing import pack
from training.whole.options import WholeOptions

__all__ = ["pack_judge", "write_judge_card"]

_WHAT = (
    "Says of a text how likely it is one complete and well-formed English sentence. A small BERT in 8 bits with a head "
    "in numpy, taught with good sentences and with ones that were broken on purpose; `rewrite split` asks it."
)
_LIMITS = "It knows form alone, and encyclopedic and news text best: a sentence that makes no sense may be a good one."


def pack_judge(network: Any, encoder: Path, folder: Path, *, name: str) -> None:
    """Write the trained `network` to `folder`: the encoder in 8 bits, the head in 16.

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
    head = {key: part.detach().float().numpy() for key, part in state.items() if not key.startswith("encoder.")}
    np.savez(folder / HEAD, **{key: part.astype(np.float16) for key, part in head.items()})


def write_judge_card(folder: Path, name: str, options: WholeOptions, figures: Mapping[str, float]) -> None:
    """Write README.md, card.json and the checksums to the folder of a packed judge."""
    data = [item.model_dump(mode="json") for item in options.data]
    card = {
        "name": name,
        "task": "telling whole English sentences from broken ones",
        "language": "en",
        "licence": options.licence,
        "data": data,
        "figures": dict(figures),
        "limits": [_LIMITS],
    }
    (folder / "card.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    rows = "\n".join(f"| {key} | {round(value, 3):,} |" for key, value in figures.items())
    text = f"""# {name}

{_WHAT}

Licence: {options.licence}. {_LIMITS}

## What it has seen

{data_table(data)}

## Figures

On sentences that it has not learnt from (`python -m training.wholeness RECIPE --out FOLDER`): the loss in nats, the
share of right answers at 0.5, and the area under the curve, for each kind of broken sentence against all good ones:

| | |
| --- | --- |
{rows}
"""
    (folder / "README.md").write_text(text, encoding="utf-8")
    write_sums(folder)
