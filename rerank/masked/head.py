"""The forward pass of a transformers model for masked words, with its output layer on the asked positions alone."""

from __future__ import annotations

from typing import Any

from rerank.checkpoint import libraries

__all__ = ["forward", "works_on_asked_positions"]


def forward(model: Any, tokens: Any, mask: Any, rows: Any, places: Any, *, sparse: bool) -> Any:
    """Logits of each asked position, `[asked, vocabulary]`: position `places[k]` of row `rows[k]`.

    `tokens` and `mask` are `[batch, width]`. With `sparse` the encoder's output is cut down to the asked positions
    before the model's own output layer sees it, which for a small encoder saves most of the time: the output layer has
    a row of weights for every word of the vocabulary.
    """
    if not sparse:
        return model(input_ids=tokens, attention_mask=mask).logits[rows, places]

    def only_asked(_module: Any, _inputs: Any, output: Any) -> Any:
        output[0 if isinstance(output, tuple) else "last_hidden_state"] = output[0][rows, places][None]
        return output

    hook = model.base_model.register_forward_hook(only_asked)
    try:
        return model(input_ids=tokens, attention_mask=mask).logits[0]
    finally:
        hook.remove()


def works_on_asked_positions(model: Any, device: str, sample: tuple[int, ...]) -> bool:
    """Whether the model's output layer takes positions one by one, seen on a `sample` of tokens."""
    torch, _ = libraries()
    tokens = torch.tensor([sample, sample], device=device)
    rows, places = torch.tensor([0, 1, 1], device=device), torch.tensor([1, 0, 2], device=device)
    with torch.inference_mode():
        whole = forward(model, tokens, torch.ones_like(tokens), rows, places, sparse=False)
        try:
            asked = forward(model, tokens, torch.ones_like(tokens), rows, places, sparse=True)
        except Exception:  # whatever an architecture does with an output of another shape
            return False
    return asked.shape == whole.shape and bool(torch.allclose(asked, whole, rtol=1e-3, atol=1e-3))
