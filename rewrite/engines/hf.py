"""The reference engine: any causal or encoder-decoder model that transformers runs, on processor or GPU.

Each source is drawn for by itself, with random numbers seeded by the seed and the source, so a draw depends on these
and the model alone. What a checkpoint itself says of sampling (beams, penalties, temperatures) is set aside.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rerank.checkpoint import first_line, libraries, load_tokenizer, quietly, resolve
from rerank.workers import cores
from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample, first_stop, room_error
from rewrite.engines.hf_text import ModelText
from rewrite.engines.model_folder import context_length, first_setting, load_model, model_info, token_ids
from rewrite.engines.registry import MOST_THREADS, read_settings
from rewrite.engines.tokens import Draft
from rewrite.errors import BadModel, BadOption, RewriteError
from rewrite.generators.base import Sampling

_ROWS_CPU = 64
_ROWS_GPU = 512
# The least temperature that leaves the logits of a step finite.
_COLDEST = 1e-6
# A stop string of so many bytes has as many tokens at most, and a few that stand for no text may lie among them.
_SLACK = 8


class Settings(BaseModel):
    """What may be set with `-e NAME=VALUE`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    device: str = Field(
        default="auto",
        pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$",
        description="Where the model runs: auto, cpu, cuda, mps.",
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="Numbers of the weights; auto is bfloat16 on a GPU that has it, else float32."
    )
    batch_rows: int = Field(default=0, ge=0, description="Texts drawn at once; 0 is 64, on a GPU 512.")
    threads: int = Field(
        default=0, ge=0, le=MOST_THREADS, description="Threads of the processor; 0 is one for each core."
    )
    allow_pickle: bool = Field(default=False, description="Load weights from a pickle file, if there is no other.")


def create(target: str, options: Mapping[str, str]) -> HFEngine:
    """The engine for `hf:TARGET`; see `Settings` for `options`."""
    return HFEngine(target, read_settings(Settings, "hf", options))


class HFEngine:
    """Samples from a Hugging Face model: a folder, or a name on the hub."""

    name = "hf"

    def __init__(self, target: str, settings: Settings | None = None) -> None:
        self._target = target
        self._settings = settings or Settings()
        self._model: Loaded | None = None

    @cached_property
    def info(self) -> ModelInfo:
        """Name, kind and folder of the model. Fetches it, if need be; loads no weights."""
        libraries()
        folder = resolve(self._target, allow_pickle=self._settings.allow_pickle)
        return model_info(folder, self._target)

    def describe(self) -> Mapping[str, object]:
        """Model, numbers and version."""
        torch, transformers = libraries()
        return {
            "model": Path(self._target).name,
            "dtype": self._dtype,
            "transformers": transformers.__version__,
            "torch": torch.__version__,
        }

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """See `Engine.sample`."""
        if not inputs:
            return []
        loaded = self._loaded()
        with quietly():
            return [self._draw(loaded, model_input, sampling) for model_input in inputs]

    def _draw(self, loaded: Loaded, model_input: ModelInput, sampling: Sampling) -> Drawn:
        tokens = loaded.text.encode(model_input)
        limit = sampling.limit(loaded.text.length(model_input.source))
        error = room_error(len(tokens), limit, loaded.context, seq2seq=bool(loaded.start))
        if error is not None:
            return error
        wanted = 1 if sampling.greedy else sampling.n
        samples: list[Sample] = []
        with _explained(), _seeded(f"{sampling.seed}\n{model_input.content}", loaded.model.device):
            while len(samples) < wanted:
                rows = min(self._batch_rows, wanted - len(samples))
                samples += _draw_samples(loaded, tokens, limit, rows, sampling)
        return samples * sampling.n if sampling.greedy else samples

    def close(self) -> None:
        """Free the weights."""
        if self._model is None:
            return
        self._model = None
        if self._device.startswith("cuda"):
            libraries()[0].cuda.empty_cache()

    def _loaded(self) -> Loaded:
        if self._model is None:
            torch, _ = libraries()
            info = self.info
            if info.folder is None:
                raise BadModel(f"{info.name}: it has no folder.")
            torch.set_num_threads(self._settings.threads or cores())
            model = load_model(
                info.folder,
                seq2seq=info.kind == "seq2seq",
                dtype=getattr(torch, self._dtype),
                allow_pickle=self._settings.allow_pickle,
            )
            with _explained():
                self._model = _prepare(model.to(self._device), load_tokenizer(info.folder), info)
        return self._model

    @cached_property
    def _device(self) -> str:
        torch, _ = libraries()
        there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
        wanted = self._settings.device
        if wanted == "auto":
            return next(device for device in there if there[device])
        if not there[wanted.partition(":")[0]]:
            raise BadOption(f"Engine hf: setting 'device' got {wanted!r}: torch finds none.", hint="Use device=cpu.")
        return wanted

    @cached_property
    def _dtype(self) -> str:
        if self._settings.dtype != "auto":
            return self._settings.dtype
        fast = self._device.startswith("cuda") and libraries()[0].cuda.is_bf16_supported()
        return "bfloat16" if fast else "float32"

    @property
    def _batch_rows(self) -> int:
        return self._settings.batch_rows or (_ROWS_CPU if self._device == "cpu" else _ROWS_GPU)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory. `start` is what its decoder begins with; empty for a causal model."""

    model: Any
    text: ModelText
    start: tuple[int, ...]
    suppressed: Any
    context: int


def _prepare(model: Any, tokenizer: Any, info: ModelInfo) -> Loaded:
    """Takes from the checkpoint's settings of generation what the architecture needs, and drops the others."""
    torch, transformers = libraries()
    config, generation = model.config, model.generation_config
    model.generation_config = transformers.GenerationConfig()
    text = ModelText(
        tokenizer,
        seq2seq=info.kind == "seq2seq",
        ends=token_ids(info.name, "eos_token_id", generation, config),
        begin=first_setting("bos_token_id", tokenizer, generation, config),
    )
    start: list[int] = []
    if info.kind == "seq2seq":
        start = token_ids(info.name, "decoder_start_token_id", generation, config)
        if not start:
            raise BadModel(f"{info.name}: its config has no decoder_start_token_id.")
        start += token_ids(info.name, "forced_bos_token_id", generation, config)
    bad = first_setting("bad_words_ids", generation, config) or []
    ruled_out = first_setting("suppress_tokens", generation, config) or []
    banned = {word[0] for word in bad if len(word) == 1} | set(ruled_out)
    head = model.get_output_embeddings()
    size = config.get_text_config().vocab_size if head is None else head.weight.shape[0]
    suppressed = [i for i in range(size) if i in banned or i not in text.known]
    return Loaded(
        model=model,
        text=text,
        start=tuple(start),
        suppressed=torch.tensor(suppressed, dtype=torch.long, device=model.device),
        context=context_length(config, tokenizer),
    )


