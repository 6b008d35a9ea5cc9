"""The largest values of each channel of the base, which its int8 form is scaled by (`rewrite.base.model_writing`).

    python -m training.smoothing MODEL_FOLDER PAIRS.jsonl --out rewrite/base/activations.npz

MODEL_FOLDER is the base or a fine-tuned model of transformers; of the pairs, with controls, the first `--sources` rows
are read.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import libraries, load_tokenizer
from rewrite.base.model_writing import LAYER_INPUTS, OUTPUT_INPUT
from rewrite.engines.model_folder import load_model
from rewrite.prompting import load_prompt
from training.command import command_line
from training.pairs import PairFile, RowCount, read_pairs


def measure(model: Any, rows: Sequence[Sequence[int]]) -> dict[str, np.ndarray[Any, Any]]:
    """The largest absolute input of each channel over some texts, as `largest_activations` describes them."""
    torch, _ = libraries()
    largest: dict[str, Any] = {}

    def watch(name: str) -> Any:
        def hook(_: Any, inputs: Any) -> None:
            values = inputs[0].abs().flatten(0, -2).amax(0)
            largest[name] = torch.maximum(largest.get(name, values), values)

        return hook

    modules = dict(model.named_modules())
    layers = len(model.get_decoder().layers)
    names = [f"model.layers.{i}.{part}" for i in range(layers) for part in LAYER_INPUTS]
    hooks = [modules[name].register_forward_pre_hook(watch(name)) for name in (*names, OUTPUT_INPUT)]
    with torch.no_grad():
        for row in rows:
            model(input_ids=torch.tensor([list(row)]))
    for hook in hooks:
        hook.remove()
    tables = {
        part: np.stack([largest[f"model.layers.{i}.{part}"].numpy() for i in range(layers)]) for part in LAYER_INPUTS
    }
    return {
        name: table.astype(np.float16)
        for name, table in (tables | {OUTPUT_INPUT: largest[OUTPUT_INPUT].numpy()}).items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure, write."""
    parser = command_line("smoothing", __doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--prompt", default="gemma_ru")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    torch, _ = libraries()
    tokenizer, prompt = load_tokenizer(options.model), load_prompt(options.prompt)
    pairs = itertools.islice(read_pairs(options.pairs, PairFile(path=str(options.pairs)), RowCount()), options.sources)
    texts = [prompt.training_text(pair.source, pair.target, pair.controls) for pair in pairs]
    rows = [tokenizer(text)["input_ids"] for text in texts]
    model = load_model(options.model, seq2seq=False, dtype=torch.float32, allow_pickle=False)
    tables: dict[str, Any] = measure(model, rows)
    np.savez_compressed(options.out, **tables)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes from {len(rows)} texts")


if __name__ == "__main__":
    main()
