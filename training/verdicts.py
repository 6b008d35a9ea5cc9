"""Teach the base to say whether a reader would print a rewrite: the end token, or which fault he would find.

    rewrite models export base-en runs/base-en
    python -m training.verdicts verdict-en --base runs/base-en --data ../shared/data --out runs/verdict-en
    python -m training.adapter runs/verdict-en --recipe verdict-en --levels 15 --out rewrite/base/models/verdict-en
    python -m training.verdict_lines texts --data ../shared/data --out rewrite/models/texts_en.json
    python -m training.verdict_lines splits --data ../shared/data --out rewrite/models/splits_lm_en.json

It starts from the shipped adapter that writes in the language, which stays as it is, and teaches another one of the
upper layers. The model reads a source, the control digits of `rewrite.acceptance.verdict`, and a rewrite, and is to say
one of four tokens: the end, or that for not well formed, not factual, main point lost. The loss of an update is

    −(1/n) Σ_text Σ_v share(v) ln P(v | source, rewrite),

share(v) being the share of the readers' answers that are v; an answer that names several faults counts in equal parts.
It learns from all English texts that readers judged (`JUDGED`), and from what a reader made of a faulty one, which
passes. Texts of six sentences in a hundred, and of each sentence of `MEASURED`, only measure.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import libraries, quietly
from rerank.english.detokenising import detokenised
from rerank.errors import BadInput
from rerank.types import FloatArray
from rerank.workers import cores
from rewrite.acceptance.verdict import ASKED
from rewrite.base.package import ADAPTERS, VERDICTS
from rewrite.evaluate.resampling import area_under_curve
from training.command import command_line, run_to_the_end
from training.disk import write_folder, write_json
from training.finetuning.base import Base, find_base
from training.finetuning.saving import ADAPTER, adapted, copy_files
from training.packed import batch_of_shared
from training.places import Places
from training.recipe import Run, load_recipe
from training.records import packed_rows

_FOLDER = Path(__file__).parent
JUDGED = (
    *("split_judgements", "split_readings", "split_rule_readings"),
    *("text_judgements_en", "text_judgements_en_3", "text_judgements_en_hot", "text_judgements_en_splits"),
)
"""What is learnt from, files of this folder."""
MEASURED = ("split_judgements_2", "split_judge_readings", "english_readings", "whole_readings")
"""What never is."""
FAULTS = "wfp"
_HELD = 6
"""In a hundred."""
_LONGEST = 160
_MOST_TEXTS, _ROW_TOKENS, _BATCHES = 8, 1_600, 2
_WARMUP, _LEAST_RATE = 30, 0.03


@dataclass(frozen=True, slots=True)
class Judged:
    """A rewrite that readers judged; `shares` are those of their answers: passed, then each of `FAULTS`."""

    text: str
    shares: FloatArray
    file: str


@dataclass(frozen=True)
class Source:
    """A sentence in tokens with rewrites of it, each with the tokens that it is read as."""

    tokens: tuple[int, ...]
    texts: tuple[tuple[tuple[int, ...], Judged], ...]

    @property
    def size(self) -> int:
        """Tokens in all."""
        return len(self.tokens) + sum(len(tokens) for tokens, _ in self.texts)


def is_held(source: str) -> bool:
    """Whether texts of a sentence, detokenised, only measure, wherever they were judged."""
    return int(hashlib.md5(source.encode(), usedforsecurity=False).hexdigest(), 16) % 100 < _HELD


def judged_texts(places: Places) -> dict[str, list[Judged]]:
    """By sentence, detokenised, its rewrites that readers judged, each once with all answers."""
    answers: dict[str, dict[str, tuple[str, list[str]]]] = defaultdict(dict)
    for name in (*MEASURED, *JUDGED):
        for row in packed_rows(_FOLDER / f"{name}.jsonl.gz"):
            source = detokenised(row.get("source") or places.text(row["place"]))
            for text, faults in _answers(row):
                if text != source:
                    answers[source].setdefault(text, (name, []))[1].extend(faults)
    return {
        source: [Judged(text, _shares(faults), name) for text, (name, faults) in texts.items() if faults]
        for source, texts in answers.items()
    }


def _answers(row: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The texts of a row of any of the files, detokenised, and the faults that each reader found."""
    for judged in row.get("splits") or row.get("texts") or ([row] if "text" in row else []):
        faults = judged["faults"] if isinstance(judged["faults"], list) else [judged["faults"]]
        yield _one_line(judged["text"]), [letters for letters in faults if letters is not None]
        if judged.get("repair"):
            yield _one_line(judged["repair"]), [""]


