"""The model before training: a small BERT whose head is computed at masked places alone; new, or an earlier run's.

A model this small, in batches this small, spends its first thousands of steps on guessing by frequency alone. Vectors
that are counted instead of learnt (`prepare`: which words keep company) take a new one past that at once.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rewrite.errors import BadInput, BadOption
from training.masked.masked_options import MaskedOptions
from training.masked.vocabulary import PAD, SPECIAL

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


_REACH = 5
# Of a context word's count: rare ones are too surprising otherwise (Levy, Goldberg & Dagan, 2015).
_SMOOTHING = 0.75
_SPREAD = 0.02

Rows = Iterable[NDArray[np.integer[Any]]]


def prepare(model: Any, rows: Rows, *, seed: int) -> None:
    """Sets a fresh `BertForMaskedLM`'s word vectors, position vectors and bias from these rows of tokens.

    Word vectors have the company of words in them, the bias their frequency, and positions are sinusoids (Vaswani et
    al., 2017), in which what stands n places away is the same turn everywhere. Same rows, same seed: same weights.
    """
    import torch

    words = model.bert.embeddings.word_embeddings.weight
    places = model.bert.embeddings.position_embeddings.weight
    flat = _joined(rows)
    vectors = company_vectors(flat, size=words.shape[0], width=words.shape[1], seed=seed)
    logs = np.log(frequencies(flat, words.shape[0]))
    with torch.no_grad():
        words.copy_(torch.from_numpy(vectors * _SPREAD * math.sqrt(words.shape[1])))
        places.copy_(torch.from_numpy(_sinusoids(*places.shape) * _SPREAD * math.sqrt(2)))
        model.cls.predictions.bias.copy_(torch.from_numpy(logs - logs.mean()))


def frequencies(flat: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """The share of each of `size` tokens, none of them 0; a number below 0 is no token."""
    counts = np.bincount(flat[flat >= 0], minlength=size) + 1.0
    shares: NDArray[np.float64] = counts / counts.sum()
    return shares


def company_vectors(flat: NDArray[np.int64], *, size: int, width: int, seed: int) -> NDArray[np.float64]:
    """Vectors of length 1 for `size` tokens, shape `[size, width]`: tokens in like company have like vectors.

    Singular vectors of the positive pointwise mutual information of tokens at most five places apart, the nearer the
    more, times the roots of their values (Levy, Goldberg & Dagan, 2015). `flat` has a number below 0 between texts.
    Tokens that have no company get a random vector.
    """
    from scipy.sparse import csr_matrix
    from sklearn.utils.extmath import randomized_svd

    counts = csr_matrix((size, size), dtype=np.float64)
    for distance in range(1, _REACH + 1):
        left, right = flat[:-distance], flat[distance:]
        # Five marks stand between texts, so no window reaches from one into the next.
        both = (left >= 0) & (right >= 0)
        one_way = csr_matrix((np.full(int(both.sum()), 1.0 / distance), (left[both], right[both])), shape=(size, size))
        counts = counts + one_way + one_way.T
    information = _information(counts.tocoo())
    rng = np.random.default_rng(seed)
    # Of a table with equal singular values, ARPACK gives other vectors each time; this gives the same.
    left_vectors, values, _ = randomized_svd(information, n_components=min(width, size), random_state=seed, n_iter=4)
    vectors = np.pad(left_vectors * np.sqrt(values), ((0, 0), (0, width - len(values))))
    vectors -= vectors.mean(axis=0)
    alone = np.asarray(counts.sum(axis=1)).ravel() == 0
    vectors[alone] = rng.normal(size=(int(alone.sum()), width))
    normed: NDArray[np.float64] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return normed


def _information(counts: Any) -> Any:
    """max(0, log P(a, b) / (P(a) P_smoothed(b))) of a sparse matrix of counts."""
    from scipy.sparse import csr_matrix

    total = counts.data.sum()
    each = np.bincount(counts.row, weights=counts.data, minlength=counts.shape[0])
    smoothed = each**_SMOOTHING
    expected = (each[counts.row] / total) * (smoothed[counts.col] / smoothed.sum())
    values = np.log(counts.data / total / expected)
    kept = values > 0
    return csr_matrix((values[kept], (counts.row[kept], counts.col[kept])), shape=counts.shape)


def _joined(rows: Rows) -> NDArray[np.int64]:
    """All rows one after the other without their special tokens, with marks between them."""
    between = np.full(_REACH, -1, dtype=np.int64)
    parts = [part for row in rows for part in (row[row >= len(SPECIAL)].astype(np.int64), between)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _sinusoids(places: int, width: int) -> NDArray[np.float64]:
    turns = np.arange(places)[:, None] * np.exp(-math.log(10_000.0) * np.arange(0, width, 2) / width)
    table = np.zeros((places, width))
    table[:, 0::2], table[:, 1::2] = np.sin(turns), np.cos(turns)[:, : width // 2]
    return table
