"""Weights scaled so that int8 loses little: SmoothQuant (Xiao et al., 2023), equation 4, with a strength of a half.

CTranslate2 rounds what a layer reads to int8, one scale for each token, and a few channels of Gemma's are ten times as
large as the others. Each channel is divided by a factor where it is made (a norm, or the layer before) and the weight
that reads it multiplied by the same: the function stays, the outliers go. `activations.npz` has the largest values of
each channel on calibration texts (`python -m training.smoothing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rerank.errors import install_again
from rewrite.base.weights import Architecture
from rewrite.errors import BadModel

__all__ = ["ACTIVATIONS", "LAYER_INPUTS", "OUTPUT_INPUT", "largest_activations", "smoothed_layer", "smoothed_output"]

Floats = NDArray[np.float32]
ACTIVATIONS = Path(__file__).with_name("activations.npz")
LAYER_INPUTS = ("self_attn.q_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.down_proj")
"""The weights of a layer whose inputs are measured; those of k, v and up are the inputs of q and gate."""
OUTPUT_INPUT = "lm_head"
_LEAST = 1e-4


@cache
def largest_activations() -> dict[str, Floats]:
    """The largest absolute input of each channel on calibration texts.

    (layers, channels) by the names of `LAYER_INPUTS`, and (channels,) of the output.
    """
    try:
        with np.load(ACTIVATIONS, allow_pickle=False) as file:
            return {name: file[name].astype(np.float32) for name in (*LAYER_INPUTS, OUTPUT_INPUT)}
    except (OSError, ValueError, KeyError) as error:
        raise BadModel(f"{ACTIVATIONS}: it cannot be read: {error}.", hint=install_again("rewrite/base")) from error


def _factors(activations: Floats, readers: Sequence[Floats]) -> Floats:
    """What each channel is divided by, given the weights (outputs, channels) that read it."""
    weights = np.max([np.abs(weight).max(axis=0) for weight in readers], axis=0)
    factors = np.sqrt(np.maximum(activations, _LEAST) / np.maximum(weights, _LEAST))
    scaled: Floats = (factors / np.exp(np.log(factors).mean())).astype(np.float32)
    return scaled


def smoothed_layer(weight: Callable[[str], Floats], number: int, sizes: Architecture) -> dict[str, Floats]:
    """The weights of layer `number` by name, scaled; `weight(name)` gives them as they are."""
    largest = {name: values[number] for name, values in largest_activations().items() if name != OUTPUT_INPUT}
    parts = {
        name: weight(name)
        for name in (
            *("input_layernorm", "pre_feedforward_layernorm"),
            *(f"self_attn.{part}_proj" for part in "qkvo"),
            *(f"mlp.{part}_proj" for part in ("gate", "up", "down")),
        )
    }
    for norm, first, readers in (
        ("input_layernorm", "self_attn.q_proj", ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")),
        ("pre_feedforward_layernorm", "mlp.gate_proj", ("mlp.gate_proj", "mlp.up_proj")),
    ):
        factors = _factors(largest[first], [parts[name] for name in readers])
        parts[norm] = (1 + parts[norm]) / factors - 1
        parts |= {name: parts[name] * factors for name in readers}
    # All heads of queries read the same values.
    groups = sizes.heads // sizes.key_heads
    by_head = parts["self_attn.o_proj"].reshape(-1, sizes.key_heads, groups, sizes.head_size)
    of_values = by_head.transpose(0, 2, 1, 3).reshape(-1, sizes.key_heads * sizes.head_size)
    inputs = largest["self_attn.o_proj"].reshape(sizes.key_heads, groups, sizes.head_size).max(axis=1).ravel()
    factors = _factors(inputs, [of_values])
    parts["self_attn.v_proj"] /= factors[:, None]
    spread = np.repeat(factors.reshape(sizes.key_heads, 1, sizes.head_size), groups, axis=1).ravel()
    parts["self_attn.o_proj"] = parts["self_attn.o_proj"] * spread
    factors = _factors(largest["mlp.down_proj"], [parts["mlp.down_proj"]])
    parts["mlp.up_proj"] /= factors[:, None]
    parts["mlp.down_proj"] = parts["mlp.down_proj"] * factors
    return parts


def smoothed_output(norm: Floats, embeddings: Floats) -> tuple[Floats, Floats]:
    """The last norm and the output weights, (tokens, channels), scaled."""
    factors = _factors(largest_activations()[OUTPUT_INPUT], [embeddings])
    return (1 + norm) / factors - 1, embeddings * factors
