"""Text and pairs for the small Russian generator, made ready for its trainer.

    python -m training.ru_small --data ../shared/data --out FOLDER [--sentences N] [--vocabulary 10000] [--seed 0]

Writes `tokenizer.json` and two packs of token numbers (`training.packed`): `train` and `dev`. A target is a plain
sentence or two neighbours, its source what `training.denoise` makes of it. No sentence that equals one of
RuSimpleSentEval's dev set, or has eight words in a row with one, is among them.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rerank.segmentation import sentences
from rewrite.datasets import data_folder, load_rsse
from training.denoise import MASK, Noise, RarerWords, donors
from training.held_back import HeldBack
from training.packed import write_pack
from training.valency import read_paragraphs

__all__ = ["SPECIAL", "main", "noisy_pairs", "passages", "train_tokenizer"]

SPECIAL = ("<s>", "</s>", "<pad>", MASK)
BEGIN, END, PAD = range(3)
_LONGEST = 128
_DEV = 2_000
# Share of each file's paragraphs: the old prose of the fiction is much, and not what people ask to be made simpler.
FILES = {
    "wikineural_wiki_sents": 1.0,
    "nerel_wikinews": 1.0,
    "news_russia_today": 1.0,
    "news_ng": 1.0,
    "news_lenta_sample": 1.0,
    "factrueval_news": 1.0,
    "rusentrel_analytics": 1.0,
    "rurebus_econ_docs": 0.3,
    "fiction_classics": 0.15,
}
_JOINED, _AS_IT_IS = 0.12, 0.06


def passages(folder: Path, seed: int) -> Iterator[list[str]]:
    """The sentences of each paragraph of `folder` that have 4 to 45 words, paragraphs of all files in random order.

    Raises `BadInput` where a file is missing.
    """
    rng = random.Random(seed)
    paragraphs: list[str] = []
    for name, share in FILES.items():
        paragraphs += [text for text in read_paragraphs(folder, name) if rng.random() < share]
    rng.shuffle(paragraphs)
    for paragraph in paragraphs:
        found = [text for _, _, text in sentences(paragraph) if _suits(text)]
        if found:
            yield found


def _suits(text: str) -> bool:
    letters = sum("а" <= c <= "я" or c == "ё" for c in text.lower())
    # A dash at the start is a line of dialogue.
    begins = not text[0].islower() and text[0] not in "-–—"
    return begins and text[-1] in ".!?…»" and 3 <= text.count(" ") <= 44 and letters > 0.6 * len(text)


def noisy_pairs(groups: Sequence[Sequence[str]], noise: Noise, seed: int) -> Iterator[tuple[str, str]]:
    """Pairs of source and target of the sentences in `groups`, neighbours joined now and then."""
    rng = random.Random(seed)
    for group in groups:
        left = list(group)
        while left:
            target = source = left.pop(0)
            if left and rng.random() < _JOINED:
                second = left.pop(0)
                source, target = noise.joined(target, second, rng), f"{target} {second}"
            yield (source if rng.random() < _AS_IT_IS else noise.source(source, rng)), target


def train_tokenizer(texts: Iterator[str], size: int) -> Any:
    """A byte-level BPE vocabulary of `size` tokens; a word is the same tokens at the start as after a space."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    # Digits are not kept apart: a date of single digits has many equal neighbours, and copying looks at neighbours.
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        trainer=trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[
                AddedToken(token, lstrip=token == MASK, normalized=False, special=True) for token in SPECIAL
            ],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", BEGIN), ("</s>", END)]
    )
    return tokenizer


def _encoded(tokenizer: Any, pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[list[int], list[int]]]:
    while chunk := list(itertools.islice(pairs, 5_000)):
        sides = [[one.ids for one in tokenizer.encode_batch(list(texts))] for texts in zip(*chunk, strict=True)]
        for source, target in zip(*sides, strict=True):
            if max(len(source), len(target)) <= _LONGEST:
                # The decoder is started with <s>; what it learns to write begins after that.
                yield source, target[1:]


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather, make pairs, write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sentences", type=int, help="at most so many; default: all")
    parser.add_argument("--vocabulary", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    data = data_folder(options.data)
    held_back = HeldBack(example.source for example in load_rsse(data / "rsse" / "dev_sents.csv"))
    groups: list[list[str]] = []
    seen, count = set(), 0
    for group in passages(data / "ru_mono", options.seed):
        fresh = [text for text in group if text not in seen and text not in held_back]
        seen.update(fresh)
        if fresh:
            groups.append(fresh)
            count += len(fresh)
        if options.sentences is not None and count >= options.sentences:
            break
    print(f"{count} sentences", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    texts = (text for group in groups[:250_000] for text in group)
    tokenizer = train_tokenizer(texts, options.vocabulary)
    tokenizer.save(str(options.out / "tokenizer.json"))
    print("vocabulary made", flush=True)
    noise = Noise(donors(text for group in groups for text in group), RarerWords())
    for name, part in (("dev", groups[:_DEV]), ("train", groups[_DEV:])):
        pairs = noisy_pairs(part, noise, options.seed)
        print(f"{name}: {write_pack(options.out / name, _encoded(tokenizer, pairs))} pairs", flush=True)


if __name__ == "__main__":
    main()
