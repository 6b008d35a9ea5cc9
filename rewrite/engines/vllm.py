"""vLLM within this process: the fastest way to draw many texts on a GPU, and no server to run; it suits batches.

What an input draws follows from the input and the seed, up to the rounding of sums: vLLM computes inputs together as
they come, and where two tokens are as good as equally probable another company may tip the scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample, room_error
from rewrite.engines.checkpoint import libraries, load_tokenizer, model_info, quietly, resolve, token_ids
from rewrite.engines.hf_text import ModelText
from rewrite.engines.openai_wire import request_seed
from rewrite.engines.registry import read_settings
from rewrite.engines.vllm_process import RunningModel, library, require_installed, start
from rewrite.errors import BadModel, RewriteError
from rewrite.generators.base import Sampling

__all__ = ["Settings", "VLLMEngine", "create", "sampling_options"]


class Settings(BaseModel):
    """What may be set with `-e NAME=VALUE`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dtype: Literal["auto", "bfloat16", "float16", "float32"] = Field(
        default="auto",
        description="Numbers of the weights; auto is what vLLM finds best for the model and the machine.",
    )
    max_model_len: int | None = Field(
        default=None, ge=1, description="Tokens of a prompt and its answer, at most; else as many as the model has."
    )
    gpu_memory_utilization: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="Part of the memory to take; else nine tenths of a GPU's, without one 4 GB beside the weights.",
    )
    tensor_parallel_size: int = Field(default=1, ge=1, description="GPUs that share the model.")
    enforce_eager: bool = Field(default=False, description="Start sooner and run slower: compile nothing.")
    allow_pickle: bool = Field(default=False, description="Load weights from a pickle file, if there is no other.")


def create(target: str, options: Mapping[str, str]) -> VLLMEngine:
    """The engine for `vllm:TARGET`; see `Settings` for `options`."""
    return VLLMEngine(target, read_settings(Settings, "vllm", options))


@dataclass(frozen=True, slots=True)
class _Job:
    """One input as tokens, and vLLM's `SamplingParams` for it, by name."""

    tokens: list[int]
    options: Mapping[str, object]


class VLLMEngine:
    """Samples from a causal Hugging Face model: a folder, or a name on the hub.

    In a script, use it below `if __name__ == "__main__":`, for vLLM may run the script again in its own processes.
    """

    name = "vllm"

    def __init__(self, target: str, settings: Settings | None = None) -> None:
        self._target = target
        self._settings = settings or Settings()
        self._running: RunningModel | None = None

    @cached_property
    def info(self) -> ModelInfo:
        """Name, kind and folder of the model. Fetches it, if need be; loads no weights.

        Raises `BadModel` for an encoder-decoder model.
        """
        info = model_info(self._folder, self._target)
        if info.kind == "seq2seq":
            raise BadModel(
                f"{self._target}: vLLM runs no encoder-decoder models, such as this {info.model_type}.",
                hint="Run it with ct2: or hf: instead.",
            )
        return info

    def describe(self) -> Mapping[str, object]:
        """Model, numbers and version."""
        return {"model": Path(self._target).name, "dtype": self._settings.dtype, "vllm": library().__version__}

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """See `Engine.sample`. Whatever breaks it off, Ctrl-C too, ends vLLM; the next call loads the model again."""
        if not inputs:
            return []
        running = self._started()
        context = int(running.llm.llm_engine.model_config.max_model_len)
        with quietly():
            jobs = [_make_job(self._text, one, sampling, context) for one in inputs]
        drawn = iter(self._draw(running, [job for job in jobs if isinstance(job, _Job)], sampling))
        return [next(drawn) if isinstance(job, _Job) else job for job in jobs]

    def close(self) -> None:
        """End vLLM's processes, which frees the weights."""
        running, self._running = self._running, None
        if running is not None:
            running.stop()

    @cached_property
    def _folder(self) -> Path:
        require_installed()
        return resolve(self._target, allow_pickle=self._settings.allow_pickle)

    @cached_property
    def _text(self) -> ModelText:
        folder = self._folder
        with quietly():
            return ModelText(load_tokenizer(folder), seq2seq=False, ends=_declared_ends(folder), begin=None)

    def _started(self) -> RunningModel:
        if self._running is None:
            # What is wrong with the model's files is better said now than when vLLM, in its own time, comes to them.
            _ = self.info, self._text
            try:
                self._running = start(_model_options(self._folder, self._settings))
            except RewriteError:
                raise
            except Exception as error:  # of every kind, and often only the last of several
                raise BadModel(f"{self._folder}: vLLM cannot load it: {_reason(error)}.", hint=_HELP) from error
        return self._running

    def _draw(self, running: RunningModel, jobs: Sequence[_Job], sampling: Sampling) -> list[Drawn]:
        if not jobs:
            return []
        prompts = [{"prompt_token_ids": job.tokens} for job in jobs]
        try:
            params = [library().SamplingParams(**job.options) for job in jobs]
            answers = running.llm.generate(prompts, params, use_tqdm=False)
        except BaseException as error:
            # What it was about to draw would come with the next answers.
            self.close()
            if not isinstance(error, Exception):
                raise
            raise RewriteError(f"vLLM failed: {_reason(error)}.", hint=_HELP) from error
        return [_read(self._text, answer.outputs, sampling) for answer in answers]


