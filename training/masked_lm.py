"""Trains a small masked language model, from nothing or from an earlier run, as the section `masked` of a recipe says.

    python -m training.masked_lm RECIPE --out FOLDER [--data DIR] [--restart]

Reads the texts, makes the vocabulary and writes FOLDER/model (weights and tokenizer, as transformers reads them) and
FOLDER/figures.json. A run that was stopped, or killed, goes on from its last checkpoint when the same command is given
again, and ends with the same weights. `python -m training.export_masked` packs the model. See docs/masked-models.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from rerank.checkpoint import quietly
from rewrite.engines.allocator import keep_freed_memory
from rewrite.errors import BadInput
from training.command import make_model, million, parameters_of
from training.disk import explained, make_once, write_json_lines, write_text
from training.finetuning.saving import copy_files
from training.finetuning.trainer import Judge, judgements, kept_step, train
from training.heads.step import Outcome, make_head, section_of
from training.masked.corpora import HeldBack, held_back_texts, own_paragraphs, set_paragraphs
from training.masked.masked_options import MaskedOptions
from training.masked.model import HELD_OUT, TOKENIZER, Earlier, model_class, new_model, prepare
from training.masked.texts import Gathered, MaskedBatches, frequency_baseline, gather, measure, rows, write_rows
from training.masked.vocabulary import SPECIAL, train_vocabulary
from training.packed import Pack
from training.recipe import Run

_COUNTS = "counts.json"
# One word of each text: so few that the rule of at least one decides.
_ONE = 1e-9


def masked_lm(run: Run, *, restart: bool = False) -> Path:
    """Train the model of the run's recipe; returns its folder.

    Raises what `make_head` raises, and `BadInput` for text that cannot be read.
    """
    options: MaskedOptions = section_of(run, "masked")
    earlier = Earlier(run.path(options.start), options) if options.start else None
    more: dict[str, str] = {"language": run.recipe.language}
    if earlier is not None:
        # Folders may move, so the earlier run is told by what is in it.
        more["file masked.start"] = earlier.digest
    return make_head(run, "masked", partial(_learn, earlier=earlier), None, restart=restart, more=more)


def _learn(options: MaskedOptions, run: Run, work: Path, *, earlier: Earlier | None) -> Outcome:
    seed = run.recipe.seed
    packs = make_once(work / "packs", lambda folder: _prepare(options, run, earlier, folder))
    pack = Pack(packs / "train")
    batches = MaskedBatches(
        pack,
        tokens=options.batch_tokens,
        seed=seed,
        share=options.masked,
        whole=options.whole_words,
        accumulate=options.accumulate,
        updates=options.steps,
    )
    if earlier is not None:
        model = earlier.model()
    else:
        model = new_model(options, Tokenizer.from_file(str(packs / TOKENIZER)).get_vocab_size(), seed)
        prepare(model, (pack[number][0] for number in range(len(pack))), seed=seed)
    print(
        f"{million(parameters_of(model))}; {batches.updates:,} steps, "
        f"an epoch has {batches.batches_in_epoch:,} batches of {pack.lengths[:, 0].sum():,} tokens",
        flush=True,
    )
    held_out = held_out_batches(options, run)
    judge = Judge(measure, held_out, itemgetter("loss"), options.judge_every, of="held out")
    # The logits of a batch are large: given back and asked for at each step, they take a third of the time.
    keep_freed_memory()
    best, state = train(model, batches, options, seed=seed, folder=work / "checkpoints", judge=judge)
    figures = _figures(options, run, best, state, held_out)
    if earlier is not None:
        figures["earlier"] = earlier.history
    return Outcome(figures, lambda folder: _write_model(best, packs / TOKENIZER, options, folder))


def _prepare(options: MaskedOptions, run: Run, earlier: Earlier | None, folder: Path) -> None:
    """Read the texts, make or take over the vocabulary, write the packs `train` and `held-out`."""
    seed = run.recipe.seed
    measuring = HeldBack(text for path in options.held_back for text in held_back_texts(run.path(path)))
    held_out = earlier.held_out if earlier else None
    gathered = gather(_paragraphs(options, run), measuring, share=options.held_out, seed=seed, held_out=held_out)
    print(gathered, flush=True)
    if not gathered.train or not gathered.held_out:
        raise BadInput("There is too little text to learn from.", hint="Name more in masked.sets or masked.files.")
    if earlier is not None:
        tokenizer = Tokenizer.from_file(str(earlier.tokenizer))
    else:
        sentences = [text for paragraph in gathered.train for text in paragraph]
        tokenizer = train_vocabulary(sentences, options.vocabulary, language=run.recipe.language)
        print(f"vocabulary of {tokenizer.get_vocab_size():,} pieces made", flush=True)
    tokenizer.save(str(folder / TOKENIZER))
    # So that a run that goes on from this one does not learn from them.
    write_json_lines(folder / HELD_OUT, gathered.held_out)
    for name, part in (("train", gathered.train), ("held-out", gathered.held_out)):
        texts = rows(part, joined=options.joined, unstopped=options.unstopped, seed=seed)
        print(f"{name}: {write_rows(folder / name, tokenizer, texts, options.window):,} texts", flush=True)
    write_text(folder / _COUNTS, json.dumps(_counts(gathered)))


def _counts(gathered: Gathered) -> dict[str, int]:
    train, held_out = (sum(map(len, part)) for part in (gathered.train, gathered.held_out))
    return {"train": train, "held_out": held_out, "repeated": gathered.repeated, "held_back": gathered.held_back}


def _paragraphs(options: MaskedOptions, run: Run) -> Iterator[list[str]]:
    seed = run.recipe.seed
    sources = [
        *((name, set_paragraphs(name, run.path("{data}"), share, seed)) for name, share in options.sets.items()),
        *((f.path, own_paragraphs(run.path(f.path), run.recipe.language, f.share, seed)) for f in options.files),
    ]
    for name, paragraphs in sources:
        count = 0
        for paragraph in paragraphs:
            count += len(paragraph)
            yield paragraph
        print(f"{name}: {count:,} sentences", flush=True)


def held_out_batches(options: MaskedOptions, run: Run, *, one_word: bool = False) -> MaskedBatches:
    """The held-out texts of a run in batches; with `one_word` a single word of each is masked."""
    return MaskedBatches(
        Pack(run.out / "masked" / "packs" / "held-out"),
        tokens=options.batch_tokens,
        seed=run.recipe.seed,
        share=_ONE if one_word else options.masked,
        whole=1.0 if one_word else options.whole_words,
    )


def _write_model(checkpoint: Path, tokenizer: Path, options: MaskedOptions, folder: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), SPECIAL, strict=True))
    with explained(folder, libraries=True):
        copy_files(checkpoint, folder)
        PreTrainedTokenizerFast(
            tokenizer_file=str(tokenizer), model_max_length=options.window, **names
        ).save_pretrained(folder)


def _figures(
    options: MaskedOptions, run: Run, best: Path, state: dict[str, Any], held_out: MaskedBatches
) -> dict[str, Any]:
    """What the run is worth: the model on held-out texts beside the frequency of tokens alone."""
    with quietly():
        model = model_class().from_pretrained(best)
    packs = run.out / "masked" / "packs"
    counts = np.bincount(Pack(packs / "train").sources, minlength=model.config.vocab_size)
    counts[: len(SPECIAL)] = 0
    return {
        "name": run.recipe.name,
        "seed": run.recipe.seed,
        "steps": state["global_step"],
        "kept": kept_step(state),
        "parameters": parameters_of(model),
        "texts": json.loads((packs / _COUNTS).read_text(encoding="utf-8")),
        "held_out": measure(model, held_out),
        "held_out_one_word": measure(model, held_out_batches(options, run, one_word=True)),
        "frequency_alone": frequency_baseline(held_out, counts),
        "by_step": judgements(state),
    }


main = partial(make_model, "masked_lm", __doc__, masked_lm)


if __name__ == "__main__":
    sys.exit(main())
