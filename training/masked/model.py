"""The model before training: a small BERT whose head is computed at masked places alone."""

from __future__ import annotations

from typing import Any

from training.heads.options import MaskedOptions
from training.masked.vocabulary import PAD
from training.packed import IGNORED


def model_class() -> Any:
    """BERT with its own loss, by the library's name, so that its folder loads as any other's."""
    import torch
    import transformers

    base: Any = transformers.BertForMaskedLM

    class BertForMaskedLM(base):  # type: ignore[misc]
        def forward(self, input_ids=None, attention_mask=None, labels=None) -> dict[str, Any]:  # type: ignore[no-untyped-def]
            """The logits of the tokens that have a label, and their mean loss; `IGNORED` is no label.

            Computed everywhere, the head of a model this small takes as long as all its layers.
            """
            vectors = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            asked = labels != IGNORED
            logits = self.cls(vectors[asked])
            loss = torch.nn.functional.cross_entropy(logits.float(), labels[asked], reduction="sum")
            return {"loss": loss / asked.sum().clamp(min=1), "logits": logits}

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
        # A model this small does not learn its text by heart.
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        # On a processor, in bf16, the fused attention goes back half as fast as the plain one.
        attn_implementation="eager",
    )
    # CTranslate2's converter looks for it, and newer configurations leave it out.
    config.position_embedding_type = "absolute"
    return model_class()(config)
