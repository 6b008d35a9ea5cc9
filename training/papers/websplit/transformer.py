"""Today's form of the paper's networks: a small transformer with one encoder or two.

With two, what the encoders give stands side by side, and each head of the decoder looks at all of it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers.modeling_outputs import BaseModelOutput

from training.papers.websplit.copying import BEGIN, END, PAD, new_model

__all__ = ["Transformer"]


class Transformer(torch.nn.Module):  # type: ignore[misc]
    """An encoder-decoder that copies from its first step (`training.papers.websplit.copying`).

    `base` is a Pegasus of transformers, saved as such where there is one encoder, so that it can be converted; the
    encoder of the second source begins as a copy of the first.
    """

    def __init__(self, vocabulary: int, *, sources: int, width: int, encoder: int, decoder: int) -> None:
        super().__init__()
        self.base: Any = new_model(vocabulary, width=width, encoder=encoder, decoder=decoder)
        self.second: Any = None
        if sources == 2:
            self.second = copy.deepcopy(self.base.get_encoder())
            self.second.embed_tokens = self.base.model.shared

    def _encode(self, sources: Sequence[torch.Tensor]) -> tuple[Any, torch.Tensor]:
        encoders = [self.base.get_encoder(), *([self.second] if self.second is not None else [])]
        masks = [(source != PAD).long() for source in sources]
        states = [
            encoder(input_ids=source, attention_mask=mask).last_hidden_state
            for encoder, source, mask in zip(encoders, sources, masks, strict=True)
        ]
        return BaseModelOutput(last_hidden_state=torch.cat(states, dim=1)), torch.cat(masks, dim=1)

    def forward(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        """Logits of the next token after each of `before` [rows, length] → [rows, length, vocabulary]."""
        states, mask = self._encode(sources)
        logits: torch.Tensor = self.base(
            encoder_outputs=states, attention_mask=mask, decoder_input_ids=before, use_cache=False
        ).logits
        return logits

    def decode(self, sources: Sequence[torch.Tensor], *, beam: int, longest: int) -> list[list[list[int]]]:
        """The hypotheses of a beam search for each row, best first, without special tokens."""
        states, mask = self._encode(sources)
        found = self.base.generate(
            encoder_outputs=states,
            attention_mask=mask,
            num_beams=beam,
            num_return_sequences=beam,
            max_new_tokens=longest,
            do_sample=False,
            early_stopping=beam > 1,
        )
        rows = [[token for token in row if token not in (BEGIN, END, PAD)] for row in found.tolist()]
        return [rows[start : start + beam] for start in range(0, len(rows), beam)]

    def save(self, folder: Path) -> None:
        """Write what `training.papers.websplit.networks.load_network` reads; a Pegasus of transformers for one source."""
        self.base.save_pretrained(folder)
        if self.second is not None:
            from safetensors.torch import save_file

            weights = {
                name: tensor.contiguous()
                for name, tensor in self.second.state_dict().items()
                if not name.startswith("embed_tokens")
            }
            save_file(weights, folder / "second.safetensors")

    def load(self, folder: Path) -> None:
        """Read what `save` has written into a network of the same sizes."""
        from safetensors.torch import load_file

        self.base = type(self.base).from_pretrained(folder)
        if self.second is not None:
            self.second.embed_tokens = self.base.model.shared
            self.second.load_state_dict(load_file(folder / "second.safetensors"), strict=False)
