"""LASER and LASER2: the BiLSTM sentence encoder of Artetxe and Schwenk (2019, arXiv:1812.10464), from a local folder.

The network is the encoder half of their model: token embeddings, a bidirectional LSTM, and the maximum over time of its
outputs, 1,024 dimensions in the released checkpoints. Texts are prepared as for training: punctuation normalised,
lower-cased, then cut into the model's own units (LASER: Moses tokens and fastBPE; LASER2: sentencepiece).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from rerank.errors import MissingExtra, ModelNotFound
from rerank.similarity import Vectors

_BATCH = 64
_LONGEST = 1_000
_SPECIAL = {"<pad>": 1, "</s>": 2, "<unk>": 3}
_WHAT_IT_HOLDS = (
    "The folder needs one checkpoint (*.pt) with either its codes and vocabulary (*.fcodes and *.fvocab, LASER) or its "
    "sentencepiece model (*.spm, LASER2)."
)


def _load_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(
            f"The LASER encoder needs {name.split('.')[0]}, which is not installed.",
            hint="Run: pip install 'rewrite-rerank[encoders]'",
        ) from error


class LaserEncoder:
    """`laser:PATH`; loaded at the first text. `ModelNotFound` where the folder lacks a part or holds another model,
    `MissingExtra` where torch, sacremoses, subword-nmt or sentencepiece is not installed."""

    def __init__(self, path: str | Path, *, language: str = "ru") -> None:
        self.path = Path(path)
        self._language = language

    @property
    def name(self) -> str:
        return f"laser:{self.path.name}"

    def signature(self) -> str:
        checkpoint = self._file("*.pt")
        return f"laser:{checkpoint.name}:{checkpoint.stat().st_size}:{self._language}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape `[n, 2 · hidden size]`; zero for an empty text."""
        return self.encode_units([self._split(text) for text in texts])

    def encode_units(self, lines: Sequence[Sequence[str]]) -> Vectors:
        """`encode` for texts that are cut into the model's units already."""
        dictionary, network, size = self._model
        special = {symbol: dictionary.get(symbol, number) for symbol, number in _SPECIAL.items()}
        rows = [[dictionary.get(unit, special["<unk>"]) for unit in line[:_LONGEST]] for line in lines]
        vectors = np.zeros((len(rows), size), dtype=np.float32)
        order = sorted((n for n, row in enumerate(rows) if row), key=lambda n: -len(rows[n]))
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            vectors[batch] = network([[*rows[n], special["</s>"]] for n in batch], special["<pad>"])
        return vectors

    def _file(self, pattern: str) -> Path:
        files = sorted(self.path.glob(pattern))
        if len(files) != 1:
            raise ModelNotFound(f"{len(files)} files {pattern} in {str(self.path)!r}, not one.", hint=_WHAT_IT_HOLDS)
        return files[0]

    @cached_property
    def _model(self) -> tuple[Mapping[str, int], Callable[[list[list[int]], int], Any], int]:
        path = self._file("*.pt")
        torch = _load_module("torch")
        try:
            checkpoint = torch.load(path, map_location="cpu", weights_only=True)
            params, weights, dictionary = (checkpoint[key] for key in ("params", "model", "dictionary"))
            embedding = torch.nn.Embedding(params["num_embeddings"], params["embed_dim"])
            lstm = torch.nn.LSTM(
                input_size=params["embed_dim"],
                hidden_size=params["hidden_size"],
                num_layers=params["num_layers"],
                bidirectional=params["bidirectional"],
            )
            embedding.load_state_dict({"weight": weights["embed_tokens.weight"]})
            lstm.load_state_dict(
                {key.removeprefix("lstm."): value for key, value in weights.items() if key.startswith("lstm.")}
            )
        except (OSError, KeyError, TypeError, RuntimeError, ValueError, EOFError) as error:
            raise ModelNotFound(f"{str(path)!r} is no LASER BiLSTM checkpoint: {error}", hint=_WHAT_IT_HOLDS) from error
        size = params["hidden_size"] * (2 if params["bidirectional"] else 1)
        return dictionary, _network(torch, embedding, lstm), size

    @cached_property
    def _split(self) -> Callable[[str], list[str]]:
        normalizer = _load_module("sacremoses").MosesPunctNormalizer(lang=self._language)
        pieces = self._sentencepiece() if any(self.path.glob("*.spm")) else self._bpe()

        def split(text: str) -> list[str]:
            printable = "".join(c if c.isprintable() else " " for c in text)
            return pieces(normalizer.normalize(printable)) if printable.strip() else []

        return split

    def _sentencepiece(self) -> Callable[[str], list[str]]:
        path = self._file("*.spm")
        processor = _load_module("sentencepiece").SentencePieceProcessor(model_file=str(path))
        return lambda text: [str(piece) for piece in processor.encode(text.lower(), out_type=str)]

    def _bpe(self) -> Callable[[str], list[str]]:
        codes, vocabulary = self._file("*.fcodes"), self._file("*.fvocab")
        tokenizer = _load_module("sacremoses").MosesTokenizer(lang=self._language)
        module = _load_module("subword_nmt.apply_bpe")
        with vocabulary.open(encoding="utf-8") as lines:
            known = module.read_vocabulary(lines, threshold=None)
        # fastBPE writes "left right count" a line, subword-nmt reads "left right".
        pairs = (line.split(" ")[:2] for line in codes.read_text(encoding="utf-8").splitlines() if line)
        merges = StringIO("#version: 0.2\n" + "\n".join(" ".join(pair) for pair in pairs) + "\n")
        bpe = module.BPE(codes=merges, vocab=known)

        def split(text: str) -> list[str]:
            tokens = tokenizer.tokenize(text, return_str=True, escape=False, aggressive_dash_splits=False)
            return str(bpe.process_line(tokens.lower())).split()

        return split


def _network(torch: Any, embedding: Any, lstm: Any) -> Callable[[list[list[int]], int], Any]:
    """Rows of token numbers, longest first, to the maximum over time of the LSTM's outputs."""

    def run(rows: list[list[int]], padding: int) -> Any:
        lengths = [len(row) for row in rows]
        tokens = torch.tensor([row + [padding] * (lengths[0] - len(row)) for row in rows])
        with torch.inference_mode():
            packed = torch.nn.utils.rnn.pack_padded_sequence(embedding(tokens), lengths, batch_first=True)
            outputs, _ = torch.nn.utils.rnn.pad_packed_sequence(
                lstm(packed)[0], batch_first=True, padding_value=float("-inf")
            )
            return outputs.max(dim=1).values.numpy()

    lstm.eval()
    return run
