"""Judging a model while it learns: by what sampling and reranking make of it, or by its loss on texts it never saw.

What judges of other models share is here, too: going over batches.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rewrite.datasets import Example
from rewrite.engines.registry import create_engine
from rewrite.prompting import Prompt
from training.disk import explained, write_text
from training.finetuning.base import Base
from training.finetuning.data import dev_pack
from training.finetuning.options import DevOptions, FinetuneOptions
from training.finetuning.saving import merged, write_model
from training.finetuning.trainer import Judge
from training.heads.batches import LengthBatches
from training.packed import Pack, PairBatches
from training.recipe import Run


def make_judge(
    options: FinetuneOptions, run: Run, base: Base, prompt: Prompt, examples: Sequence[Example], folder: Path
) -> LossJudge | SariJudge | None:
    """The judge that the recipe asks for, on `examples`; what it writes goes to `folder`."""
    dev, seed = options.dev, run.recipe.seed
    if dev is None:
        return None
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if dev.metric == "sari":
        return SariJudge(examples, options, dev, base, prompt, folder=folder, seed=seed)
    pack = dev_pack(options, dev, run, base, prompt, examples, folder / "pack")
    return LossJudge(pair_batches(options, base, [pack], [1.0], seed=seed), dev)


def pair_batches(
    options: FinetuneOptions, base: Base, packs: Sequence[Pack], repeats: Sequence[float], **settings: Any
) -> PairBatches:
    """Batches of pairs as the recipe has them; `settings` say how many there are."""
    return PairBatches(
        packs,
        repeats,
        tokens=options.batch_tokens,
        causal=base.kind == "causal",
        pad=base.pad,
        shared=options.share_sources,
        **settings,
    )


@contextlib.contextmanager
def measuring(model: Any, batches: LengthBatches) -> Iterator[Iterator[dict[str, Any]]]:
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


class SariJudge(Judge):
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

        super().__init__(dev.every, patience=dev.patience, highest=True)
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


class LossJudge(Judge):
    """Nats per token that the model gives the targets of `batches`, all of them once."""

    def __init__(self, batches: PairBatches, dev: DevOptions) -> None:
        super().__init__(dev.every, patience=dev.patience)
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