@contextlib.contextmanager
def _seeded(key: str, device: Any) -> Iterator[None]:
    """Random numbers that follow from `key`; torch's own go on afterwards as if nothing had been drawn."""
    torch, _ = libraries()
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(int.from_bytes(hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "little"))
        yield


def _draw_samples(loaded: Loaded, tokens: Sequence[int], limit: int, rows: int, sampling: Sampling) -> list[Sample]:
    """So many samples for one prompt, of `limit` tokens at most."""
    torch, transformers = libraries()
    device = loaded.model.device
    ends, stops = loaded.text.split_stops(sampling.stop)
    prompt = torch.tensor([tokens], device=device)
    inputs = {"input_ids": prompt, "attention_mask": torch.ones_like(prompt)}
    if loaded.start:
        inputs["decoder_input_ids"] = torch.tensor([loaded.start], device=device)
    settings = transformers.GenerationConfig(
        max_new_tokens=limit,
        num_beams=1,
        num_return_sequences=rows,
        eos_token_id=sorted(ends) or None,
        pad_token_id=loaded.text.pad,
        bos_token_id=loaded.text.begin,
        decoder_start_token_id=loaded.start[0] if loaded.start else None,
        do_sample=not sampling.greedy,
        temperature=None if sampling.greedy else max(sampling.temperature, _COLDEST),
        top_k=None if sampling.greedy else sampling.top_k,
        top_p=None if sampling.greedy else sampling.top_p,
    )
    skipped = len(loaded.start) or len(tokens)
    figures = _Figures(loaded.suppressed)
    criteria = [_StopStrings(loaded.text, skipped, stops)] if stops else []
    with torch.inference_mode():
        generated = loaded.model.generate(
            **inputs,
            generation_config=settings,
            logits_processor=transformers.LogitsProcessorList([figures]),
            stopping_criteria=transformers.StoppingCriteriaList(criteria),
        )
    drawn = zip(generated[:, skipped:].tolist(), figures.logprobs(generated), strict=True)
    return [_sample(loaded.text, row, logprobs, ends, stops) for row, logprobs in drawn]


class _Figures:
    """A logits processor that rules out `suppressed` tokens, and keeps the log-probability of each token drawn.

    That is the one at temperature 1 among all that may be drawn: transformers applies temperature, top-k and top-p
    after the processors that it is given.
    """

    def __init__(self, suppressed: Any) -> None:
        self._suppressed = suppressed
        self._last: Any = None
        self._drawn: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        self._note(input_ids)
        allowed = scores.float().index_fill(-1, self._suppressed, -math.inf)
        if allowed.isnan().any():
            raise RewriteError("The model's numbers overflow.", hint="Try -e dtype=float32.")
        self._last = allowed.log_softmax(dim=-1)
        return allowed

    def _note(self, input_ids: Any) -> None:
        if self._last is not None:
            self._drawn.append(self._last.gather(-1, input_ids[:, -1:]))

    def logprobs(self, input_ids: Any) -> list[list[float]]:
        """By row and step, given all tokens."""
        self._note(input_ids)
        rows: list[list[float]] = libraries()[0].cat(self._drawn, dim=-1).tolist()
        return rows


class _StopStrings:
    """A stopping criterion: a row is over once its text, after the first `skipped` tokens, has a stop string."""

    def __init__(self, text: ModelText, skipped: int, stops: Sequence[str]) -> None:
        self._text = text
        self._skipped = skipped
        self._stops = stops
        self._window = max(len(stop.encode()) for stop in stops) + _SLACK

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        tails = input_ids[:, self._skipped :][:, -self._window :].tolist()
        over = [first_stop(self._text.decode(tail), self._stops) is not None for tail in tails]
        return libraries()[0].tensor(over, device=input_ids.device)


def _sample(
    text: ModelText, tokens: Sequence[int], logprobs: Sequence[float], ends: Collection[int], stops: Sequence[str]
) -> Sample:
    """The sample of a row: up to its end token, to the token that completed a stop string, or to its limit."""
    draft = Draft(text, ends, stops, len(tokens))
    for token, logprob in zip(tokens, logprobs, strict=True):
        if draft.add(token, logprob):
            break
    return draft.sample()


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Turns what torch says of a failed computation into an error with a way out."""
    try:
        yield
    except (RuntimeError, IndexError, ValueError) as error:
        reason = first_line(error)
        if "memory" in reason.lower():
            raise RewriteError(f"Out of memory: {reason}.", hint="Try a smaller -e batch_rows=N.") from error
        raise RewriteError(f"The model failed: {reason}.", hint="Try -e device=cpu -e dtype=float32.") from error
