"""Train an evaluator by negative sampling and pack it: how good is a text for its source?

    python -m training.evaluator RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `evaluator`. FOLDER/evaluator/examples holds the good texts and their mutations, FOLDER/model
the packed evaluator, with its card and checksums, which runs without torch (on an encoder of Hugging Face: in the form
of that library); FOLDER/figures.json what it is worth. A run that was stopped goes on with the same command.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import load_tokenizer, quietly, resolve
from rerank.evaluator import Outputs
from rerank.evaluator.hf import SETTINGS, WEIGHTS, load_encoder, pair_rows
from rerank.evaluator.packed import OUTPUTS, WORD_SCALES
from rerank.evaluator.pair_rows import KINDS, row_of
from rerank.masked.base import LogProbs
from rerank.masked.bundled import load
from rerank.masked.packed import TOKENIZER
from rerank.types import FloatArray
from training.card import CardTexts
from training.command import make_model
from training.disk import make_once
from training.evaluating.examples import Taught, taught_examples
from training.evaluating.likelihood import (
    MakeRows,
    TaughtBatches,
    even_odds,
    likelihood_scales,
    likelihoods,
    measure,
    require_texts,
)
from training.finetuning.trainer import Judge
from training.heads.encoder import head_of, open_encoder, pack_network, piece_reader, read_encoder
from training.heads.examples import read_examples, write_sides
from training.heads.options import BUNDLED, HF, EvaluatorOptions
from training.heads.step import Outcome, make_head, teach
from training.masked.packing import settings_for
from training.masked.vocabulary import PAD
from training.recipe import Run

_RECENT = 100


@dataclass(frozen=True, slots=True)
class Base:
    """`encoder` loads it with a dropout, `rows` makes its rows of tokens, `pack` writes a trained network on it.

    `pack` takes the network, the names of its outputs, the scales of `likelihood_scales`, and the folder.
    """

    encoder: Callable[[float], Any]
    rows: MakeRows
    pad: int
    pack: Callable[[Any, tuple[str, ...], FloatArray, Path], None]


def open_base(options: EvaluatorOptions, run: Run, work: Path) -> Base:
    """The encoder that a recipe names. Raises what `open_encoder` and loading a model of Hugging Face raise."""
    if options.encoder.startswith(HF):
        return _hugging_face(options, run)
    narrow = open_encoder(options.encoder, run, work, "evaluator")
    folder = make_once(work / f"encoder-{options.window}", lambda draft: _widen(narrow, options.window, draft))
    settings = settings_for(options.window)
    # Mutations of a text follow it, with the same document.
    pieces = lru_cache(maxsize=_RECENT)(piece_reader(folder))

    def pack(network: Any, outputs: tuple[str, ...], scales: FloatArray, target: Path) -> None:
        head = head_of(network)
        if options.likelihood:
            # What likelihood counts for while it is learnt is of no use to whoever reads the model.
            head = {name: part for name, part in head.items() if name != "word_weight"}
            head[WORD_SCALES] = scales.astype(np.float32)
        pack_network(network, folder, target, name=run.recipe.name, head=head, language=run.recipe.language)
        stored = Outputs.stored(outputs, options.likelihood)
        (target / OUTPUTS).write_text(json.dumps(stored) + "\n", encoding="utf-8")

    return Base(
        encoder=lambda dropout: read_encoder(folder, dropout),
        rows=lambda pairs: (row_of(source, text, pieces, settings) for source, text in pairs),
        pad=PAD,
        pack=pack,
    )


def _hugging_face(options: EvaluatorOptions, run: Run) -> Base:
    from torch import nn

    source = resolve(options.encoder.removeprefix(HF))
    tokenizer = load_tokenizer(source)

    def encoder(dropout: float) -> Any:
        model = load_encoder(source)
        for part in model.modules():
            if isinstance(part, nn.Dropout):
                part.p = dropout
        return model

    def pack(network: Any, outputs: tuple[str, ...], scales: FloatArray, target: Path) -> None:
        from safetensors.torch import save_file

        with quietly():
            network.encoder.save_pretrained(target)
            tokenizer.save_pretrained(target)
        save_file({"out.weight": network.out.weight.data, "out.bias": network.out.bias.data}, target / WEIGHTS)
        stored = {
            "name": run.recipe.name,
            "language": run.recipe.language,
            "window": options.window,
            **Outputs.stored(outputs),
        }
        (target / SETTINGS).write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")

    return Base(
        encoder=encoder,
        rows=lambda pairs: pair_rows(tokenizer, pairs, options.window),
        pad=tokenizer.pad_token_id or 0,
        pack=pack,
    )


def _widen(folder: Path, window: int, draft: Path) -> None:
    """Write the model of `folder` with places for `window` tokens and with kinds of them, as a pair of texts needs.

    The places behind its own begin as these, over and over, and all kinds as the first.
    """
    import torch
    import transformers

    config = transformers.BertConfig.from_pretrained(folder, local_files_only=True)
    config.max_position_embeddings, config.type_vocab_size = window, KINDS
    state = read_encoder(folder, 0.0).state_dict()
    for name, rows in (("position", window), ("token_type", KINDS)):
        known = state[f"embeddings.{name}_embeddings.weight"]
        state[f"embeddings.{name}_embeddings.weight"] = torch.cat([known] * -(-rows // len(known)))[:rows]
    wide: Any = transformers.BertModel(config, add_pooling_layer=False)
    # Numbers of places are no weights, and of another length.
    wide.load_state_dict({name: part for name, part in state.items() if not name.endswith("_ids")}, strict=False)
    with quietly():
        wide.save_pretrained(draft)
    (draft / TOKENIZER).write_bytes((folder / TOKENIZER).read_bytes())


_TEXTS = CardTexts(
    task="telling how good a text is for its source, without references",
    what=(
        "Gives a text beside its source a number in [0, 1] for each thing that it was taught to tell: `quality`, and "
        "mostly `grammar` and `content`. A small BERT in 8 bits with a head in numpy, taught with good texts and with "
        "mutations of them (negative sampling): the label is the share of words that were left alone, or whether any "
        "was not, as docs/evaluator.md tells; `rewrite judge` and the components of the same names ask it."
    ),
    limits=(
        "It knows the kinds of text named below, and bad texts as mutations make them: it is no judge of truth, a "
        "fluent text that says something else may pass, and a copy gets most."
    ),
    measured="""\
