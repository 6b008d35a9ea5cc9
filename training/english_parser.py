"""Train a small English tagger and parser on Universal Dependencies, measure it and pack it for `rerank.english`.

    python -m training.english_parser RECIPE --out FOLDER [--data DIR] [--restart]

Reads the recipe's section `parser`. Shipped is `en-open`, whose texts allow any use. FOLDER/parser gets what spaCy
trains on and the states of the training, FOLDER/model the packed pipeline, with its card and checksums. A training that
is over is not done again; one that was stopped begins anew.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rewrite.errors import BadInput
from training.card import CardTexts
from training.command import make_model
from training.disk import make_once, write_whole
from training.heads.step import Outcome, make_head
from training.parsing.treebanks import Block, ParserOptions, sides, unified
from training.recipe import Run

_CONFIG = Path(__file__).resolve().parent / "parsing" / "pipeline.cfg"
_NAMED = "Entity="
FIGURES: Mapping[str, str] = {
    "dep_uas": "heads (UAS)",
    "dep_las": "heads and relations (LAS)",
    "pos_acc": "parts of speech",
    "morph_acc": "features, all of a word",
    "lemma_acc": "lemmas",
    "sents_f": "sentences (F)",
    "ents_f": "names (F)",
    "token_acc": "tokens",
}
"""What is told of each measurement of spaCy's."""


def prepare(options: ParserOptions, where: Callable[[str], Path], out: Path) -> None:
    """Write `train.spacy`, `dev.spacy` and, where the recipe has one, `test.spacy` to the folder `out`; see `sides`."""
    learnt, held = sides(options, where)
    for treebank, blocks in zip(options.train, learnt, strict=True):
        print(f"{treebank.what}: {len(blocks):,} sentences ({treebank.licence})", flush=True)
    _convert([_text(blocks) for blocks in learnt], out / "train.spacy", options.sentences_at_once)
    for name, blocks in held.items():
        _convert([_text(blocks)], out / f"{name}.spacy", options.sentences_at_once)


def _text(blocks: Sequence[Block]) -> str:
    """Sentences of a treebank as one text in CoNLL-U, with tags of names where it marks entities."""
    has_names = any(_NAMED in row[9] for block in blocks for row in block.rows)
    return "\n\n".join(unified(block, names=has_names) for block in blocks)


def _convert(texts: Sequence[str], target: Path, sentences_at_once: int) -> None:
    from spacy.tokens import DocBin
    from spacy.training.converters import conllu_to_docs

    store = DocBin(store_user_data=False)
    for text in texts:
        with redirect_stdout(io.StringIO()):
            for doc in conllu_to_docs(text, n_sents=sentences_at_once, no_print=True):
                store.add(doc)
    with write_whole(target) as draft:
        draft.write_bytes(store.to_bytes())


def train(options: ParserOptions, seed: int, corpus: Path, out: Path) -> None:
    """Fill `out` with `model-best`, the best pipeline that was found; `corpus` holds `train.spacy` and `dev.spacy`."""
    from spacy.cli.train import train as spacy_train

    overrides: dict[str, Any] = {
        "system.seed": seed,
        "corpora.train.path": str(corpus / "train.spacy"),
        "corpora.dev.path": str(corpus / "dev.spacy"),
        "training.max_steps": options.max_steps,
        "training.eval_frequency": options.eval_every,
    }
    try:
        spacy_train(_CONFIG, out, overrides=overrides)
    except ValueError as error:
        raise BadInput(
            f"spaCy cannot train on these treebanks: {str(error).splitlines()[0]}",
            hint="It wants some hundred sentences, with relations that come up at least 30 times.",
        ) from error


def measure(nlp: Any, corpus: Path) -> dict[str, float]:
    """The `FIGURES` of a pipeline on a `.spacy` file, in percent, by what they are of.

    Texts are tokenised and cut into sentences by the pipeline itself; as spaCy counts, punctuation is left out of UAS
    and LAS, and words that its tokeniser cuts otherwise count as wrong in recall only.
    """
    from spacy.training import Corpus

    scores = nlp.evaluate(list(Corpus(corpus)(nlp)))
    return {label: round(100 * float(scores[key]), 2) for key, label in FIGURES.items() if scores.get(key) is not None}


_TEXTS = CardTexts(
    task="tagging and parsing English",
    what="""\
A spaCy pipeline for English: parts of speech and features, dependency parse and sentences in Universal Dependencies,
lemmas, and names of people, places and organisations. It has no word vectors. Load it:
`rerank.english.EnglishAnalyzer("FOLDER")` or `spacy.load("FOLDER")`.""",
    limits="A small model errs more in long sentences, in speech and where words are rare.",
    measured="""\
On the dev and test parts of its treebanks (`python -m training.english_parser RECIPE --out FOLDER`), none of whose
documents it has seen, from raw text, in %:""",
)


def english_parser(run: Run, *, restart: bool = False) -> Path:
    """Train, measure and pack the pipeline of the run's recipe; returns its folder.

    Raises what `make_head` raises, and `BadInput` for treebanks that are missing or broken.
    """
    return make_head(run, "parser", _learn, _TEXTS, restart=restart)


def _learn(options: ParserOptions, run: Run, work: Path) -> Outcome:
    import spacy

    corpus = make_once(work / "corpus", lambda folder: prepare(options, run.path, folder))
    states = make_once(work / "training", lambda folder: train(options, run.recipe.seed, corpus, folder))
    nlp = spacy.load(states / "model-best")
    figures = {
        f"{side} {name}": value
        for side in options.held
        for name, value in measure(nlp, corpus / f"{side}.spacy").items()
    }
    return Outcome(figures, partial(_pack, nlp, options, run.recipe.name))


def _pack(nlp: Any, options: ParserOptions, name: str, folder: Path) -> None:
    """Write the pipeline to a folder; nothing in it depends on when or where it was written."""
    from spacy.util import load_config

    nlp.meta.update(
        name=name.removeprefix("en-").replace("-", "_"),
        version=options.version,
        description=_TEXTS.what,
        license=options.licence,
        sources=[{"name": treebank.what, "license": treebank.licence} for treebank in options.train],
        performance={},
    )
    _round_weights(nlp)
    nlp.to_disk(folder)
    config = load_config(folder / "config.cfg")
    for part in ("train", "dev"):
        # A path of the training is of no use to anybody else.
        config["corpora"][part]["path"] = None
    config.to_disk(folder / "config.cfg")


def _round_weights(nlp: Any) -> None:
    """Leave six significant bits of each weight, of 24, which a wheel packs in less than half of the bytes.

    Measured once on GUM test, against the eleven bits of 16-bit floats: of 28,431 words 143 have another head; LAS is
    77.95 for 77.98, on dev 77.93 for 77.92.
    """
    for _, pipe in nlp.pipeline:
        for node in pipe.model.walk() if hasattr(pipe, "model") else ():
            for name in node.param_names:
                if node.has_param(name):
                    fractions, exponents = np.frexp(node.get_param(name))
                    node.set_param(name, np.ldexp(np.round(fractions * 64) / 64, exponents).astype(np.float32))


main = partial(make_model, "english_parser", __doc__, english_parser)


if __name__ == "__main__":
    sys.exit(main())
