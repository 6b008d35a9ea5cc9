"""CTranslate2: int8 models on a processor, several times as fast as the framework they were trained in; GPUs too.

Its random numbers are seeded once for each of its worker threads, at the thread's first draw, and no seed set later
changes them. So every source that is sampled gets a runner of its own, with a new thread and its own seed: then what a
source draws depends on it and on the seed alone. Greedy decoding draws nothing, so there sources go in batches.
"""

from __future__ import annotations

import contextlib
import re
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rerank.checkpoint import first_line
from rerank.workers import cores
from rewrite.engines.allocator import give_back_memory, keep_freed_memory
from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample, room_error
from rewrite.engines.ct2_files import ModelFiles, Pair
from rewrite.engines.registry import MOST_THREADS, read_settings
from rewrite.engines.tokens import Draft
from rewrite.errors import BadModel, BadOption, ContextTooLong, RewriteError
from rewrite.generators.base import Sampling

_BATCH = 32
# Above this a second copy of the weights, one for each source in flight, takes too much memory.
_LARGE = 1 << 29
# CTranslate2 takes a seed of 32 bits and reads 0 as none.
_SEEDS = (1 << 32) - 1
# Sources side by side, a thread for each, draw faster than all threads on one after the other; each has a copy of the
# weights.
_MOST_WORKERS = 4
# Tokens of scored texts that are read at once, padding counted: each has as many log-probabilities as the vocabulary.
_SCORED_TOKENS = 256
# Prompts of one source, such as with several control values, that one batch holds.
_MOST_TOGETHER = 8
# What the library says where a GPU, its driver or its libraries are missing or do not fit.
_OF_A_GPU = re.compile(r"cuda|cublas|cudnn", re.IGNORECASE)
_WITHOUT_GPU = "Use device=cpu."


