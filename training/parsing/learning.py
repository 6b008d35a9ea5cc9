"""Training with spaCy: treebanks as it reads them, training within a time, and how good the pipeline is."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rewrite.errors import BadInput
from training.disk import write_folder, write_text, write_whole
from training.parsing.options import ParserRecipe, Treebank
from training.parsing.treebanks import Block, chosen, document_ids, read_blocks, unified
from training.sizes import duration

__all__ = ["FIGURES", "Progress", "Seen", "measure", "prepare", "train"]

_CONFIG = Path(__file__).resolve().parent / "pipeline.cfg"
_LOGGER = "rewrite_rerank.progress.v1"
Say = Callable[[str], None]
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
_SHOWN = {
    **{"UAS": "dep_uas", "LAS": "dep_las", "tags": "pos_acc"},
    **{"lemmas": "lemma_acc", "sentences": "sents_f", "names": "ents_f"},
}
"""What is told of each measurement."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the training sees of one treebank."""

    treebank: Treebank
    documents: int
    sentences: int
    words: int


def prepare(recipe: ParserRecipe, where: Callable[[str], Path], out: Path, *, limit: int | None = None) -> list[Seen]:
    """Write `train.spacy`, `dev.spacy` and, where the recipe has one, `test.spacy` to the folder `out`.

    No document of `dev` or `test` is in `train`. `where` turns a path of the recipe into one of this machine; `limit`
    takes only so many sentences of each treebank, spread over it. Raises `BadInput` for files that are missing, empty
    or no CoNLL-U.
    """
    held = {name: where(path) for name, path in recipe.held.items()}
    left_out = document_ids(list(held.values()))
    texts: list[str] = []
    seen: list[Seen] = []
    for treebank in recipe.train:
        blocks = _thinned(list(chosen(treebank, where, left_out)), limit)
        if not blocks:
            raise BadInput(f"{treebank.files}: no sentences to train on.", hint="Are all in dev or test?")
        texts.append(_text(blocks))
        words = sum(row[0].isdigit() for block in blocks for row in block.rows)
        seen.append(Seen(treebank, len({b.document for b in blocks}), len(blocks), words))
    _convert(texts, out / "train.spacy", recipe.sentences_at_once)
    for name, path in held.items():
        blocks = _thinned(list(read_blocks(path)), limit)
        if not blocks:
            raise BadInput(f"{path}: no sentences in it.")
        _convert([_text(blocks)], out / f"{name}.spacy", recipe.sentences_at_once)
    return seen


def _thinned(blocks: Sequence[Block], limit: int | None) -> Sequence[Block]:
    if limit is None or len(blocks) <= limit:
        return blocks
    return [blocks[i * len(blocks) // limit] for i in range(limit)]


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


class _TimeIsUp(Exception):
    """Ends spaCy's loop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A training that is over: what it was made of, its steps and its seconds."""

    key: str
    steps: int
    seconds: float


def train(recipe: ParserRecipe, corpus: Path, out: Path, *, say: Say) -> Progress:
    """Fill `out` with `best`, the best pipeline that was found; what was trained already is left as it is.

    `corpus` holds `train.spacy` and `dev.spacy`. A folder of another recipe or corpus, or of a training that was
    stopped, is begun anew. `say` is given a line after each measurement.
    """
    key = _key(recipe, corpus)
    with suppress(OSError, ValueError, TypeError):
        done = Progress(**json.loads((out / "progress.json").read_text(encoding="utf-8")))
        if done.key == key and (out / "best").is_dir():
            say(f"trained already: {done.steps} steps, {duration(done.seconds)}")
            return done
    shutil.rmtree(out, ignore_errors=True)
    watch = _Watch(out, recipe.minutes * 60, say)
    _run(recipe, corpus, out / "run", watch)
    progress = Progress(key, watch.steps, watch.seconds)
    say(f"trained: {progress.steps} steps, {duration(progress.seconds)}")
    write_text(out / "progress.json", json.dumps(asdict(progress)))
    return progress


def _key(recipe: ParserRecipe, corpus: Path) -> str:
    """What two trainings must have in common to be the same."""
    digest = hashlib.sha256(recipe.model_dump_json().encode("utf-8"))
    for name in ("train.spacy", "dev.spacy"):
        digest.update((corpus / name).read_bytes())
    return digest.hexdigest()


def _run(recipe: ParserRecipe, corpus: Path, out: Path, watch: _Watch) -> None:
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as spacy_train
    from spacy.util import load_config, registry

    registry.loggers.register(_LOGGER, func=lambda: lambda nlp, stdout, stderr: (watch.step, lambda: None))
    overrides = {
        "system.seed": recipe.seed,
        "corpora.train.path": str(corpus / "train.spacy"),
        "corpora.dev.path": str(corpus / "dev.spacy"),
        "training.max_steps": recipe.max_steps,
        "training.eval_frequency": recipe.eval_every,
    }
    out.mkdir(parents=True, exist_ok=True)
    try:
        with suppress(_TimeIsUp):
            spacy_train(init_nlp(load_config(_CONFIG, overrides=overrides)), out, stdout=io.StringIO())
    except ValueError as error:
        raise BadInput(
            f"spaCy cannot train on these treebanks: {str(error).splitlines()[0]}",
            hint="It wants some hundred sentences, with relations that come up at least 30 times.",
        ) from error


class _Watch:
    """spaCy's logger: tells how it goes, keeps the best state in `best` of a folder, and stops when the time is up."""

    def __init__(self, out: Path, limit: float, say: Say) -> None:
        self._out, self._limit, self._say = out, limit, say
        self._began = time.monotonic()
        self._best = -1.0
        self.steps, self.seconds = 0, 0.0

    def step(self, info: dict[str, Any] | None) -> None:
        """Called after each step; `info` is there where the pipeline was measured."""
        if info is not None:
            self._measured(info)
        if time.monotonic() - self._began > self._limit:
            raise _TimeIsUp

    def _measured(self, info: dict[str, Any]) -> None:
        self.steps, self.seconds = info["step"], time.monotonic() - self._began
        better = info["score"] > self._best
        if better:
            self._best, best = info["score"], self._out / "run" / "model-best"
            write_folder(self._out / "best", lambda folder: shutil.copytree(best, folder, dirs_exist_ok=True))
        scores = info["other_scores"]
        shown = ", ".join(f"{name} {100 * (scores.get(key) or 0):.1f}" for name, key in _SHOWN.items())
        self._say(f"step {self.steps}, {duration(self.seconds)}: {shown}{', best so far' if better else ''}")


def measure(pipeline: Path, corpus: Path) -> dict[str, float]:
    """The figures of `FIGURES` in percent, and `words_per_second`, of a pipeline on a `.spacy` file.

    Texts are tokenised and cut into sentences by the pipeline itself; as spaCy counts, punctuation is left out of UAS
    and LAS, and words that its tokeniser cuts otherwise count as wrong in recall only.
    """
    import spacy
    from spacy.training import Corpus

    nlp = spacy.load(pipeline)
    examples = list(Corpus(corpus)(nlp))
    words = sum(len(example.reference) for example in examples)
    began = time.perf_counter()
    scores = nlp.evaluate(examples)
    seconds = time.perf_counter() - began
    found = {key: round(100 * float(scores[key]), 2) for key in FIGURES if scores.get(key) is not None}
    return found | {"words_per_second": round(words / seconds)}