def _one_line(text: str) -> str:
    return " ".join(map(detokenised, text.split("\n")))


def _shares(answers: Sequence[str]) -> FloatArray:
    shares = np.zeros(1 + len(FAULTS))
    for faults in answers:
        # `a`, not all kept or not clear, is a point lost; who found only that it is no simpler passes it.
        named = [FAULTS.index(letter) + 1 for letter in set(faults.replace("a", "p")) if letter in FAULTS] or [0]
        shares[named] += 1 / len(named)
    total: FloatArray = shares / shares.sum()
    return total


def spelt(base: Base, judged: Mapping[str, Sequence[Judged]]) -> tuple[list[Source], list[Source]]:
    """What is learnt from, at most eight texts of a sentence together, and what only measures."""
    learnt: list[Source] = []
    measured: list[Source] = []
    end = base.tokenizer.eos_token_id
    for source, texts in judged.items():
        asked = tuple(_tokens(base, f"{source}\n{ASKED.text}\n", begin=True))
        read = [((*_tokens(base, text.text), end), text) for text in texts]
        read = [(tokens, text) for tokens, text in read if len(tokens) < _LONGEST]
        if not read or len(asked) > _LONGEST:
            continue
        if is_held(source) or any(text.file in MEASURED for text in texts):
            measured.append(Source(asked, tuple(read)))
        else:
            parts = (read[start : start + _MOST_TEXTS] for start in range(0, len(read), _MOST_TEXTS))
            learnt += [Source(asked, tuple(part)) for part in parts]
    return learnt, measured


def _tokens(base: Base, text: str, *, begin: bool = False) -> list[int]:
    tokens: list[int] = base.tokenizer(text, add_special_tokens=False)["input_ids"]
    return [base.tokenizer.bos_token_id, *tokens] if begin else tokens


def batches(sources: Sequence[Source], seed: int) -> list[list[Source]]:
    """All sources, those of like size together, so many that a batch holds `_ROW_TOKENS` with its padding."""
    order = random.Random(seed)
    shuffled = order.sample(sources, len(sources))
    made: list[list[Source]] = []
    for start in range(0, len(shuffled), 64):
        batch: list[Source] = []
        for source in sorted(shuffled[start : start + 64], key=lambda source: source.size):
            if batch and (len(batch) + 1) * source.size > _ROW_TOKENS:
                made.append(batch)
                batch = []
            batch.append(source)
        made.append(batch)
    order.shuffle(made)
    return made


