"""Trains a small Russian simplification model from nothing: a GPT-2 of some 7 M parameters, on two CPU cores.

    python -m training.sft --data ../shared/data --out FOLDER --minutes 40

For two fifths of the time it reads plain sentences and copies them, whole, shortened or with noise to undo, so that it
learns to rewrite what stands there rather than to invent; then it learns pairs, in the format of `prompts/`, with the
loss on the target alone: RuAdapt, ParaPhraser and the rewrites that the `edits` generator makes of plain sentences.
No source of RuSimpleSentEval's dev set is among them, nor any text that shares eight words in a row with one.

FOLDER becomes a model that transformers loads. It also holds `synthetic.jsonl` (made once, in `--synthetic-minutes`)
and `checkpoint.pt`, from which `--resume` goes on. Progress is counted in time: a faster machine sees more text.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rerank.errors import BadInput
from rewrite.datasets import Pair, data_folder
from rewrite.errors import BadOption
from training.disk import write_whole
from training.sft_data import Corpus, gather, task
from training.sft_model import MARK, POSITIONS, Encoded, encode, new_model, scrambled, train_tokenizer
from training.sizes import million, parameters_of

__all__ = ["Mixture", "Trainer", "batches", "learning_rate", "main"]

_PROMPT = Path(__file__).parents[1] / "prompts" / "rugpt3_simplify.yaml"
_IGNORED = -100


@dataclass
class Mixture:
    """Draws examples for a state of training; the same `seed`, pool and progress give the same ones."""

    corpus: Corpus
    tokenizer: Any
    seed: int
    size: int = 400
    switch: float = 0.4
    shares: dict[str, float] = field(default_factory=lambda: {"synthetic": 0.7, "ruadapt": 0.2, "paraphraser": 0.1})

    def draw(self, pool: int, progress: float) -> list[Encoded]:
        """`size` examples for `progress` in [0, 1]: copies up to `switch`, then pairs with a fifth of copies."""
        rng = random.Random(f"{self.seed} {pool}")
        paired = round(0.8 * self.size) if progress >= self.switch else 0
        random_ones = round(0.05 * self.size)
        plain = self.size - paired - random_ones
        vocabulary = self.tokenizer.get_vocab_size()
        return [
            *encode(self.tokenizer, [self._pair(rng) for _ in range(paired)]),
            *self._plain(plain, rng),
            *(scrambled(vocabulary, rng) for _ in range(random_ones)),
        ]

    def _pair(self, rng: random.Random) -> Pair:
        names = [name for name in self.shares if self.corpus.pairs.get(name)]
        (name,) = rng.choices(names, [self.shares[name] for name in names])
        return rng.choice(self.corpus.pairs[name])

    def _plain(self, count: int, rng: random.Random) -> list[Encoded]:
        texts = [rng.choice(self.corpus.sentences) for _ in range(count + 1)]
        made = [task(text, other, rng) for text, other in itertools.pairwise(texts)]
        clean, noisy = ([pair for pair, whole in made if whole is wanted] for wanted in (True, False))
        return encode(self.tokenizer, clean, whole=True) + encode(self.tokenizer, noisy)


def batches(examples: Sequence[Encoded], tokens: int, rng: random.Random) -> list[list[Encoded]]:
    """Examples of about the same length together, at most `tokens` in a batch with its padding, in random order."""
    found: list[list[Encoded]] = [[]]
    for example in sorted(examples, key=lambda e: len(e.ids)):
        if found[-1] and (len(found[-1]) + 1) * len(example.ids) > tokens:
            found.append([])
        found[-1].append(example)
    rng.shuffle(found)
    return [batch for batch in found if batch]


def _loss(model: Any, batch: Sequence[Encoded]) -> tuple[Any, int]:
    """Summed loss in nats, and how many tokens it is of. The vocabulary is scored only where the loss counts."""
    import torch

    longest = max(len(example.ids) for example in batch)
    ids = torch.tensor([e.ids + [2] * (longest - len(e.ids)) for e in batch])
    labels = torch.tensor([_labels(e, longest) for e in batch])[:, 1:]
    counts = labels != _IGNORED
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.transformer(ids).last_hidden_state[:, :-1]
        logits = model.lm_head(hidden[counts])
    return torch.nn.functional.cross_entropy(logits.float(), labels[counts], reduction="sum"), int(counts.sum())


def _labels(example: Encoded, length: int) -> list[int]:
    ids = example.ids
    return [_IGNORED] * example.start + ids[example.start :] + [_IGNORED] * (length - len(ids))


def learning_rate(progress: float, highest: float) -> float:
    """Rises over the first 2 %, stays, and falls in a line to a twentieth over the last 40 %."""
    return highest * min(progress / 0.02 + 0.01, 1.0, 0.05 + 0.95 * (1.0 - progress) / 0.4)


@dataclass
class Trainer:
    """Trains `model` and keeps its state in `folder`. `seconds` is the time to train, all runs together."""

    model: Any
    tokenizer: Any
    draw: Callable[[int, float], list[Encoded]]
    held_out: dict[str, list[Encoded]]
    folder: Path
    seconds: float
    rate: float = 1.5e-3
    batch_tokens: int = 2048
    every: float = 300.0
    pool: int = 0
    spent: float = 0.0
    tokens: int = 0

    def __post_init__(self) -> None:
        import torch

        self._optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=self.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True
        )

    def run(self) -> None:
        """Train until the time is spent; save, and print the held-out losses, every `every` seconds and at the end."""
        saved = self.spent
        while self.spent < self.seconds:
            began = time.monotonic()
            loss = self._pool()
            self.spent += time.monotonic() - began
            if self.pool % 10 == 0:
                print(f"{self.spent:5.0f} s, pool {self.pool}, {self.tokens} tokens, loss {loss:.3f}", flush=True)
            if self.spent - saved >= self.every or self.spent >= self.seconds:
                saved = self.spent
                self.save()
                print(self.report(), flush=True)

    def _pool(self) -> float:
        import torch

        progress = min(1.0, self.spent / self.seconds)
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate(progress, self.rate)
        total, counted = 0.0, 0
        for batch in batches(self.draw(self.pool, progress), self.batch_tokens, random.Random(self.pool)):
            loss, count = _loss(self.model, batch)
            (loss / count).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self._optimizer.step()
            self._optimizer.zero_grad()
            total, counted = total + float(loss.detach()), counted + count
            self.tokens += sum(len(example.ids) for example in batch)
        self.pool += 1
        return total / max(counted, 1)

    def report(self) -> str:
        """Loss per token of each held-out set, and how fast training has been."""
        import torch

        losses = {}
        with torch.no_grad():
            for name, examples in self.held_out.items():
                sums = [_loss(self.model, batch) for batch in batches(examples, 4096, random.Random(0))]
                losses[name] = float(sum(loss for loss, _ in sums)) / sum(count for _, count in sums)
        figures = ", ".join(f"{name} {loss:.3f}" for name, loss in losses.items())
        return f"held-out loss: {figures}; {self.tokens / max(self.spent, 1e-9):.0f} tokens/s"

    def save(self) -> None:
        """Write the model and, so that a stop in between breaks nothing, the whole checkpoint in one move."""
        import torch
        from transformers import PreTrainedTokenizerFast

        self.folder.mkdir(parents=True, exist_ok=True)
        wrapped = PreTrainedTokenizerFast(
            tokenizer_object=self.tokenizer,
            bos_token="<s>",
            eos_token="</s>",
            pad_token="<pad>",
            additional_special_tokens=[MARK],
            model_max_length=POSITIONS,
        )
        wrapped.save_pretrained(self.folder)
        self.model.save_pretrained(self.folder)
        shutil.copyfile(_PROMPT, self.folder / "prompt.yaml")
        state = {"model": self.model.state_dict(), "optimizer": self._optimizer.state_dict()}
        state |= {"pool": self.pool, "spent": self.spent, "tokens": self.tokens}
        with write_whole(self.folder / "checkpoint.pt") as draft:
            torch.save(state, draft)

    def load(self) -> None:
        """Go on from the checkpoint in `folder`. Raises `BadInput` where there is none."""
        import torch

        path = self.folder / "checkpoint.pt"
        if not path.is_file():
            raise BadInput(f"No checkpoint {str(path)!r}.", hint="Leave --resume out to start anew.")
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.pool, self.spent, self.tokens = state["pool"], state["spent"], state["tokens"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="data folder; default: the variable REWRITE_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40.0, help="time to train, all runs together")
    parser.add_argument("--synthetic-minutes", type=float, default=8.0, help="time to make synthetic pairs")
    parser.add_argument("--sentences", type=int, help="plain sentences at most; default: all")
    parser.add_argument("--layers", type=int, default=6, help="2 or more")
    parser.add_argument("--width", type=int, default=256, help="a multiple of 8")
    parser.add_argument("--vocabulary", type=int, default=8192)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the folder")
    return parser


def _check(options: argparse.Namespace) -> None:
    if not options.minutes > 0:
        raise BadOption(f"--minutes is {options.minutes}.", hint="Give the minutes to train, above 0.")
    if options.layers < 2:
        raise BadOption(f"--layers is {options.layers}.", hint="Copying takes 2 layers or more.")
    if options.width < 8 or options.width % 8:
        raise BadOption(f"--width is {options.width}.", hint="Give a multiple of 8.")


def _held_out(tokenizer: Any, corpus: Corpus, seed: int) -> dict[str, list[Encoded]]:
    """Pairs never seen, their sources to be copied, and random tokens to be copied."""
    rng = random.Random(seed)
    return {
        "pairs": encode(tokenizer, corpus.held_out),
        "copies": encode(tokenizer, [Pair(pair.source, pair.source) for pair in corpus.held_out]),
        "random copies": [scrambled(tokenizer.get_vocab_size(), rng) for _ in range(100)],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, gather the data, train, say what was seen."""
    options = _parser().parse_args(arguments)
    _check(options)
    options.out.mkdir(parents=True, exist_ok=True)
    print(f"seed {options.seed}")
    corpus = gather(
        data_folder(options.data),
        options.out / "synthetic.jsonl",
        limit=options.sentences,
        minutes=options.synthetic_minutes,
        seed=options.seed,
    )
    trainer = _trainer(corpus, options)
    print(million(parameters_of(trainer.model)), flush=True)
    if options.resume:
        trainer.load()
    trainer.run()


def _tokenizer(corpus: Corpus, options: argparse.Namespace) -> Any:
    """A new vocabulary, or the one that the stored model has learnt with."""
    stored = options.out / "tokenizer.json"
    if options.resume and stored.is_file():
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(stored))
    paired = (text for pairs in corpus.pairs.values() for pair in pairs for text in (pair.source, pair.target))
    return train_tokenizer(itertools.chain(corpus.sentences, paired), options.vocabulary)


def _trainer(corpus: Corpus, options: argparse.Namespace) -> Trainer:
    import torch

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    tokenizer = _tokenizer(corpus, options)
    return Trainer(
        model=new_model(tokenizer.get_vocab_size(), layers=options.layers, width=options.width),
        tokenizer=tokenizer,
        draw=Mixture(corpus, tokenizer, options.seed).draw,
        held_out=_held_out(tokenizer, corpus, options.seed),
        folder=options.out,
        seconds=60 * options.minutes,
    )


if __name__ == "__main__":
    main()
