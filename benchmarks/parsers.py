"""How right parsers of English are on a treebank's own words: the bundled trees, others, and the bundled pipeline.

    python -m benchmarks.parsers --data FOLDER [--part dev] [--model FOLDER …]

Shares in %: heads (UAS) and heads with relations (LAS, subtypes left out) of the words that are no punctuation, parts
of speech and features of all words. Sentences that are longer than the parser's window are left out for all. With
`--model`, packed folders of `training.english_trees` (a run's `trees/teachers/0/model` and its like), each is measured,
and all of them together where there are several.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.measuring import command_line
from rerank.english.analyzer import BUNDLED, load_pipeline
from rerank.english.trees import Parse, TreeModel
from rewrite.datasets import data_folder
from training.parsing.examples import Example, example_of
from training.parsing.treebanks import sides
from training.recipe import load_recipe

_RECIPE = "en-open"
_COLUMNS = ("heads (UAS)", "and relations (LAS)", "parts of speech", "features")
TreebankParse = tuple[Sequence[int], Sequence[str], Sequence[str], Sequence[str]]


def features_of(features: Mapping[str, str]) -> str:
    """Features as a treebank writes them."""
    return "|".join(f"{key}={value}" for key, value in sorted(features.items()))


def of_trees(trees: Sequence[Parse | None]) -> list[TreebankParse | None]:
    """What a tree model finds, in the terms of a treebank."""
    return [
        None if tree is None else (tree.heads, tree.relations, tree.pos, [features_of(each) for each in tree.features])
        for tree in trees
    ]


def of_pipeline(examples: Sequence[Example]) -> Iterator[TreebankParse]:
    """What the bundled spaCy pipeline finds on the words of a treebank, each sentence alone."""
    from spacy.tokens import Doc

    nlp = load_pipeline(BUNDLED)
    for example in examples:
        doc = nlp(Doc(nlp.vocab, words=list(example.words), sent_starts=[n == 0 for n in range(len(example.words))]))
        heads = [-1 if word.head.i == word.i else word.head.i for word in doc]
        relations = ["root" if word.dep_.lower() == "root" else word.dep_ for word in doc]
        yield heads, relations, [word.pos_ for word in doc], [str(word.morph) for word in doc]


def shares(examples: Sequence[Example], parses: Sequence[TreebankParse | None]) -> list[float]:
    """The columns for what a parser found, in %."""
    right, words, counted = [0] * len(_COLUMNS), 0, 0
    for example, parse in zip(examples, parses, strict=True):
        if parse is None:
            continue
        for n, (head, relation, pos, features) in enumerate(zip(*parse, strict=True)):
            words += 1
            right[2] += pos == example.pos[n]
            right[3] += features == example.features[n]
            if example.pos[n] != "PUNCT":
                counted += 1
                is_head = head == example.heads[n]
                right[0] += is_head
                right[1] += is_head and relation.split(":")[0] == example.relations[n].split(":")[0]
    return [100 * count / max(1, of) for count, of in zip(right, (counted, counted, words, words), strict=True)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = command_line(__doc__)
    parser.add_argument("--part", choices=("dev", "test"), default="dev")
    parser.add_argument("--model", type=Path, nargs="*", default=[], metavar="FOLDER")
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    treebanks = load_recipe(_RECIPE).parser
    assert treebanks is not None
    _, held = sides(treebanks, lambda path: Path(path.format(data=data)))
    examples = list(map(example_of, held[options.part]))
    sentences = [example.words for example in examples]
    models = [TreeModel(folder) for folder in options.model]
    rows = {"bundled trees": of_trees(TreeModel().trees(sentences))}
    kept = [example for example, parse in zip(examples, rows["bundled trees"], strict=True) if parse is not None]
    rows |= {str(folder): of_trees(model.trees(sentences)) for folder, model in zip(options.model, models, strict=True)}
    if len(models) > 1:
        rows["these together"] = of_trees(models[0].trees_with(models[1:], sentences))
    print(f"{_RECIPE}, {options.part}: {len(kept)} of {len(examples)} sentences; in %: {', '.join(_COLUMNS)}")
    for name, parses in rows.items():
        print(f"{name}: " + ", ".join(f"{share:.1f}" for share in shares(examples, parses)))
    print("bundled pipeline: " + ", ".join(f"{share:.1f}" for share in shares(kept, list(of_pipeline(kept)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
