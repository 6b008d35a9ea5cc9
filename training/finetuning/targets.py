"""The loss of a causal model on what it has to write, with logits there alone: the vocabulary is the larger half."""

from __future__ import annotations

from typing import Any

from training.packed import IGNORED


def loss_of_targets(model: Any, batch: dict[str, Any], count: Any) -> Any:
    """The mean cross-entropy of a batch's `labels`, or their sum over `count` where that is known."""
    from torch.nn.functional import cross_entropy

    targets, logits = targets_and_logits(model, batch)
    return cross_entropy(logits, targets, reduction="sum") / (max(len(targets), 1) if count is None else count)


def targets_and_logits(model: Any, batch: dict[str, Any]) -> tuple[Any, Any]:
    """The labels of a batch that are learnt, rows in turn, and the logits before each: `[n]`, `[n, vocabulary]`."""
    inputs = {**batch}
    labels = inputs.pop("labels")[:, 1:]
    return labels[labels != IGNORED], logits_at(model, inputs, (labels != IGNORED).nonzero(as_tuple=True))


def logits_at(model: Any, inputs: dict[str, Any], places: tuple[Any, Any]) -> Any:
    """What a causal model, with adapters or without, says after the tokens at some rows and columns of `inputs`."""
    bare = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = bare.get_decoder()(**inputs, use_cache=False).last_hidden_state
    return bare.get_output_embeddings()(hidden[places]).float()


def head_is_plain(model: Any) -> bool:
    """Whether a causal model's logits are its last hidden states times its head, and nothing more."""
    scaled = ("final_logit_softcapping", "logit_scale", "logits_scaling")
    return not any(getattr(model.config, name, None) for name in scaled)
