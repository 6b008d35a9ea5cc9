"""What each neural system of Table 3 learns from (the paper's Table 2), as texts and as batches of token numbers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rewrite.splitting.triples.template_book import Partitioner, Pattern
from rewrite.splitting.triples.triple import Triple, entity_name, property_name, skeleton
from training.finetuning.judging import measuring
from training.heads.batches import LengthBatches, padded
from training.papers.websplit.benchmark import ComplexSentence, WebSplit, used_parts

# The last is in no text: without it the vocabulary would be another than the one that docs/websplit.md has figures of.
SPECIAL = ("<s>", "</s>", "<pad>", "<mask>")
BEGIN, END, PAD = range(3)
POSITIONS = 256
Encoded = tuple[tuple[list[int], ...], list[int]]
"""Token numbers of the sources and of the target; all with their begin and end."""


def linearise(triples: Iterable[Triple]) -> str:
    """`subject | property | object || …`, entities and properties as words, in the order given.

    Given depth-first, as parts of the benchmark are, that is the order of section 5.3.
    """
    return " || ".join(
        f"{entity_name(triple.subject)} | {property_name(triple.property)} | {entity_name(triple.object)}"
        for triple in triples
    )


def with_triples(text: str, parts: Iterable[Iterable[Triple]]) -> str:
    """What an adapter of the base reads: the complex sentence, then each part of its triples (`linearise`)."""
    return " // ".join((text, *map(linearise, parts)))


@dataclass(frozen=True, slots=True)
class Example:
    """The texts of the encoders, one or two, and the text to write."""

    sources: tuple[str, ...]
    target: str


def examples(
    system: str, benchmark: WebSplit, sentences: Sequence[ComplexSentence], *, k: int, seed: int
) -> list[Example]:
    """The examples of a neural system, in a random order that depends on the seed alone.

    SEQ2SEQ and MULTISEQ2SEQ, given C or C and M_C, predict T: at most `k` rephrasings of each sentence. SPLIT-SEQ2SEQ,
    given M_i, predicts T_i, each text of each part once; SPLIT-MULTISEQ2SEQ, given C and M_i, at most `k` distinct
    pairs of each sentence.
    """
    drawn: list[Example] = []
    if system == "split-seq2seq":
        parts = [benchmark.parts[number] for number in used_parts(sentences)]
        drawn = [Example((linearise(part.triples),), " ".join(text)) for part in parts for text in part.texts]
    for sentence in sentences if system != "split-seq2seq" else ():
        if system == "split-multiseq2seq":
            drawn += _parts_of(sentence, benchmark, k, seed)
        else:
            sources = [sentence.text, linearise(benchmark.parts[sentence.readings[0].meaning].triples)]
            count = 2 if system == "multiseq2seq" else 1
            drawn += [Example((*sources[:count],), r.text) for r in benchmark.sample(sentence, k, seed)]
    random.Random(seed).shuffle(drawn)
    return drawn


def _parts_of(sentence: ComplexSentence, benchmark: WebSplit, k: int, seed: int) -> list[Example]:
    pairs = [(number, text) for number in used_parts([sentence]) for text in benchmark.parts[number].texts]
    if len(pairs) > k:
        pairs = random.Random(f"{seed} {sentence.id}").sample(pairs, k)
    return [
        Example((sentence.text, linearise(benchmark.parts[number].triples)), " ".join(text)) for number, text in pairs
    ]


def learn_splitter(
    benchmark: WebSplit, sentences: Iterable[ComplexSentence], *, counted: Literal["items", "pairs"] = "items"
) -> Partitioner:
    """Learning to split (section 5.4): how probable each partition of a tree of triples is, by its shape alone.

    P(M_1 … M_n | M_C) is how often the pattern occurs with the skeleton among the items of training, each rephrasing,
    or among its distinct pairs ⟨M_C, (M_1 … M_n)⟩: the paper tells of both.
    """
    counts: dict[str, Counter[Pattern]] = {}
    pairs = Counter((r.meaning, partition) for s in sentences for r in s.readings for partition in r.partitions)
    for (meaning, partition), times in sorted(pairs.items()):
        triples = benchmark.parts[meaning].triples
        block = {triple: n for n, part in enumerate(partition) for triple in benchmark.parts[part].triples}
        weight = times * benchmark.count_partition(partition) if counted == "items" else 1
        counts.setdefault(skeleton(triples), Counter())[tuple(block[triple] for triple in triples)] += weight
    return Partitioner(counts)


def train_tokenizer(examples: Iterable[Example], size: int) -> Any:
    """A byte-level BPE of `size` tokens of the texts on either side: no word is unknown to it.

    A word is the same tokens at the start as after a space.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    # Digits are not kept apart: a date of single digits has many equal neighbours, and copying looks at neighbours.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        (text for example in examples for text in (*example.sources, example.target)),
        trainer=trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[
                AddedToken(token, lstrip=token == SPECIAL[-1], normalized=False, special=True) for token in SPECIAL
            ],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", BEGIN), ("</s>", END)]
    )
    return tokenizer


def encode(tokenizer: Any, examples: Sequence[Example], *, longest: int) -> list[Encoded]:
    """The examples none of whose texts is longer than `longest` tokens."""
    count = len(examples[0].sources) if examples else 0
    sides = [
        [row.ids for row in tokenizer.encode_batch(texts)]
        for texts in (
            *([example.sources[place] for example in examples] for place in range(count)),
            [example.target for example in examples],
        )
    ]
    rows = (((*sources,), target) for *sources, target in zip(*sides, strict=True))
    return [(s, t) for s, t in rows if max(map(len, (*s, t))) <= longest]


class RowBatches(LengthBatches):
    """Batches of encoded rows: `source`, `second` where there are two encoders, and `target`, padded at the end."""

    def __init__(self, rows: Sequence[Encoded], **settings: Any) -> None:
        super().__init__(rows, [sum(map(len, sources)) + len(target) for sources, target in rows], **settings)

    def __getitem__(self, number: int) -> dict[str, Any]:
        rows = [self.examples[place] for place in self.indices(number)]
        sides = [*zip(*(sources for sources, _ in rows), strict=True), [target for _, target in rows]]
        names = ("source", "target") if len(sides) == 2 else ("source", "second", "target")
        return {name: padded(side, PAD) for name, side in zip(names, sides, strict=True)}


def measure_loss(module: Any, rows: RowBatches) -> dict[str, float]:
    """The mean loss of a token, `dev`."""
    total, count = 0.0, 0
    with measuring(module, rows) as every:
        for batch in every:
            tokens = int((batch["target"][:, 1:] != PAD).sum())
            total += float(module(**batch)["loss"]) * tokens
            count += tokens
    return {"dev": total / max(count, 1)}