On examples of good texts that it has not learnt from (`python -m training.evaluator RECIPE --out FOLDER`): the mean
squared error, and for each output the share of mutations that it gives less than the text that they were made of, by
kind (a tie is half of one). The weights that are kept are those with the least error on them; binary outputs of the
recipe then were made to tell good from bad as if both were as frequent, by which their error is larger:""",
)


def evaluator(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the evaluator of the run's recipe; returns the folder of the packed model.

    Raises what `make_head` raises, `BadInput` for a set that is not there, `BadModel` for an encoder that is not there
    or cannot be used, and where likelier texts are the worse ones to it.
    """
    return make_head(run, "evaluator", _learn, _TEXTS, restart=restart)


def _learn(options: EvaluatorOptions, run: Run, work: Path) -> Outcome:
    import torch

    from training.evaluating.network import EvaluatorNetwork

    def write(folder: Path) -> None:
        sides = {side: taught_examples(options, run, side) for side in ("dev", "train")}
        write_sides(sides, folder, lambda example: example.kind or "good")

    files, seed = make_once(work / "examples", write), run.recipe.seed
    base, outputs = open_base(options, run, work), tuple(options.outputs)
    learnt = _learnt(read_examples(Taught, files / "train.jsonl"), base, options, work, seed)
    dev = _batches(base, options)(read_examples(Taught, files / "dev.jsonl"), seed=0)

    def network() -> Any:
        return EvaluatorNetwork(
            base.encoder(options.dropout),
            len(outputs),
            dropout=options.dropout,
            head=options.head,
            loss=options.loss,
            likely=[outputs.index(name) for name in options.likelihood],
            ranking=options.ranking,
        )

    judge = Judge(measure, dev, itemgetter("error"), options.judge_every)
    taught, steps = teach(network, learnt, judge, options, seed=seed, folder=work / "checkpoints")
    # The weights that were kept are those with the least error before this, as the examples are.
    shift = even_odds(learnt, options.binary, options.likelihood)
    with torch.no_grad():
        taught.out.bias += torch.from_numpy(shift).to(taught.out.bias)
    figures = {"steps": steps, "examples": len(learnt.examples), **measure(taught, dev)}
    scales = likelihood_scales(taught, learnt, options.likelihood, seed=seed)
    return Outcome(figures, partial(base.pack, taught, outputs, scales))


def _learnt(examples: Sequence[Taught], base: Base, options: EvaluatorOptions, work: Path, seed: int) -> TaughtBatches:
    """The examples to learn from, as long as the recipe says."""
    file = work / "likelihoods-train.bin"
    logprobs = _likelihoods(examples, base, options, file, seed) if options.likelihood else None
    length = {"epochs": options.epochs} if options.epochs else {"updates": options.steps}
    return _batches(base, options)(examples, seed=seed, ranked=options.ranking > 0, logprobs=logprobs, **length)


def _batches(base: Base, options: EvaluatorOptions) -> partial[TaughtBatches]:
    return partial(
        TaughtBatches,
        rows=base.rows,
        outputs=tuple(options.outputs),
        tokens=options.batch_tokens,
        most_rows=options.batch_rows,
        pad=base.pad,
    )


def _likelihoods(examples: Sequence[Taught], base: Base, options: EvaluatorOptions, path: Path, seed: int) -> LogProbs:
    """The log-probabilities of the tokens of all rows, one row behind the other, in a file."""
    require_texts(examples, options.likelihood)
    print("log-probabilities of the words of texts without a source", flush=True)
    model = load(options.encoder.removeprefix(BUNDLED), threads=1)
    rows = base.rows((example.source, example.text) for example in examples)
    with path.open("wb") as file:
        for row in likelihoods(rows, model, seed=seed):
            file.write(row.astype(np.float32).tobytes())
    logprobs: LogProbs = np.memmap(path, dtype=np.float32, mode="r")
    return logprobs


main = partial(make_model, "evaluator", __doc__, evaluator)


if __name__ == "__main__":
    sys.exit(main())
