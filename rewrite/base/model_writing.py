"""The base with its vocabulary trimmed and an adapter added, written for CTranslate2 or for transformers.

Neither torch nor transformers is needed for either. For int8 the weights are scaled so that little is lost: SmoothQuant
(Xiao et al., 2023), equation 4, with a strength of a half. CTranslate2 rounds what a layer reads to int8, one scale for
each token, and a few channels of Gemma's are ten times as large as the others. Each channel is divided by a factor
where it is made (a norm, or the layer before) and the weight that reads it multiplied by the same: the function stays,
the outliers go. `activations.npz` has the largest values of each channel on calibration texts
(`python -m training.smoothing`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rerank.errors import install_again
from rewrite.base.model_weights import EMBEDDINGS, BaseWeights, LowRank
from rewrite.base.package import INSTALL
from rewrite.base.vocabulary import BEGIN, END, PAD, SPECIAL, UNKNOWN, tokenizer_json
from rewrite.engines.convert import CARD, Card
from rewrite.errors import BadModel, MissingExtra

Floats = NDArray[np.float32]
ACTIVATIONS = Path(__file__).with_name("activations.npz")
LAYER_INPUTS = ("self_attn.q_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.down_proj")
"""The weights of a layer whose inputs are measured; those of k, v and up are the inputs of q and gate."""
OUTPUT_INPUT = "lm_head"
_LEAST = 1e-4
# CTranslate2 4.8 fails on a text longer than a layer's sliding window (512), so its layers have none: up to 512 tokens
# that is the same, from there on local layers look further back than they learnt to. More than a sentence is not asked.
_CT2_CONTEXT = 1024
# Sizes of Gemma 3 270M. All heads of queries read the same keys and values; every sixth layer attends to the whole text
# and not to the last tokens alone.
_LAYERS, _HEADS, _HEAD_SIZE, _CONTEXT = 18, 4, 256, 32_768
_ATTENDS_TO_ALL = tuple((layer + 1) % 6 == 0 for layer in range(_LAYERS))
_GLOBAL_THETA, _LOCAL_THETA = 1_000_000.0, 10_000.0
_CT2_NAMES = {
    "input_layer_norm": "input_layernorm",
    "post_attention_layer_norm": "post_attention_layernorm",
    "pre_feedforward_layer_norm": "pre_feedforward_layernorm",
    "post_feedforward_layer_norm": "post_feedforward_layernorm",
}


class Adapted(NamedTuple):
    """A base, the tokens of it that are kept, and what an adapter adds to weights, by their names (maybe nothing)."""

    base: BaseWeights
    ids: NDArray[np.int64]
    adapter: Mapping[str, LowRank]

    def weight(self, name: str) -> Floats:
        """A weight with the adapter added; of the embeddings the kept rows."""
        if name == EMBEDDINGS:
            return self.base.rows(self.ids)
        weight = self.base.read(name)
        return self.adapter[name].added_to(weight) if name in self.adapter else weight

    def require_fitting(self) -> None:
        """Raise `BadModel` where the adapter changes nothing, or what the base does not have."""
        strange = sorted(set(self.adapter) - set(self.base.names()))
        if strange or not self.adapter:
            raise BadModel(f"The adapter is not of this base: it changes {strange[0] if strange else 'nothing'!r}.")

    @property
    def tokenizer(self) -> str:
        """The text of tokenizer.json."""
        return tokenizer_json(self.base.pieces, self.ids)

    @property
    def pieces(self) -> list[str]:
        """The kept tokens."""
        return [self.base.pieces[i] for i in self.ids.tolist()]


def write_for_ct2(model: Adapted, folder: Path, *, quantization: str = "int8") -> None:
    """Write `model` to `folder`, which is there, for CTranslate2: weights, vocabulary, tokenizer and `Card`."""
    spec = _ct2_spec(model, smooth=quantization.startswith("int8"))
    spec.register_vocabulary(model.pieces)
    spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = BEGIN, END, UNKNOWN
    spec.validate()
    spec.optimize(quantization=None if quantization == "float32" else quantization)
    spec.save(str(folder))
    (folder / "tokenizer.json").write_text(model.tokenizer, encoding="utf-8")
    card = Card(
        kind="causal",
        model_type="gemma3_text",
        context=_CT2_CONTEXT,
        begin=BEGIN,
        end=(END,),
        suppress=tuple(piece for piece in SPECIAL if piece != END),
    )
    (folder / CARD).write_text(json.dumps(asdict(card), ensure_ascii=False), encoding="utf-8")


def _ct2_spec(model: Adapted, *, smooth: bool) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        _LAYERS,
        _HEADS,
        activation=common_spec.Activation.GELUTanh,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=_HEAD_SIZE,
        rotary_interleave=False,
        rotary_base=_LOCAL_THETA,
        num_heads_kv=1,
        head_dim=_HEAD_SIZE,
        pre_post_layer_norm=True,
        qk_norm=True,
    )
    decoder = spec.decoder
    decoder.scale_embeddings = True
    decoder.start_from_zero_embedding = False
    embeddings = model.weight(EMBEDDINGS)
    decoder.embeddings.weight = embeddings
    norm, output = model.weight("model.norm.weight"), embeddings
    if smooth:
        norm, output = _smoothed_output(norm, embeddings)
    decoder.projection.weight = output
    _set_norm(decoder.layer_norm, norm)
    for number, layer in enumerate(decoder.layer):
        _fill_layer(layer, model, number, smooth=smooth)
    return spec


def _fill_layer(layer: Any, model: Adapted, number: int, *, smooth: bool) -> None:
    scaled: dict[str, Floats] = {}

    def weight(name: str) -> Floats:
        return scaled[name] if name in scaled else model.weight(f"model.layers.{number}.{name}.weight")

    if smooth:
        scaled |= _smoothed_layer(weight, number)
    attention = layer.self_attention
    attention.rotary_base = np.float32(_GLOBAL_THETA if _ATTENDS_TO_ALL[number] else _LOCAL_THETA)
    for name, source in _CT2_NAMES.items():
        _set_norm(getattr(layer, name), weight(source))
    _set_norm(attention.q_norm, weight("self_attn.q_norm"))
    _set_norm(attention.k_norm, weight("self_attn.k_norm"))
    attention.linear[0].weight = np.concatenate([weight(f"self_attn.{part}_proj") for part in "qkv"])
    attention.linear[1].weight = weight("self_attn.o_proj")
    layer.ffn.linear_0.weight = weight("mlp.gate_proj")
    layer.ffn.linear_0_noact.weight = weight("mlp.up_proj")
    layer.ffn.linear_1.weight = weight("mlp.down_proj")


def _set_norm(spec: Any, weight: Floats) -> None:
    spec.gamma = weight
    spec.layer_norm_use_residual = True  # the factor is 1 + weight


def write_for_transformers(model: Adapted, folder: Path) -> None:
    """Write `model` to `folder`, which is there, as transformers, vLLM and others load it, float32.

    Raises `MissingExtra` without the package safetensors.
    """
    try:
        from safetensors.numpy import save_file
    except ImportError:
        raise MissingExtra("Writing for transformers needs safetensors.", hint=INSTALL) from None
    tensors = {name: model.weight(name) for name in model.base.names()}
    weights = folder / "model.safetensors"
    save_file(tensors, weights, metadata={"format": "pt"})
    _write_json(folder / "config.json", _config(len(model.ids)))
    # The library makes it readable for its owner alone; a server may run as somebody else.
    weights.chmod((folder / "config.json").stat().st_mode)
    (folder / "tokenizer.json").write_text(model.tokenizer, encoding="utf-8")
    special = {"pad_token": PAD, "eos_token": END, "bos_token": BEGIN, "unk_token": UNKNOWN}
    described = {
        **special,
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": _CONTEXT,
        "clean_up_tokenization_spaces": False,
    }
    _write_json(folder / "tokenizer_config.json", described)
    _write_json(folder / "special_tokens_map.json", special)
    _write_json(folder / "generation_config.json", {"bos_token_id": 2, "eos_token_id": 1, "pad_token_id": 0})


def _config(vocabulary: int) -> dict[str, Any]:
    return {
        "architectures": ["Gemma3ForCausalLM"],
        "model_type": "gemma3_text",
        "vocab_size": vocabulary,
        "hidden_size": 640,
        "intermediate_size": 2048,
        "num_hidden_layers": _LAYERS,
        "num_attention_heads": _HEADS,
        "num_key_value_heads": 1,
        "head_dim": _HEAD_SIZE,
        "hidden_activation": "gelu_pytorch_tanh",
        "max_position_embeddings": _CONTEXT,
        "rms_norm_eps": 1e-6,
        "sliding_window": 512,
        "layer_types": ["full_attention" if whole else "sliding_attention" for whole in _ATTENDS_TO_ALL],
        "rope_theta": _GLOBAL_THETA,
        "rope_local_base_freq": _LOCAL_THETA,
        "query_pre_attn_scalar": _HEAD_SIZE,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "tie_word_embeddings": True,
        "pad_token_id": 0,
        "eos_token_id": 1,
        "bos_token_id": 2,
        "dtype": "float32",
    }


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


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


def _smoothed_layer(weight: Callable[[str], Floats], number: int) -> dict[str, Floats]:
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
    inputs = largest["self_attn.o_proj"].reshape(_HEADS, _HEAD_SIZE).max(axis=0)
    factors = _factors(inputs, [parts["self_attn.o_proj"].reshape(-1, _HEAD_SIZE)])
    parts["self_attn.v_proj"] /= factors[:, None]
    parts["self_attn.o_proj"] = parts["self_attn.o_proj"] * np.tile(factors, _HEADS)
    factors = _factors(largest["mlp.down_proj"], [parts["mlp.down_proj"]])
    parts["mlp.up_proj"] /= factors[:, None]
    parts["mlp.down_proj"] = parts["mlp.down_proj"] * factors
    return parts


def _smoothed_output(norm: Floats, embeddings: Floats) -> tuple[Floats, Floats]:
    """The last norm and the output weights, (tokens, channels), scaled."""
    factors = _factors(largest_activations()[OUTPUT_INPUT], [embeddings])
    return (1 + norm) / factors - 1, embeddings * factors
