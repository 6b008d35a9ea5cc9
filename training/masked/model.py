"""The model before training: a small BERT whose head is computed at masked places alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.masked.options import MaskedOptions
from training.masked.vocabulary import PAD

__all__ = ["model_class", "new_model", "read_model"]


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


def read_model(folder: Path, options: MaskedOptions) -> Any:
    """The trained model in `folder`, to be trained on."""
    import transformers

    config = _made_ready(transformers.BertConfig.from_pretrained(folder, local_files_only=True), options)
    return model_class().from_pretrained(folder, config=config, local_files_only=True)


def _made_ready(config: Any, options: MaskedOptions) -> Any:
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = options.dropout
    # CTranslate2's converter looks for it, and newer configurations leave it out.
    config.position_embedding_type = "absolute"
    # On a processor, in bf16, the fused attention goes back half as fast as the plain one.
    config._attn_implementation = "eager"
    return config
