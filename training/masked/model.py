"""The model before training: a small BERT whose head is computed at masked places alone; new, or an earlier run's."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput, BadOption
from training.masked.options import MaskedOptions
from training.masked.vocabulary import PAD

TOKENIZER = "tokenizer.json"
"""The vocabulary, in the folder of a run's packs."""
HELD_OUT = "held-out.jsonl"
"""The paragraphs that a run has held out, in the folder of its packs: a list of sentences a line."""

_SHAPE = {
    "window": "max_position_embeddings",
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
}


def model_class() -> Any:
    """BERT with its own loss, by the library's name, so that its folder loads as any other's."""
    import torch
    import transformers

    base: Any = transformers.BertForMaskedLM

    class BertForMaskedLM(base):  # type: ignore[misc]
        def forward(  # type: ignore[no-untyped-def]
            self, input_ids=None, attention_mask=None, places=None, targets=None
        ) -> dict[str, Any]:
            """Logits at the flat `places` of the batch, and the mean loss of `targets` there.

            Computed everywhere, the head of a model this small takes as long as all its layers.
            """
            vectors = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            logits = self.cls(vectors.flatten(0, 1)[places])
            return {"loss": torch.nn.functional.cross_entropy(logits.float(), targets), "logits": logits}

    return BertForMaskedLM


def new_model(options: MaskedOptions, vocabulary: int, seed: int) -> Any:
    """A fresh model for `vocabulary` tokens, its weights fixed by the seed."""
    import torch
    import transformers

    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=vocabulary,
        hidden_size=options.width,
        num_hidden_layers=options.layers,
        num_attention_heads=options.heads,
        intermediate_size=4 * options.width,
        max_position_embeddings=options.window,
        type_vocab_size=1,
        pad_token_id=PAD,
        tie_word_embeddings=True,
    )
    return model_class()(_made_ready(config, options))


def _made_ready(config: Any, options: MaskedOptions) -> Any:
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = options.dropout
    # CTranslate2's converter looks for it, and newer configurations leave it out.
    config.position_embedding_type = "absolute"
    # On a processor, in bf16, the fused attention goes back half as fast as the plain one.
    config._attn_implementation = "eager"
    return config


class Earlier:
    """The run in `folder`. Raises `BadInput` where it is not over, `BadOption` where its model is of another shape.

    `held_out` are the paragraphs that it did not learn from, `digest` is of its weights and texts, and `history` its
    name and steps, and those of the run that it went on from, if any.
    """

    def __init__(self, folder: Path, options: MaskedOptions) -> None:
        self._options, self._model = options, folder / "model"
        packs = folder / "masked" / "packs"
        self.tokenizer = packs / TOKENIZER
        digest = hashlib.sha256()
        try:
            config = json.loads((self._model / "config.json").read_bytes())
            figures = json.loads((folder / "figures.json").read_bytes())
            self.held_out = [json.loads(line) for line in (packs / HELD_OUT).read_text(encoding="utf-8").splitlines()]
            for path in (self._model / "model.safetensors", self.tokenizer, packs / HELD_OUT):
                digest.update(path.read_bytes())
        except (OSError, ValueError) as error:
            raise BadInput(
                f"No model to go on from in {str(self._model)!r}: {error}.",
                hint="masked.start is the --out of a run of training.masked_lm that is over.",
            ) from error
        self.digest = digest.hexdigest()[:16]
        self.history = {key: figures[key] for key in ("name", "steps", "earlier") if key in figures}
        for key, name in _SHAPE.items():
            if config.get(name) != getattr(options, key):
                raise BadOption(
                    f"masked.{key} is {getattr(options, key)}, and {config.get(name)} in the run {str(folder)!r}.",
                    hint="A run that goes on from another has its shape.",
                )

    def model(self) -> Any:
        """Its model with its weights, to be trained on."""
        import transformers

        config = transformers.BertConfig.from_pretrained(self._model, local_files_only=True)
        config = _made_ready(config, self._options)
        return model_class().from_pretrained(self._model, config=config, local_files_only=True)