class Learner:
    """The model with its adapter; `verdicts` are the tokens that it may say, passed first; `pad` fills rows up."""

    def __init__(self, model: Any, verdicts: Sequence[int], pad: int) -> None:
        self.torch, _ = libraries()
        self.model, self._verdicts, self._pad = model, list(verdicts), pad

    def logprobs(self, batch: Sequence[Source]) -> Any:
        """ln P of each verdict on each text of the sources in turn, `[n_texts, 4]`, among all tokens."""
        torch = self.torch
        runs = [(len(s.tokens), [(np.array(s.tokens), np.array(tokens)) for tokens, _ in s.texts]) for s in batch]
        tables = {name: torch.from_numpy(table) for name, table in batch_of_shared(runs, self._pad).items()}
        del tables["labels"]
        bare = self.model.get_base_model()
        hidden = bare.get_decoder()(**tables, use_cache=False).last_hidden_state
        rows = [row for row, source in enumerate(batch) for _ in source.texts]
        # What a text's end token is read from: the place before it.
        places = [
            len(source.tokens) + int(end) - 2
            for source in batch
            for end in np.cumsum([len(tokens) for tokens, _ in source.texts])
        ]
        said = bare.get_output_embeddings()(hidden[rows, places]).log_softmax(-1)
        return said[:, self._verdicts]

    def learn(self, sources: Sequence[Source], *, rate: float, seed: int) -> list[dict[str, float]]:
        """One epoch; returns the mean loss of each twentieth of it."""
        torch = self.torch
        weights = [part for part in self.model.parameters() if part.requires_grad]
        optimizer = torch.optim.AdamW(weights, lr=rate, weight_decay=0.0, betas=(0.9, 0.99))
        made = batches(sources, seed)
        updates = len(made) // _BATCHES
        progress: list[dict[str, float]] = []
        losses: list[float] = []
        begun = time.monotonic()
        self.model.train()
        for step in range(updates):
            falling = _LEAST_RATE + (1 - _LEAST_RATE) * (1 + math.cos(math.pi * step / updates)) / 2
            optimizer.param_groups[0]["lr"] = rate * min(1.0, (step + 1) / _WARMUP) * falling
            part = made[step * _BATCHES : (step + 1) * _BATCHES]
            texts = sum(len(source.texts) for batch in part for source in batch)
            losses.append(0.0)
            for batch in part:
                shares = torch.tensor(np.stack([text.shares for s in batch for _, text in s.texts])).float()
                loss = -(shares * self.logprobs(batch)).sum() / texts
                loss.backward()
                losses[-1] += float(loss.detach())
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            if (step + 1) % max(updates // 20, 1) == 0:
                progress.append({"step": step + 1, "loss": round(float(np.mean(losses)), 4)})
                losses = []
                print(f"{progress[-1]} of {updates}, {(time.monotonic() - begun) / 60:.0f} min", flush=True)
        return progress

    def measure(self, sources: Sequence[Source]) -> dict[str, dict[str, float]]:
        """By file, of how many texts its verdicts tell those that most readers passed with which AUC."""
        said: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.model.eval()
        with self.torch.inference_mode():
            for start in range(0, len(sources), 4):
                batch = sources[start : start + 4]
                texts = [text for source in batch for _, text in source.texts]
                for text, chance in zip(texts, self.logprobs(batch)[:, 0].tolist(), strict=True):
                    said[text.file].append((float(text.shares[0]), chance))
        figures: dict[str, dict[str, float]] = {}
        for file, rows in sorted(said.items()):
            passed, chances = np.array(rows).T
            auc = area_under_curve(chances[passed > 0.5], chances[passed < 0.5])
            figures[file] = {"texts": len(rows), "auc": round(auc, 3)}
        return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the options, learn, measure, write; returns the exit status."""
    parser = command_line("verdicts", __doc__)
    parser.add_argument("adapter", choices=sorted(VERDICTS), help="the recipe of its name")
    parser.add_argument("--base", type=Path, required=True, help="the base in its language, with torch's weights")
    parser.add_argument("--data", type=Path, required=True, help="data folder that the judged places are in")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    return run_to_the_end("verdicts", lambda: _teach(given))


def _teach(given: argparse.Namespace) -> None:
    recipe = load_recipe(given.adapter)
    if recipe.finetune is None or recipe.finetune.lora is None:
        raise BadInput(f"The recipe {given.adapter} has no finetune.lora.", hint="Name one that trains an adapter.")
    options = recipe.finetune.model_copy(update={"model": str(given.base)})
    torch, _ = libraries()
    torch.set_num_threads(options.threads or cores())
    with quietly():
        base = find_base(options, Run(recipe, given.out))
        model = base.load()
    state = model.state_dict()
    for name, layer in ADAPTERS[VERDICTS[given.adapter].over].read().items():
        state[name].copy_(torch.from_numpy(layer.added_to(state[name].numpy())))
    learnt, measured = spelt(base, judged_texts(Places(given.data)))
    print(
        f"{sum(len(s.texts) for s in learnt)} texts of {len(learnt)} sentences, {sum(s.size for s in learnt):,} tokens"
    )
    with quietly():
        model = adapted(model, recipe.finetune.lora, kind=base.kind, seed=recipe.seed)
    verdicts = [base.tokenizer.eos_token_id, *(_tokens(base, f" {letter}")[0] for letter in FAULTS)]
    learner = Learner(model, verdicts, base.pad)
    progress = learner.learn(learnt, rate=options.learning_rate, seed=recipe.seed)
    figures = learner.measure(measured)
    for file, measured_file in figures.items():
        print(f"{file}: {measured_file['texts']} texts, AUC {measured_file['auc']:.3f}")
    model.save_pretrained(given.out / "last")
    write_folder(given.out / "adapter", lambda folder: copy_files(given.out / "last", folder, ADAPTER))
    write_json(given.out / "figures.json", {"measured": figures, "progress": progress})


if __name__ == "__main__":
    sys.exit(main())
