"""Judging a model while it learns: by what sampling and reranking make of it, or by its loss on texts it never saw.

What judges of other models share is here, too: going over batches, and which figure is the best.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rewrite.datasets import Example
from rewrite.engines.registry import create_engine
from rewrite.prompting import Prompt
from training.disk import write_text
from training.finetuning.base import Base
from training.finetuning.epochs import Epochs
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.saving import merged, write_model
from training.finetuning.trainer import History

__all__ = ["Figures", "LeastIsBest", "LossJudge", "SariJudge", "measuring", "step_with_least"]


class EpochOfBatches(Protocol):
    """Batches of which the first so many are all examples once."""

    @property
    def batches_in_epoch(self) -> int: ...

    def __getitem__(self, number: int) -> dict[str, Any]: ...


class LeastIsBest:
    """For a judge whose figure is a loss, and that does not stop a run."""

    def best(self, history: History) -> int | None:
        """See `Judge.best`."""
        return step_with_least(history)

    def is_over(self, history: History) -> bool:
        """Never: the last steps, with the rate going down, gain most."""
        return False


def step_with_least(history: History) -> int | None:
    """The step with the least figure; `None` where there is none."""
    return min(history, key=lambda entry: entry[1])[0] if history else None


@contextlib.contextmanager
def measuring(model: Any, batches: EpochOfBatches) -> Iterator[Iterator[dict[str, Any]]]:
    """All batches of an epoch on the model's device, while it does not learn; it learns again afterwards."""
    import torch

    device = next(model.parameters()).device
    model.eval()
    with undisturbed(), torch.no_grad():
        yield (
            {name: table.to(device) for name, table in batches[number].items()}
            for number in range(batches.batches_in_epoch)
        )
    model.train()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Leaves random numbers and threads as they were, so that a judgement does not change what is learnt after it."""
    import torch

    threads, python, numpy = torch.get_num_threads(), random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            torch.set_num_threads(threads)
            random.setstate(python)
            np.random.set_state(numpy)


class Figures:
    """What figures say: which is the best, and when it is no use to go on."""

    def __init__(self, options: DevOptions) -> None:
        self.metric = options.metric
        self.every = options.every
        self._patience = options.patience
        self._sign = 1.0 if options.metric == "sari" else -1.0

    def best(self, history: History) -> int | None:
        """The step with the best figure, the first of equal ones."""
        return max(history, key=lambda one: (self._sign * one[1], -one[0]))[0] if history else None

    def is_over(self, history: History) -> bool:
        """Whether the last `patience` figures were no better than one before."""
        if self._patience is None or not history:
            return False
        best = self.best(history)
        return sum(step > (best or 0) for step, _ in history) >= self._patience


class SariJudge(Figures):
    """SARI, in [0, 100], of what the pipeline chooses among candidates that the model draws for `examples`.

    The model goes through `folder`, so that what is judged is what users will load. The texts are kept there too.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        options: FinetuneOptions,
        dev: DevOptions,
        base: Base,
        prompt: Prompt,
        *,
        folder: Path,
        seed: int,
    ) -> None:
        from rerank.analysis import Analyzer

        super().__init__(dev)
        self._examples = examples
        self._options = options
        self._dev = dev
        self._base = base
        self._prompt = prompt
        self._folder = folder
        self._seed = seed
        self._analyzer = Analyzer()

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        from rewrite.evaluate.sari import corpus_sari

        with undisturbed():
            self._write(model)
            outputs = self._rewrite([example.source for example in self._examples])
        sari = corpus_sari(
            [example.source for example in self._examples], outputs, [example.references for example in self._examples]
        ).sari
        self._keep(outputs, step)
        unchanged = sum(example.source == text for example, text in zip(self._examples, outputs, strict=True))
        print(f"dev at step {step:,}: SARI {sari:.2f}, {unchanged} of {len(outputs)} left as they are", flush=True)
        return float(sari)

    def _write(self, model: Any) -> None:
        def weights(folder: Path) -> None:
            if self._options.lora is None:
                model.save_pretrained(folder)
                return
            adapter = folder / "adapter"
            model.save_pretrained(adapter)
            merged(self._base.load(), adapter).save_pretrained(folder)

        write_model(self._folder / "model", weights, self._base.tokenizer, self._prompt)

    def _rewrite(self, sources: Sequence[str]) -> list[str]:
        from rewrite.generators.language_model import LanguageModelGenerator
        from rewrite.pipeline import Pipeline
        from rewrite.request import Options

        generator = LanguageModelGenerator(self._engine(), prompt=self._prompt)
        try:
            asked = Options(n=self._dev.n, preset=self._dev.preset, seed=self._seed)
            pipeline = Pipeline(asked, analyzer=self._analyzer, generator=generator)
            return [str(result) for result in pipeline.run(sources)]
        finally:
            generator.close()

    def _engine(self) -> Any:
        import torch

        folder, settings = self._folder / "model", {"threads": str(torch.get_num_threads())}
        if self._dev.engine == "ct2":
            from rewrite.engines.convert import convert

            convert(folder, folder / "int8", quantization="int8")
            return create_engine("ct2", str(folder / "int8"), settings)
        if self._options.device == "cpu":
            settings["device"] = "cpu"
        return create_engine("hf", str(folder), settings)

    def _keep(self, outputs: Sequence[str], step: int) -> None:
        rows = (f"{example.source}\t{text}\n" for example, text in zip(self._examples, outputs, strict=True))
        write_text(self._folder / f"step-{step}.tsv", "".join(rows))


class LossJudge(Figures):
    """Nats per token that the model gives the targets of `batches`, all of them once."""

    def __init__(self, batches: Epochs, dev: DevOptions) -> None:
        super().__init__(dev)
        self._batches = batches

    def judge(self, model: Any, step: int) -> float:
        """See `Judge.judge`."""
        total, count = 0.0, 0
        with measuring(model, self._batches) as batches:
            for batch in batches:
                # A causal model's first token is read and never written.
                labels = batch["labels"] if model.config.is_encoder_decoder else batch["labels"][:, 1:]
                tokens = int((labels >= 0).sum())
                total += float(model(**batch).loss) * tokens
                count += tokens
        loss = total / max(count, 1)
        print(f"dev at step {step:,}: loss {loss:.4f} of {count:,} tokens", flush=True)
        return loss
