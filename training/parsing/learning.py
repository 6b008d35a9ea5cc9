"""Training with spaCy: treebanks as it reads them, the training itself, and how good the pipeline is."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput
from training.disk import write_whole
from training.parsing.options import ParserOptions
from training.parsing.treebanks import Block, chosen, document_ids, read_blocks, unified

__all__ = ["FIGURES", "measure", "prepare", "train"]

_CONFIG = Path(__file__).resolve().parent / "pipeline.cfg"
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
    """Write `train.spacy`, `dev.spacy` and, where the recipe has one, `test.spacy` to the folder `out`.

    No document of `dev` or `test` is in `train`. `where` turns a path of the recipe into one of this machine. Raises
    `BadInput` for files that are missing, empty or no CoNLL-U.
    """
    held = {name: where(path) for name, path in options.held.items()}
    left_out = document_ids(list(held.values()))
    texts: list[str] = []
    for treebank in options.train:
        blocks = list(chosen(treebank, where, left_out))
        if not blocks:
            raise BadInput(f"{treebank.files}: no sentences to train on.", hint="Are all in dev or test?")
        texts.append(_text(blocks))
        print(f"{treebank.what}: {len(blocks):,} sentences ({treebank.licence})", flush=True)
    _convert(texts, out / "train.spacy", options.sentences_at_once)
    for name, path in held.items():
        blocks = list(read_blocks(path))
        if not blocks:
            raise BadInput(f"{path}: no sentences in it.")
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
