"""Train a judge of whole sentences and pack it: is a text one complete, well-formed English sentence?

    python -m training.wholeness RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `whole`. FOLDER/whole/examples holds the good sentences and the broken ones, FOLDER/model the
packed judge, with its card and checksums, which runs without torch; FOLDER/figures.json what it is worth. A run that
was stopped goes on with the same command.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path

from rewrite.splitting.model import SplitModel
from rewrite.splitting.parsed_words import sentence_analyzer
from training.card import CardTexts
from training.command import make_model
from training.disk import make_once
from training.finetuning.trainer import Judge
from training.heads.encoder import open_encoder, pack_network
from training.heads.examples import read_examples, write_sides
from training.heads.options import WholeOptions
from training.heads.step import Outcome, make_head, teach
from training.recipe import Run
from training.splitting.pairs import measuring_texts
from training.whole.examples import Example, apart, make_examples, proposed, sources

_TEXTS = CardTexts(
    task="telling whole English sentences from broken ones",
    what=(
        "Says of a text how likely it is one complete and well-formed English sentence. A small BERT in 8 bits with a "
        "head in numpy, taught with good sentences and with ones that were broken on purpose; `rewrite split` asks it."
    ),
    limits=(
        "It knows form alone, and encyclopedic and news text best: a sentence that makes no sense may be a good one."
    ),
    measured="""\
On sentences that it has not learnt from (`python -m training.wholeness RECIPE --out FOLDER`): the loss in nats, the
share of right answers at 0.5, and the area under the curve, for each kind of broken sentence against all good ones:""",
)


def wholeness(run: Run, *, restart: bool = False) -> Path:
    """Train and pack the judge of the run's recipe; returns the folder of the packed model.

    Raises what `make_head` raises, `BadInput` for a set that is not there, `BadModel` for a masked model that is not
    there or has too small a window.
    """
    return make_head(run, "whole", _learn, _TEXTS, restart=restart)


def _learn(options: WholeOptions, run: Run, work: Path) -> Outcome:
    from training.whole.network import WholeBatches, WholeNetwork, measure

    seed = run.recipe.seed
    encoder = open_encoder(options.encoder, run, work, "whole")
    files = make_once(work / "examples", lambda folder: _prepare(options, run, folder))
    of_side = {side: read_examples(Example, files / f"{side}.jsonl") for side in ("train", "dev")}
    make = partial(WholeBatches, encoder=encoder, tokens=options.batch_tokens)
    learnt, dev = make(of_side["train"], seed=seed, updates=options.steps), make(of_side["dev"], seed=0)
    judge = Judge(measure, dev, itemgetter("loss"), options.judge_every)
    network = partial(WholeNetwork, encoder, options.dropout)
    taught, steps = teach(network, learnt, judge, options, seed=seed, folder=work / "checkpoints")
    figures = {"steps": steps, "examples": len(learnt.examples), **measure(taught, dev)}
    return Outcome(figures, partial(pack_network, taught, encoder, name=run.recipe.name))


def _prepare(options: WholeOptions, run: Run, folder: Path) -> None:
    data, seed, analyzer = run.path("{data}"), run.recipe.seed, sentence_analyzer()
    held_back = measuring_texts(data, map(run.path, options.held_back))
    parsed = list(sources(options.pairs, options.paragraphs, data, held_back, analyzer, seed))
    print(f"{len(parsed):,} sentences parsed", flush=True)
    learnt, dev = apart(parsed, options.dev, seed)
    model = SplitModel(threads=options.threads)
    sides = {}
    for side, some in (("dev", dev), ("train", learnt)):
        # Of the dev side, where there are fewer sentences, fewer proposals are taken.
        count = round(options.proposals * len(some) / len(learnt))
        more = proposed(some, count, options.each, model, analyzer, seed)
        sides[side] = chain(make_examples(some, seed, analyzer), more)
    write_sides(sides, folder, lambda example: example.kind)


main = partial(make_model, "wholeness", __doc__, wholeness)


if __name__ == "__main__":
    sys.exit(main())
