"""From treebanks to the files that spaCy trains on."""

from __future__ import annotations

import glob
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from training.disk import write_whole
from training.parsing.options import ParserRecipe, Treebank
from training.parsing.treebanks import Block, document_ids, read_blocks, unified

__all__ = ["Seen", "chosen", "prepare"]

Where = Callable[[str], Path]
_NAMED = "Entity="


@dataclass(frozen=True, slots=True)
class Seen:
    """What the training sees of one treebank."""

    treebank: Treebank
    documents: int
    sentences: int
    words: int


def prepare(recipe: ParserRecipe, where: Where, out: Path, *, limit: int | None = None) -> list[Seen]:
    """Write `train.spacy`, `dev.spacy` and, where the recipe has one, `test.spacy` to the folder `out`.

    No document of `dev` or `test` is in `train`. `where` turns a path of the recipe into one of this machine; `limit`
    takes only so many sentences of each treebank, spread over it. Raises `BadInput` for files that are missing, empty
    or no CoNLL-U.
    """
    held = {name: where(path) for name, path in (("dev", recipe.dev), ("test", recipe.test)) if path}
    left_out = document_ids(list(held.values()))
    texts: list[tuple[str, bool]] = []
    seen: list[Seen] = []
    for treebank in recipe.train:
        blocks = _thinned(list(chosen(treebank, where, left_out)), limit)
        if not blocks:
            raise BadInput(f"{treebank.files}: no sentences to train on.", hint="Are all in dev or test?")
        named = _names_are_marked(blocks)
        texts.append(("\n\n".join(unified(block, names=named) for block in blocks), named))
        words = sum(row[0].isdigit() for block in blocks for row in block.rows)
        seen.append(Seen(treebank, len({b.document for b in blocks}), len(blocks), words))
    _convert(texts, out / "train.spacy", recipe.sentences_at_once)
    for name, path in held.items():
        blocks = _thinned(list(read_blocks(path)), limit)
        if not blocks:
            raise BadInput(f"{path}: no sentences in it.")
        named = _names_are_marked(blocks)
        text = "\n\n".join(unified(block, names=named) for block in blocks)
        _convert([(text, named)], out / f"{name}.spacy", recipe.sentences_at_once)
    return seen


def chosen(treebank: Treebank, where: Where, left_out: frozenset[str]) -> Iterator[Block]:
    """The sentences of a treebank, without the documents `left_out`. Raises `BadInput` where it has no files."""
    paths = sorted(map(Path, glob.glob(str(where(treebank.files)))))
    if not paths:
        raise BadInput(f"No treebank {treebank.files!r}.", hint="Give --data DIR with the folder that has it.")
    for path in paths:
        for block in read_blocks(path):
            wanted = not treebank.source_urls or any(url in block.source_url for url in treebank.source_urls)
            if wanted and block.document not in left_out:
                yield block


def _thinned(blocks: Sequence[Block], limit: int | None) -> Sequence[Block]:
    if limit is None or len(blocks) <= limit:
        return blocks
    return [blocks[i * len(blocks) // limit] for i in range(limit)]


def _names_are_marked(blocks: Sequence[Block]) -> bool:
    return any(_NAMED in row[9] for block in blocks for row in block.rows)


def _convert(texts: Sequence[tuple[str, bool]], target: Path, sentences_at_once: int) -> None:
    from spacy.tokens import DocBin
    from spacy.training.converters import conllu_to_docs

    store = DocBin(store_user_data=False)
    for text, _ in texts:
        with redirect_stdout(io.StringIO()):
            docs: list[Any] = list(conllu_to_docs(text, n_sents=sentences_at_once, no_print=True))
        for doc in docs:
            store.add(doc)
    with write_whole(target) as draft:
        draft.write_bytes(store.to_bytes())