class Settings(BaseModel):
    """What may be set with `-e NAME=VALUE`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    compute_type: Literal["int8", "int8_float16", "int8_bfloat16", "float16", "bfloat16", "float32"] = Field(
        default="int8", description="Numbers that the weights are converted to."
    )
    device: Literal["auto", "cpu", "cuda"] = Field(default="auto", description="Where the model runs.")
    threads: int = Field(default=0, ge=0, le=MOST_THREADS, description="Threads in all; 0 is one for each core.")
    workers: int = Field(
        default=0,
        ge=0,
        le=MOST_THREADS,
        description="Sources drawn at once, each with a copy of the weights; 0 chooses.",
    )
    allow_pickle: bool = Field(default=False, description="Convert weights from a pickle file, if there is no other.")


def create(target: str, options: Mapping[str, str]) -> CT2Engine:
    """The engine for `ct2:TARGET`; see `Settings` for `options`."""
    return CT2Engine(target, read_settings(Settings, "ct2", options))


@dataclass(frozen=True, slots=True)
class _Job:
    """One input as the model reads it: `tokens` for the encoder or to be continued, `limit` new tokens at most."""

    group: int | None
    tokens: list[str]
    limit: int
    key: str

    @property
    def seed(self) -> int:
        return 1 + zlib.crc32(self.key.encode()) % _SEEDS


class CT2Engine:
    """Samples from a CTranslate2 model: a converted folder, or a Hugging Face model that is converted once."""

    name = "ct2"

    def __init__(self, target: str, settings: Settings | None = None) -> None:
        self._target = target
        self._settings = settings or Settings()
        self._files = ModelFiles(
            target,
            quantization=self._settings.compute_type,
            allow_pickle=self._settings.allow_pickle,
        )
        self._greedy_runner: Any = None
        # Seeds are global in CTranslate2: held from the setting of one to its first use.
        self._seeding = threading.Lock()

    @property
    def folder(self) -> Path:
        """The folder of the converted model; converts it on first use."""
        return self._files.folder

    @property
    def info(self) -> ModelInfo:
        """Name, kind and folder of the model. Converts it, if need be."""
        return self._files.info

    def describe(self) -> Mapping[str, object]:
        """Model, numbers and version."""
        import ctranslate2

        return {
            **self._files.identity,
            "model": Path(self._target).name,
            "compute_type": self._settings.compute_type,
            "ctranslate2": ctranslate2.__version__,
        }

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """See `Engine.sample`."""
        jobs = [self._job(model_input, sampling) for model_input in inputs]
        results: list[Drawn] = [job if isinstance(job, RewriteError) else [] for job in jobs]
        ready = [(i, job) for i, job in enumerate(jobs) if isinstance(job, _Job)]
        groups = _grouped(ready)
        # Longest first: those that end last start first, and neighbours in a batch are of like length.
        groups.sort(key=lambda group: -max(len(job.tokens) for _, job in group))
        order = [index for group in groups for index, _ in group]
        ordered = [[job for _, job in group] for group in groups]
        drawn = (
            self._draw_greedily([job for group in ordered for job in group], sampling)
            if sampling.greedy
            else self._draw_at_random(ordered, sampling)
        )
        for index, samples in zip(order, drawn, strict=True):
            results[index] = samples
        return results

    def token_logprobs(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[list[tuple[str, float]]]:
        """For each text as the answer to its input its tokens, end token included, with log-probabilities (natural).

        An input with neither text nor messages makes that the probability of the text by itself. Raises
        `ContextTooLong` where one of them does not fit the model.
        """
        pairs = self._files.pairs(inputs, texts)
        for error in self._without_room(pairs).values():
            raise error
        runner, files = self._runner(self._all_threads), self._files
        options: dict[str, Any] = {"max_batch_size": _SCORED_TOKENS, "batch_type": "tokens"}
        with _explained():
            if files.is_seq2seq:
                targets = [[*files.card.forced_start, *answer] for _, answer in pairs]
                # By default what is longer is cut without a word.
                scored = runner.score_batch([prompt for prompt, _ in pairs], targets, max_input_length=0, **options)
                skipped = [len(files.card.forced_start)] * len(pairs)
            else:
                scored = runner.score_batch([prompt + answer for prompt, answer in pairs], **options)
                skipped = [len(prompt) - 1 for prompt, _ in pairs]  # the first token has no probability
        return [
            list(zip(answer, result.log_probs[skip : skip + len(answer)], strict=True))
            for result, skip, (_, answer) in zip(scored, skipped, pairs, strict=True)
        ]

    def too_long(self, inputs: Sequence[ModelInput], texts: Sequence[str]) -> dict[int, ContextTooLong]:
        """By index the texts that `token_logprobs` refuses: as answers to their inputs they do not fit the model."""
        return self._without_room(self._files.pairs(inputs, texts))

    def _without_room(self, pairs: Sequence[Pair]) -> dict[int, ContextTooLong]:
        errors = {i: self._room_error(len(prompt), len(answer)) for i, (prompt, answer) in enumerate(pairs)}
        return {i: error for i, error in errors.items() if error is not None}

    def _room_error(self, prompt: int, answer: int) -> ContextTooLong | None:
        return room_error(prompt, answer, self._files.card.context, seq2seq=self._files.is_seq2seq)

    def close(self) -> None:
        """Free the weights; they are read again when they are needed."""
        self._greedy_runner = None
        give_back_memory()

    def _job(self, model_input: ModelInput, sampling: Sampling) -> _Job | RewriteError:
        tokens = self._files.prompt(model_input)
        limit = sampling.limit(len(self._files.tokens.encode(model_input.source, special=False)))
        error = self._room_error(len(tokens), limit)
        return error or _Job(model_input.group, tokens, limit, f"{sampling.seed}\n{model_input.content}")

    def _draw_greedily(self, jobs: Sequence[_Job], sampling: Sampling) -> Iterator[list[Sample]]:
        runner = self._runner(self._all_threads)
        for start in range(0, len(jobs), _BATCH):
            batch = jobs[start : start + _BATCH]
            for (draft,) in self._decode(runner, batch, sampling, 1, threading.Event()):
                yield [draft.sample()] * sampling.n

    def _draw_at_random(self, groups: Sequence[Sequence[_Job]], sampling: Sampling) -> Iterator[list[Sample]]:
        workers = max(1, min(self._workers, len(groups)))
        threads = max(1, self._all_threads // workers)
        # Whoever stops reading (an error, Ctrl-C) cancels what has not begun, and ends what has.
        cancelled = threading.Event()
        with ThreadPoolExecutor(workers) as pool:
            tasks = [pool.submit(self._draw_group, group, sampling, threads, cancelled) for group in groups]
            try:
                for task in tasks:
                    yield from task.result()
            finally:
                cancelled.set()
                for task in tasks:
                    task.cancel()

    def _draw_group(
        self, group: Sequence[_Job], sampling: Sampling, threads: int, cancelled: threading.Event
    ) -> list[list[Sample]]:
        import ctranslate2

        runner = self._load(threads)
        with contextlib.ExitStack() as turn:
            turn.enter_context(self._seeding)
            ctranslate2.set_random_seed(group[0].seed)
            drawn = self._decode(runner, group, sampling, sampling.n, cancelled, turn)
        del runner
        give_back_memory()
        return [[draft.sample() for draft in drafts] for drafts in drawn]

    def _decode(
        self,
        runner: Any,
        batch: Sequence[_Job],
        sampling: Sampling,
        n: int,
        cancelled: threading.Event,
        turn: contextlib.ExitStack | None = None,
    ) -> list[list[Draft]]:
        """Drafts of each job, `n` each, as the library reports their tokens one by one; `turn` ends at the first."""
        card, tokens = self._files.card, self._files.tokens
        special = {s for s in sampling.stop if tokens.is_special(s)}
        stops = tuple(s for s in sampling.stop if s not in special)
        # The library itself stops at what is a token; the same string may also come within a longer one.
        ends = {*card.end, *special, *(s for s in stops if tokens.encode(s, special=False) == [s])}
        prefix = card.forced_start if self._files.is_seq2seq else ()
        drafts = [[Draft(tokens, ends, stops, job.limit, len(prefix)) for _ in range(n)] for job in batch]
        # The library's own thread lets go of `step` last: if the model hung on it, that thread would wait for itself.
        alone = len(batch) == 1

        def step(event: Any) -> bool:
            if turn:
                turn.close()  # the seed was read: another may set its own
            over = drafts[event.batch_id][event.hypothesis_id].add(event.token, event.log_prob)
            # In a batch of several the library would stop others as well; what comes too much is left out anyway.
            return (over and alone) or cancelled.is_set()

        self._generate(runner, batch, sampling, n, ends, prefix, step)
        return drafts

    def _generate(
        self,
        runner: Any,
        batch: Sequence[_Job],
        sampling: Sampling,
        n: int,
        ends: set[str],
        prefix: Sequence[str],
        step: Any,
    ) -> None:
        options: dict[str, Any] = {
            "beam_size": 1,
            "num_hypotheses": n,
            "sampling_topk": 1 if sampling.greedy else min(sampling.top_k, self._files.vocabulary_size),
            "sampling_topp": 1.0 if sampling.greedy else sampling.top_p,
            "sampling_temperature": 1.0 if sampling.greedy else sampling.temperature,
            "suppress_sequences": [[token] for token in self._files.card.suppress] or None,
            "end_token": sorted(ends) or None,
            "return_end_token": True,
            "return_scores": True,  # without it the callback gets no probabilities
            "callback": step,
        }
        limit = max(job.limit for job in batch)
        tokens = [job.tokens for job in batch]
        if self._files.is_seq2seq:
            options.update(target_prefix=[list(prefix)] * len(batch) if prefix else None, min_decoding_length=0)
            options.update(max_input_length=0)  # by default what is longer is cut without a word
            with _explained():
                runner.translate_batch(tokens, max_decoding_length=limit + len(prefix), **options)
            return
        with _explained():
            runner.generate_batch(tokens, max_length=limit, include_prompt_in_result=False, **options)

    def _runner(self, threads: int) -> Any:
        if self._greedy_runner is None:
            self._greedy_runner = self._load(threads)
        return self._greedy_runner

    def _load(self, threads: int) -> Any:
        import ctranslate2

        self._files.mark_used()
        keep_freed_memory()
        build = ctranslate2.Translator if self._files.is_seq2seq else ctranslate2.Generator
        try:
            return build(str(self.folder), device=self._settings.device, inter_threads=1, intra_threads=threads)
        except (RuntimeError, ValueError) as error:
            reason = first_line(error)
            if self._on_gpu and _OF_A_GPU.search(reason.replace(str(self.folder), "")):
                raise BadOption(
                    f"Engine ct2: setting 'device' got {self._settings.device!r}: {reason}.", hint=_WITHOUT_GPU
                ) from None
            raise BadModel(f"{self.folder}: CTranslate2 cannot load it: {reason}.", hint=self._files.mending) from None

    @property
    def _all_threads(self) -> int:
        return self._settings.threads or cores()

    @cached_property
    def _workers(self) -> int:
        if self._settings.workers:
            return self._settings.workers
        alone = self._is_large or self._on_gpu
        return 1 if alone else min(_MOST_WORKERS, self._all_threads)

    @cached_property
    def _is_large(self) -> bool:
        return (self.folder / "model.bin").stat().st_size > _LARGE

    @cached_property
    def _on_gpu(self) -> bool:
        import ctranslate2

        is_found = self._settings.device == "auto" and ctranslate2.get_cuda_device_count() > 0
        return is_found or self._settings.device == "cuda"


def _grouped(jobs: Sequence[tuple[int, _Job]]) -> list[list[tuple[int, _Job]]]:
    """Jobs in groups that are drawn together: those that follow one another, ask differently and are of one group."""
    groups: list[list[tuple[int, _Job]]] = []
    for index, job in jobs:
        last = groups[-1] if groups else []
        alike = bool(last) and last[0][1].group == job.group is not None and len(last) < _MOST_TOGETHER
        if alike and all(other.key != job.key for _, other in last):
            last.append((index, job))
        else:
            groups.append([(index, job)])
    return groups


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Turns what the library says of a failed computation into an error with a way out."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        reason = first_line(error)
        hint = _WITHOUT_GPU if _OF_A_GPU.search(reason) else "Try -e workers=1, or shorter texts."
        raise RewriteError(f"CTranslate2 failed: {reason}.", hint=hint) from error
