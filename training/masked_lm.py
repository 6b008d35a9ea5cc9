"""Trains a small masked language model as the section `masked` of a recipe says, and packs it.

    python -m training.masked_lm RECIPE --out FOLDER [--data DIR] [--restart]

Reads the texts, makes the vocabulary and writes FOLDER/model: encoder, head, tokenizer, card and checksums, which
`rerank.masked.bundled.BundledMaskedModel` runs without torch; the models of the package lie in rerank/models. A run
that was stopped, or killed, goes on from its last checkpoint when the same command is given again, and ends with the
same weights. See docs/masked-models.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from rerank.checkpoint import quietly
from rerank.masked.packed import TOKENIZER
from rewrite.engines.allocator import keep_freed_memory
from rewrite.errors import BadInput
from training.card import CardTexts
from training.command import make_model, million, parameters_of
from training.disk import make_once, write_json_lines
from training.finetuning.saving import copy_files
from training.finetuning.trainer import Judge, train
from training.heads.options import MaskedOptions
from training.heads.step import Outcome, make_head
from training.masked.batches import MaskedBatches, gather, measure, texts
from training.masked.corpora import HeldBack, held_back_texts, own_paragraphs, set_paragraphs
from training.masked.model import model_class, new_model
from training.masked.packing import pack
from training.masked.vocabulary import read_vocabulary, train_vocabulary
from training.recipe import Run

_TEXTS = CardTexts(
    task="guessing words that are masked in a sentence",
    what=(
        "A masked language model, a BERT: the encoder for CTranslate2 (`model.bin`), the head for numpy (`head.npz`). "
        "`rerank.masked.bundled` runs it without torch."
    ),
    limits=(
        "It knows sentences of the kinds of text named below, without case; other kinds, and names, it guesses badly. "
        "What it finds likely is what it has read: it repeats what its texts say of people, and is no source of facts."
    ),
    measured="""\
On held-out texts (`python -m training.masked_lm RECIPE --out FOLDER`): the loss in nats a mask, the share of masks
whose first guess is right, and how many there are:""",
)


def masked_lm(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the model of the run's recipe; returns its folder.

    Raises what `make_head` raises, and `BadInput` for text that cannot be read.
    """
    return make_head(run, "masked", _learn, _TEXTS, restart=restart)


def _learn(options: MaskedOptions, run: Run, work: Path) -> Outcome:
    seed = run.recipe.seed
    files = make_once(work / "texts", lambda folder: _prepare(options, run, folder))
    tokenizer = read_vocabulary(files, options.window)
    learnt, held_out = (
        MaskedBatches(
            [json.loads(line) for line in (files / f"{side}.jsonl").open(encoding="utf-8")],
            tokenizer,
            masked=options.masked,
            whole_words=options.whole_words,
            tokens=options.batch_tokens,
            seed=seed,
            **settings,
        )
        for side, settings in (
            ("train", {"accumulate": options.accumulate, "updates": options.steps}),
            ("held-out", {}),
        )
    )
    model = new_model(options, len(tokenizer), seed)
    parameters = parameters_of(model)
    print(
        f"{million(parameters)}; {learnt.updates:,} steps, an epoch has {learnt.batches_in_epoch:,} batches", flush=True
    )
    judge = Judge(measure, held_out, itemgetter("loss"), options.judge_every, of="held out")
    # The logits of a batch are large: given back and asked for at each step, they take a third of the time.
    keep_freed_memory()
    best, state = train(model, learnt, options, seed=seed, folder=work / "checkpoints", judge=judge)
    with quietly():
        model = model_class().from_pretrained(best)
    figures = {"steps": state["global_step"], "texts": len(learnt.examples), "parameters": parameters}
    return Outcome(figures | measure(model, held_out), partial(_pack, best, tokenizer, run))


def _prepare(options: MaskedOptions, run: Run, folder: Path) -> None:
    """Read the texts, write those to learn from and those held out, and make the vocabulary."""
    seed = run.recipe.seed
    measuring = HeldBack(text for path in options.held_back for text in held_back_texts(run.path(path)))
    sides = dict(
        zip(
            ("train", "held-out"),
            gather(_paragraphs(options, run), measuring, share=options.held_out, seed=seed),
            strict=True,
        )
    )
    for side, paragraphs in sides.items():
        if not any(paragraphs):
            raise BadInput("There is too little text to learn from.", hint="Name more in masked.sets or masked.files.")
        print(f"{side}: {sum(map(len, paragraphs)):,} sentences", flush=True)
        write_json_lines(folder / f"{side}.jsonl", texts(paragraphs, seed))
    sentences = [text for paragraph in sides["train"] for text in paragraph]
    train_vocabulary(sentences, options.vocabulary, language=run.recipe.language).save(str(folder / TOKENIZER))


def _paragraphs(options: MaskedOptions, run: Run) -> Iterator[list[str]]:
    for name, share in options.sets.items():
        yield from set_paragraphs(name, run.path("{data}"), share, run.recipe.seed)
    for file in options.files:
        yield from own_paragraphs(run.path(file), run.recipe.language)


def _pack(checkpoint: Path, tokenizer: Any, run: Run, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        copy_files(checkpoint, Path(scratch))
        tokenizer.save_pretrained(scratch)
        pack(Path(scratch), folder, name=run.recipe.name, language=run.recipe.language, weights="int8")


main = partial(make_model, "masked_lm", __doc__, masked_lm)


if __name__ == "__main__":
    sys.exit(main())
