"""Teach the base to say whether a reader would print a rewrite: the end token, or which fault he would find.

    rewrite models export base-en runs/base-en
    python -m training.verdicts verdict-en --base runs/base-en --data ../shared/data --out runs/verdict-en
    python -m training.adapter runs/verdict-en --recipe verdict-en --levels 15 --out rewrite/base/models/verdict-en
    python -m training.verdict_lines texts --data ../shared/data --out rewrite/models/texts_en.json
    python -m training.verdict_lines splits --data ../shared/data --out rewrite/models/splits_lm_en.json

It starts from the shipped adapter that writes in the language, which stays as it is, and teaches another one of the
upper layers. The model reads a source, the control digits of `rewrite.acceptance.verdict`, and a rewrite, and is to say
one of four tokens: the end, or that for not well formed, not factual, main point lost. The loss of a batch is

    −(1/n) Σ_text Σ_v share(v) ln P(v | source, rewrite),

share(v) being the share of the readers' answers that are v; an answer that names several faults counts in equal parts.
It learns from all English texts that readers judged (`JUDGED`), and from what a reader made of a faulty one, which
passes. Texts of six sentences in a hundred, and of each sentence of `MEASURED`, only measure. A run that was stopped
goes on with the same command.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rerank.checkpoint import libraries, quietly
from rerank.english.detokenising import detokenised
from rerank.errors import BadInput
from rerank.types import FloatArray
from rewrite.acceptance.verdict import ASKED
from rewrite.base.package import ADAPTERS, VERDICTS
from rewrite.evaluate.resampling import area_under_curve
from training.command import command_line, run_to_the_end
from training.disk import claim, folder_lock, options_told, write_folder, write_json
from training.finetuning.base import FREE, Base, find_base
from training.finetuning.judging import measuring
from training.finetuning.saving import ADAPTER, adapted, copy_files, load_adapter
from training.finetuning.targets import logits_at
from training.finetuning.trainer import losses, train
from training.heads.batches import LengthBatches
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
_MOST_TEXTS = 8


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


class VerdictBatches(LengthBatches):
    """Sentences of like size, each with its texts in one row; `pad` fills rows up."""

    def __init__(self, sources: Sequence[Source], pad: int, **settings: Any) -> None:
        super().__init__(sources, [source.size for source in sources], **settings)
        self._pad = pad

    def __getitem__(self, number: int) -> dict[str, Any]:
        import torch

        sources: list[Source] = [self.examples[place] for place in self.indices(number)]
        runs = [(len(s.tokens), [(np.array(s.tokens), np.array(tokens)) for tokens, _ in s.texts]) for s in sources]
        tables = batch_of_shared(runs, self._pad)
        del tables["labels"]
        # What a text's end token is read from: the place before it.
        ends = [len(s.tokens) + np.cumsum([len(tokens) for tokens, _ in s.texts]) - 2 for s in sources]
        return {
            **tables,
            "rows": torch.arange(len(sources)).repeat_interleave(torch.tensor([len(s.texts) for s in sources])),
            "places": torch.from_numpy(np.concatenate(ends)),
            "shares": torch.tensor(np.stack([text.shares for text in self.texts(number)])).float(),
        }

    def texts(self, number: int) -> list[Judged]:
        """The texts of a batch, sentences in turn."""
        return [text for place in self.indices(number) for _, text in self.examples[place].texts]


def logprobs(model: Any, batch: Mapping[str, Any], verdicts: Sequence[int]) -> Any:
    """ln P of each of the tokens `verdicts` on each text of a batch, `[n_texts, 4]`, among all tokens."""
    inputs = {name: batch[name] for name in ("input_ids", "position_ids", "attention_mask")}
    return logits_at(model, inputs, (batch["rows"], batch["places"])).log_softmax(-1)[:, list(verdicts)]


def loss_of_verdicts(model: Any, batch: Mapping[str, Any], _: Any, *, verdicts: Sequence[int]) -> Any:
    """The mean over texts of the cross-entropy of what readers answered."""
    return -(batch["shares"] * logprobs(model, batch, verdicts)).sum(-1).mean()


def measure(model: Any, batches: VerdictBatches, verdicts: Sequence[int]) -> dict[str, dict[str, float]]:
    """By file, of how many texts its verdicts tell those that most readers passed with which AUC."""
    said: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with measuring(model, batches) as every:
        for number, batch in enumerate(every):
            chances = logprobs(model, batch, verdicts)[:, 0].tolist()
            for text, chance in zip(batches.texts(number), chances, strict=True):
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
    parser.add_argument("--restart", action="store_true", help="remove what an earlier run has left in OUT")
    given = parser.parse_args(arguments)

    def work() -> None:
        with folder_lock(given.out, ".verdicts.lock"):
            _teach(given)

    return run_to_the_end("verdicts", work)


def _teach(given: argparse.Namespace) -> None:
    recipe = load_recipe(given.adapter)
    if recipe.finetune is None or recipe.finetune.lora is None:
        raise BadInput(f"The recipe {given.adapter} has no finetune.lora.", hint="Name one that trains an adapter.")
    options, seed = recipe.finetune.model_copy(update={"model": str(given.base)}), recipe.seed
    torch, _ = libraries()
    with quietly():
        base = find_base(options, Run(recipe, given.out))
        model = base.load()
    state = model.state_dict()
    for name, layer in ADAPTERS[VERDICTS[given.adapter].over].read().items():
        state[name].copy_(torch.from_numpy(layer.added_to(state[name].numpy())))
    sources, others = spelt(base, judged_texts(Places(given.data)))
    make = partial(VerdictBatches, pad=base.pad, tokens=options.batch_tokens, seed=seed)
    learnt = make(sources, accumulate=options.accumulate, epochs=options.epochs or 1.0)
    texts, tokens = sum(len(s.texts) for s in sources), sum(s.size for s in sources)
    print(f"{texts} texts of {len(sources)} sentences, {tokens:,} tokens", flush=True)
    work = given.out / "verdicts"
    made_of = {"adapter": given.adapter, "seed": str(seed), "texts": str(texts), "tokens": str(tokens)}
    claim(work, made_of | options_told("finetune", options, free=FREE | {"model"}), restart=given.restart)
    with quietly():
        model = adapted(model, recipe.finetune.lora, kind=base.kind, seed=seed)
    verdicts = [base.tokenizer.eos_token_id, *(_tokens(base, f" {letter}")[0] for letter in FAULTS)]
    loss = partial(loss_of_verdicts, verdicts=verdicts)
    best, state = train(model, learnt, options, seed=seed, folder=work / "checkpoints", loss=loss)
    load_adapter(model, best)
    figures = measure(model, make(others), verdicts)
    for file, measured_file in figures.items():
        print(f"{file}: {measured_file['texts']} texts, AUC {measured_file['auc']:.3f}")
    write_folder(given.out / "adapter", lambda folder: copy_files(best, folder, ADAPTER))
    write_json(given.out / "figures.json", {"measured": figures, "progress": losses(state)})


if __name__ == "__main__":
    sys.exit(main())
