"""The networks of the systems with their vocabulary: making, decoding, writing and reading them."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import PegasusConfig, PegasusForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput

from rewrite.errors import BadOption, ModelNotFound
from training.heads.batches import padded
from training.papers.websplit.examples import BEGIN, END, PAD, POSITIONS, SPECIAL
from training.papers.websplit.recipe import NetworkOptions

# Places on either side of the one that is looked at; Luong et al. take 10 and half of it as the deviation.
_WINDOW = 10
_RANGE = 0.05
State = tuple[torch.Tensor, torch.Tensor]


class LocalAttention(torch.nn.Module):  # type: ignore[misc]
    """Local attention with predicted places: p = S·σ(vᵀ tanh(W h)), weights align(h, s)·exp(−(s − p)² / 2σ²)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.align = torch.nn.Linear(width, width, bias=False)
        self.inner = torch.nn.Linear(width, width, bias=False)
        self.place = torch.nn.Linear(width, 1, bias=False)

    def forward(self, state: torch.Tensor, memory: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """The context of a decoder's `state` [rows, width] in `memory` [rows, length, width]; `there` masks padding."""
        lengths = there.sum(1, keepdim=True)
        centre = lengths * torch.sigmoid(self.place(torch.tanh(self.inner(state))))
        places = torch.arange(memory.shape[1], device=memory.device).unsqueeze(0)
        scores = torch.einsum("rw,rlw->rl", self.align(state), memory)
        near = there & ((places - centre).abs() <= _WINDOW)
        weights = torch.softmax(scores.masked_fill(~near, -1e4), dim=1)
        weights = weights * torch.exp(-((places - centre) ** 2) / (2 * (_WINDOW / 2) ** 2)) * near
        return torch.einsum("rl,rlw->rw", weights, memory)


class _Seq2seq(torch.nn.Module):  # type: ignore[misc]
    """What both networks share: how they learn from a batch of `RowBatches`."""

    smoothing = 0.0

    def forward(self, source: torch.Tensor, target: torch.Tensor, second: torch.Tensor | None = None) -> dict[str, Any]:
        """`loss`, a token; of what is measured, not learnt from, labels are never smoothed."""
        logits = self.logits([source] if second is None else [source, second], target[:, :-1])
        smoothing = self.smoothing if self.training else 0.0
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), target[:, 1:].flatten(), ignore_index=PAD, label_smoothing=smoothing
        )
        return {"loss": loss}

    def logits(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        """Of the next token after each of `before` [rows, length] → [rows, length, vocabulary]."""
        raise NotImplementedError


class Lstm(_Seq2seq):
    """Encoders and a decoder of `encoder` and as many `decoder` layers, all of `width`, weights drawn from ±0.05."""

    def __init__(
        self, vocabulary: int, *, sources: int, width: int, encoder: int, decoder: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        if encoder != decoder:
            raise ValueError("the decoder begins with the states of the encoder: both need as many layers")
        self.embed = torch.nn.Embedding(vocabulary, width, padding_idx=PAD)
        self.encoders = torch.nn.ModuleList(
            torch.nn.LSTM(width, width, encoder, dropout=dropout, batch_first=True) for _ in range(sources)
        )
        self.decoder = torch.nn.LSTM(2 * width, width, decoder, dropout=dropout, batch_first=True)
        self.attentions = torch.nn.ModuleList(LocalAttention(width) for _ in range(sources))
        self.join = torch.nn.Linear((1 + sources) * width, width, bias=False)
        self.out = torch.nn.Linear(width, vocabulary)
        self.drop = torch.nn.Dropout(dropout)
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -_RANGE, _RANGE)

    def _encode(self, sources: Sequence[torch.Tensor]) -> tuple[list[torch.Tensor], list[torch.Tensor], State]:
        memories, masks = [], []
        hidden: list[torch.Tensor] = []
        cells: list[torch.Tensor] = []
        for encoder, source in zip(self.encoders, sources, strict=True):
            there = source != PAD
            packed = torch.nn.utils.rnn.pack_padded_sequence(
                self.drop(self.embed(source)), there.sum(1).cpu(), batch_first=True, enforce_sorted=False
            )
            states, (last, cell) = encoder(packed)
            memories.append(torch.nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0])
            masks.append(there)
            hidden.append(last)
            cells.append(cell)
        return memories, masks, (torch.stack(hidden).sum(0), torch.stack(cells).sum(0))

    def _step(
        self,
        word: torch.Tensor,
        fed: torch.Tensor,
        state: State,
        memories: Sequence[torch.Tensor],
        masks: Sequence[torch.Tensor],
    ) -> tuple[torch.Tensor, State]:
        """The attentional vector after `word` [rows], which is fed to the next step, and the decoder's new state."""
        entered = torch.cat([self.drop(self.embed(word)), fed], dim=1).unsqueeze(1)
        output, state = self.decoder(entered, state)
        top = output.squeeze(1)
        contexts = [
            attention(top, memory, mask)
            for attention, memory, mask in zip(self.attentions, memories, masks, strict=True)
        ]
        return torch.tanh(self.join(torch.cat([*contexts, top], dim=1))), state

    def logits(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        memories, masks, state = self._encode(sources)
        fed = memories[0].new_zeros(before.shape[0], self.out.in_features)
        steps = []
        for place in range(before.shape[1]):
            fed, state = self._step(before[:, place], fed, state, memories, masks)
            steps.append(fed)
        logits: torch.Tensor = self.out(self.drop(torch.stack(steps, dim=1)))
        return logits

    def decode(self, sources: Sequence[torch.Tensor], *, beam: int, longest: int) -> list[list[int]]:
        """The likeliest token after each, for each row, without special tokens; a beam is for the transformer alone."""
        memories, masks, state = self._encode(sources)
        words = torch.full((len(sources[0]),), BEGIN)
        fed = torch.zeros(len(words), self.out.in_features)
        ended = torch.zeros(len(words), dtype=torch.bool)
        written: list[torch.Tensor] = []
        while len(written) < longest and not ended.all():
            fed, state = self._step(words, fed, state, memories, masks)
            words = self.out(fed).argmax(1)
            written.append(words)
            ended |= words == END
        rows = torch.stack(written, dim=1).tolist()
        return [row[: row.index(END)] if END in row else row for row in rows]


_HEAD = 64


class Transformer(_Seq2seq):
    """An encoder-decoder that copies from its first step.

    `base` is a Pegasus of transformers; the encoder of the second source begins as a copy of its own.
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

    def state_dict(self, *arguments: Any, **named: Any) -> dict[str, Any]:
        """The weights, each of them once: files of safetensors hold none twice."""
        weights: dict[str, Any] = super().state_dict(*arguments, **named)
        once = {part.data_ptr(): name for name, part in reversed(weights.items())}
        return {name: weights[name] for name in reversed(once.values())}

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> Any:
        """What `state_dict` gives."""
        return super().load_state_dict(state_dict, strict=False, assign=assign)

    def logits(self, sources: Sequence[torch.Tensor], before: torch.Tensor) -> torch.Tensor:
        states, mask = self._encode(sources)
        logits: torch.Tensor = self.base(
            encoder_outputs=states, attention_mask=mask, decoder_input_ids=before, use_cache=False
        ).logits
        return logits

    def decode(self, sources: Sequence[torch.Tensor], *, beam: int, longest: int) -> list[list[int]]:
        """The best hypothesis of a beam search for each row, without special tokens."""
        states, mask = self._encode(sources)
        rows = self.base.generate(
            encoder_outputs=states,
            attention_mask=mask,
            num_beams=beam,
            max_new_tokens=longest,
            do_sample=False,
            early_stopping=beam > 1,
        )
        return [[token for token in row if token not in (BEGIN, END, PAD)] for row in rows.tolist()]


def new_model(vocabulary: int, *, width: int, encoder: int, decoder: int) -> Any:
    """A Pegasus (norms before each layer, fixed positions) of `width`, a multiple of 64 of 320 or more.

    `encoder` ≥ 1 and `decoder` ≥ 2 are numbers of layers. Sources are taken to start with `<s>`.
    Dropout is none: the model does not see a text often enough to need it.
    """
    config = PegasusConfig(
        vocab_size=vocabulary,
        d_model=width,
        encoder_layers=encoder,
        decoder_layers=decoder,
        encoder_attention_heads=width // _HEAD,
        decoder_attention_heads=width // _HEAD,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        activation_function="relu",
        max_position_embeddings=POSITIONS,
        scale_embedding=True,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        bos_token_id=BEGIN,
        decoder_start_token_id=BEGIN,
        eos_token_id=END,
        forced_eos_token_id=None,
        pad_token_id=PAD,
    )
    model = PegasusForConditionalGeneration(config)
    _start_copying(model.model, width)
    return model


def _start_copying(body: Any, width: int) -> None:
    """Set one head of the encoder and two of the decoder so that the new model copies; training goes on from there.

    Learnt from text alone, copying takes much of the time that two processor cores have. A vector has dimensions for
    the position (where embeddings are zero, so that the fastest sines and cosines stand alone), for the token (two
    heads wide) and for the token before. The first encoder layer writes each token into the place after it; the second
    decoder layer looks for the place whose token before is the last one written, and gives out the token there.
    """
    half = width // 2
    waves = _HEAD // 2
    sines, cosines = slice(0, waves), slice(half, half + waves)
    first, second = slice(waves, waves + _HEAD), slice(waves + _HEAD, waves + 2 * _HEAD)
    before = slice(half + waves, half + waves + _HEAD)
    with torch.no_grad():
        table = body.shared.weight
        kept = torch.zeros(width)
        kept[first] = kept[second] = 1.0
        table.normal_().mul_(kept)
        # All of one length, or the norms of the layers would make the waves of some places higher than of others.
        table.mul_(0.1 * kept.sum().sqrt() / table.norm(dim=1, keepdim=True))
        table[PAD] = 0.0
        body.encoder.embed_tokens.weight = body.decoder.embed_tokens.weight = table
        look = body.encoder.layers[0].self_attn
        # Turned by one step, the waves of a place are those of the place before.
        speed = 10_000.0 ** (-2.0 * torch.arange(waves) / width)
        turn = torch.zeros(_HEAD, width)
        plain = torch.zeros(_HEAD, width)
        for k in range(waves):
            c, s = float(speed[k].cos()), float(speed[k].sin())
            turn[k, sines.start + k], turn[k, cosines.start + k] = c, -s
            turn[waves + k, sines.start + k], turn[waves + k, cosines.start + k] = s, c
            plain[k, sines.start + k] = plain[waves + k, cosines.start + k] = 1.0
        _set_head(look, 0, query=4.5 * turn, key=4.5 * plain, value=_select(first, width), out=(before, 1.0))
        give = body.decoder.layers[1].encoder_attn
        for head, part in enumerate((first, second)):
            query, key = 1.3 * _select(first, width), 1.3 * _select(before, width)
            _set_head(give, head, query=query, key=key, value=_select(part, width), out=(part, 5.0))


def _select(part: slice, width: int) -> Any:
    """The matrix that reads the dimensions `part` of a vector, (64, width)."""
    matrix = torch.zeros(_HEAD, width)
    matrix[:, part] = torch.eye(_HEAD)
    return matrix


def _set_head(attention: Any, head: int, *, query: Any, key: Any, value: Any, out: tuple[slice, float]) -> None:
    """What a head reads as its query, key and value, and the dimensions it writes its sum to, times a factor."""
    rows = slice(head * _HEAD, (head + 1) * _HEAD)
    for layer, matrix in ((attention.q_proj, query), (attention.k_proj, key), (attention.v_proj, value)):
        layer.weight[rows] = matrix
        layer.bias[rows] = 0.0
    part, factor = out
    attention.out_proj.weight[:, rows] = 0.0
    attention.out_proj.weight[part, rows] = factor * torch.eye(_HEAD)


_CARD, _WEIGHTS = "network.json", "network.safetensors"
_LONGEST, _AT_ONCE = 200, 32


class Network:
    """A network and its tokenizer; `sources` is the number of encoders, 1 or 2."""

    def __init__(self, tokenizer: Any, options: NetworkOptions, sources: int) -> None:
        vocabulary = tokenizer.get_vocab_size()
        sizes = {"width": options.width, "encoder": options.encoder_layers, "decoder": options.decoder_layers}
        self.module: Any
        if options.kind == "lstm":
            self.module = Lstm(vocabulary, sources=sources, dropout=options.dropout, **sizes)
        else:
            self.module = Transformer(vocabulary, sources=sources, **sizes)
        self.tokenizer = tokenizer
        self.options = options
        self.sources = sources

    def decode(self, inputs: Sequence[Sequence[str]], *, beam: int = 4, longest: int = _LONGEST) -> list[str]:
        """A text for each of `inputs`, which has a text for each encoder; equal inputs are decoded once."""
        distinct = sorted(dict.fromkeys(map(tuple, inputs)), key=lambda texts: sum(map(len, texts)))
        texts_of: dict[tuple[str, ...], str] = {}
        self.module.eval()
        with torch.no_grad():
            for start in range(0, len(distinct), _AT_ONCE):
                group = distinct[start : start + _AT_ONCE]
                rows = [self.tokenizer.encode_batch(list(side)) for side in zip(*group, strict=True)]
                sources = [padded([row.ids for row in side], PAD) for side in rows]
                best = self.module.decode(sources, beam=beam, longest=longest)
                texts_of |= {g: self.tokenizer.decode(ids).strip() for g, ids in zip(group, best, strict=True)}
        return [texts_of[tuple(texts)] for texts in inputs]


def new_network(tokenizer: Any, options: NetworkOptions, *, sources: int, seed: int) -> Network:
    """A network that has learnt nothing."""
    torch.manual_seed(seed)
    return Network(tokenizer, options, sources)


def begin_with(network: Network, first: Network) -> None:
    """Give `network` the weights of `first`, a transformer of one encoder; both its encoders begin as that one.

    Raises `BadOption` where sizes or kinds differ.
    """
    if network.options != first.options or network.options.kind != "transformer" or first.sources != 1:
        raise BadOption("`start` names a network of another kind or size.", hint="Give both recipes the same network.")
    network.module.base.load_state_dict(first.module.base.state_dict())
    if network.module.second is not None:
        network.module.second.load_state_dict(first.module.base.get_encoder().state_dict())


def save_network(network: Network, folder: Path) -> None:
    """Write weights, tokenizer and sizes; a transformer of one source also as what transformers and converters read."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(network.module.state_dict(), folder / _WEIGHTS)
    if network.options.kind == "transformer" and network.sources == 1:
        from transformers import PreTrainedTokenizerFast

        network.module.base.save_pretrained(folder)
        begin, end, pad, _ = SPECIAL
        names = {"bos_token": begin, "eos_token": end, "pad_token": pad, "model_max_length": POSITIONS}
        PreTrainedTokenizerFast(tokenizer_object=network.tokenizer, **names).save_pretrained(folder)
    network.tokenizer.save(str(folder / "tokenizer.json"))
    card = {"sources": network.sources, "options": network.options.model_dump()}
    (folder / _CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def load_network(folder: Path) -> Network:
    """What `save_network` has written. Raises `ModelNotFound`."""
    if not (folder / _CARD).is_file():
        raise ModelNotFound(
            f"{str(folder)!r} holds no trained network.", hint="Run: python -m training.papers.websplit train"
        )
    from tokenizers import Tokenizer

    card = json.loads((folder / _CARD).read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    network = Network(tokenizer, NetworkOptions(**card["options"]), int(card["sources"]))
    network.module.load_state_dict(load_file(folder / _WEIGHTS))
    return network