def _declared_ends(folder: Path) -> list[int]:
    """The end tokens that the model's settings name, those of generation before those of the model."""
    _, transformers = libraries()
    name = str(folder)
    try:
        settings = [transformers.AutoConfig.from_pretrained(name, local_files_only=True, trust_remote_code=False)]
        if (folder / "generation_config.json").is_file():
            settings.insert(0, transformers.GenerationConfig.from_pretrained(name, local_files_only=True))
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder}: its settings cannot be read: {_reason(error)}.", hint="Download it again.") from None
    return token_ids(name, "eos_token_id", *settings)


_HELP = "What it said itself is above. To take less memory: -e max_model_len=N, or -e gpu_memory_utilization=F."


def _model_options(folder: Path, settings: Settings) -> dict[str, object]:
    """What `vllm.LLM` is given; what is not set is left to vLLM."""
    optional = {
        "max_model_len": settings.max_model_len,
        "gpu_memory_utilization": settings.gpu_memory_utilization,
    }
    return {
        "model": str(folder),
        "dtype": settings.dtype,
        "tensor_parallel_size": settings.tensor_parallel_size,
        "enforce_eager": settings.enforce_eager,
        "trust_remote_code": False,
        "load_format": "auto" if settings.allow_pickle else "safetensors",
        "logprobs_mode": "raw_logprobs",
        "use_tqdm_on_load": False,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _make_job(text: ModelText, one: ModelInput, sampling: Sampling, context: int) -> _Job | RewriteError:
    # As tokens, so that what was measured is what is run, and special tokens in a prompt get no company.
    tokens = text.encode(one)
    limit = sampling.limit(text.length(one.source))
    error = room_error(len(tokens), limit, context, seq2seq=False)
    if error is not None:
        return error
    ends, stops = text.split_stops(sampling.stop)
    seed = request_seed(sampling.seed, one, 0)
    return _Job(tokens, sampling_options(sampling, limit=limit, seed=seed, ends=ends, stops=stops))


def sampling_options(
    sampling: Sampling, *, limit: int, seed: int, ends: Iterable[int], stops: Sequence[str]
) -> dict[str, object]:
    """The fields of `vllm.SamplingParams`, those that are set: `limit` new tokens at most, until one of `ends`.

    Greedy decoding draws one text, which stands for all.
    """
    options: dict[str, object] = {
        "n": 1 if sampling.greedy else sampling.n,
        "temperature": 0.0 if sampling.greedy else sampling.temperature,
        "max_tokens": limit,
        # That of the token drawn, and of no others.
        "logprobs": 0,
        # The model's config names end tokens too, and not always its own: see `ModelText.ends`.
        "ignore_eos": True,
        "stop_token_ids": sorted(ends),
        # Only to look for stops in it; else the text is made of the tokens here, once and not at every step.
        "detokenize": bool(stops),
    }
    if not sampling.greedy:
        options["seed"] = seed
        if sampling.top_p < 1:
            options["top_p"] = sampling.top_p
        if sampling.top_k > 0:
            options["top_k"] = sampling.top_k
    if stops:
        options["stop"] = list(stops)
    return options


def _read(text: ModelText, outputs: Iterable[Any], sampling: Sampling) -> Drawn:
    samples = [_sample(text, output) for output in sorted(outputs, key=lambda output: int(output.index))]
    if not all(sample.logprob is None or math.isfinite(sample.logprob) for sample in samples):
        return RewriteError("The model's numbers overflow.", hint="Try -e dtype=float32.")
    return samples * sampling.n if sampling.greedy else samples


def _sample(text: ModelText, output: Any) -> Sample:
    stopped = output.finish_reason == "stop"
    if isinstance(output.stop_reason, str):
        # vLLM has cut the text before that string.
        content = str(output.text)
    else:
        tokens = list(output.token_ids)
        content = text.decode(tokens[:-1] if stopped else tokens)
    return Sample(
        content,
        logprob=output.cumulative_logprob,
        tokens=len(output.token_ids),
        least_logprob=_least(output),
        finish_reason="stop" if stopped else "length",
    )


def _least(output: Any) -> float | None:
    """The least log-probability of a drawn token; `None` where the library does not tell one for each."""
    places = output.logprobs or []
    found = [place[token].logprob for place, token in zip(places, output.token_ids, strict=False) if token in place]
    return min(found) if found and len(found) == len(output.token_ids) else None


def _reason(error: Exception) -> str:
    """The first sentence of what is often a page; its heading left out."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if "validation error" not in line and " " in line]
    line = (told or lines or [type(error).__name__])[0].removeprefix("Value error, ")
    return line.partition(" [type=")[0].partition(". ")[0].rstrip(".:")
