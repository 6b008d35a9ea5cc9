"""The reference engine: any causal or encoder-decoder model that transformers runs, on processor or GPU.

Each source is drawn for by itself, with random numbers seeded by the seed and the source, so a draw depends on these
and the model alone. What a checkpoint itself says of sampling (beams, penalties, temperatures) is set aside.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rerank.checkpoint import first_line, libraries, load_tokenizer, quietly, resolve
from rerank.workers import cores
from rewrite.engines.base import Drawn, ModelInfo, ModelInput, Sample, room_error
from rewrite.engines.hf_model import Loaded, draw_samples, prepare, seeded
from rewrite.engines.model_folder import load_model, model_info
from rewrite.engines.registry import MOST_THREADS, read_settings
from rewrite.errors import BadModel, BadOption, RewriteError
from rewrite.generators.base import Sampling

_ROWS_CPU = 64
_ROWS_GPU = 512


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
        with _explained(), seeded(f"{sampling.seed}\n{model_input.content}", loaded.model.device):
            while len(samples) < wanted:
                rows = min(self._batch_rows, wanted - len(samples))
                samples += draw_samples(loaded, tokens, limit, rows, sampling)
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
                self._model = prepare(model.to(self._device), load_tokenizer(info.folder), info)
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
