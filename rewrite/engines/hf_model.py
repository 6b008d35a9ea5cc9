"""A Hugging Face model in memory: draws samples for a batch of inputs, and scores texts.

The random numbers of a sample follow from the seed, its input and its number among the samples of that input. So what
is drawn does not change with the batch it is drawn in, nor with how many others are drawn, and torch's own generator
is left alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rerank.checkpoint import padded
from rewrite.engines.base import ModelInfo, ModelInput, Sample, first_stop, room_error
from rewrite.engines.checkpoint import context_length, libraries, token_ids
from rewrite.engines.hf_text import ModelText
from rewrite.errors import BadModel, ContextTooLong, RewriteError
from rewrite.generators.base import Sampling

__all__ = [
    "Job",
    "Loaded",
    "RowEnds",
    "TokenDrawer",
    "answer_pairs",
    "batches",
    "draw",
    "draw_tokens",
    "make_job",
    "prepare",
    "score",
    "uniforms",
    "without_room",
]

# The tokens of a prompt, and those of an answer to it.
Pair = tuple[list[int], list[int]]
# A stop string of so many bytes has as many tokens at most, and a few that stand for no text may lie among them.
_SLACK = 8
_COLDEST = 1e-6


@dataclass(frozen=True, slots=True)
class Job:
    """One input as the model reads it: its place, its tokens, `limit` new tokens at most, what seeds its draw."""

    index: int
    tokens: list[int]
    limit: int
    seeded_by: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory. `start` is what its decoder begins with; empty for a causal model."""

    model: Any
    text: ModelText
    start: tuple[int, ...]
    suppressed: Any
    context: int


def prepare(model: Any, tokenizer: Any, info: ModelInfo) -> Loaded:
    """Takes from the checkpoint's settings of generation what the architecture needs, and drops the others."""
    torch, transformers = libraries()
    config, generation = model.config, model.generation_config
    model.generation_config = transformers.GenerationConfig()
    text = ModelText(
        tokenizer,
        seq2seq=info.kind == "seq2seq",
        ends=token_ids(info.name, "eos_token_id", generation, config),
        begin=_first("bos_token_id", tokenizer, generation, config),
    )
    start: list[int] = []
    if info.kind == "seq2seq":
        start = token_ids(info.name, "decoder_start_token_id", generation, config)
        if not start:
            raise BadModel(f"{info.name}: its config has no decoder_start_token_id.")
        start += token_ids(info.name, "forced_bos_token_id", generation, config)
    bad = _first("bad_words_ids", generation, config) or []
    banned = {word[0] for word in bad if len(word) == 1} | set(_first("suppress_tokens", generation, config) or [])
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


def make_job(loaded: Loaded, index: int, one: ModelInput, sampling: Sampling) -> Job | RewriteError:
    """The job for the input at `index`, or `ContextTooLong` where it does not fit the model."""
    tokens = loaded.text.encode(one)
    limit = sampling.limit(loaded.text.length(one.source))
    error = room_error(len(tokens), limit, loaded.context, seq2seq=bool(loaded.start))
    return error or Job(index, tokens, limit, one.content)


def answer_pairs(loaded: Loaded, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[Pair]:
    """The tokens of each input and of the text as the answer to it."""
    text = loaded.text
    return [(text.encode(one), text.encode_answer(answer)) for one, answer in zip(inputs, texts, strict=True)]


def without_room(loaded: Loaded, pairs: Sequence[Pair]) -> dict[int, ContextTooLong]:
    """By index the pairs that the model has no positions for."""
    errors = {
        i: room_error(len(prompt), len(answer), loaded.context, seq2seq=bool(loaded.start))
        for i, (prompt, answer) in enumerate(pairs)
    }
    return {i: error for i, error in errors.items() if error is not None}


def batches(loaded: Loaded, rows: Sequence[tuple[Job, int]], size: int) -> Iterator[list[tuple[Job, int]]]:
    """`rows` in their order, in groups of `size` at most.

    A row that is over goes on, unread, until the last of its batch is: so the longest prompt with the longest answer
    of a batch must fit the model too.
    """
    batch: list[tuple[Job, int]] = []
    for row in rows:
        jobs = [job for job, _ in (*batch, row)]
        needed = max(len(job.tokens) for job in jobs) + max(job.limit for job in jobs)
        crowded = not loaded.start and needed > loaded.context
        if batch and (len(batch) == size or crowded):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def draw(loaded: Loaded, rows: Sequence[tuple[Job, int]], sampling: Sampling) -> list[Sample]:
    """One sample for each row: a job, and the number of the sample among those of the job."""
    torch, transformers = libraries()
    device = loaded.model.device
    inputs, prompt = _model_inputs(loaded, [job for job, _ in rows])
    ends, stops = loaded.text.split_stops(sampling.stop)
    steps = max(job.limit for job, _ in rows)
    numbers = np.stack([uniforms(sampling.seed, job.seeded_by, number, steps) for job, number in rows])
    drawer = TokenDrawer(torch.from_numpy(numbers).to(device), loaded.suppressed, sampling)
    limits = torch.tensor([job.limit for job, _ in rows], device=device)
    row_ends = RowEnds(loaded.text.tokenizer, prompt, limits, stops, ends)
    settings = transformers.GenerationConfig(
        max_new_tokens=steps,
        do_sample=False,
        num_beams=1,
        eos_token_id=sorted(ends) or None,
        pad_token_id=loaded.text.pad,
        bos_token_id=loaded.text.begin,
        decoder_start_token_id=loaded.start[0] if loaded.start else None,
    )
    with torch.inference_mode():
        found = loaded.model.generate(
            **inputs,
            generation_config=settings,
            logits_processor=transformers.LogitsProcessorList([drawer]),
            stopping_criteria=transformers.StoppingCriteriaList([row_ends]),
        )
    return [
        _make_sample(loaded.text, tokens[: job.limit], logprobs, ends, stops, row_ends.stopped.get(row))
        for row, ((job, _), tokens, logprobs) in enumerate(
            zip(rows, found[:, prompt:].tolist(), drawer.logprobs(), strict=True)
        )
    ]


def _model_inputs(loaded: Loaded, jobs: Sequence[Job]) -> tuple[dict[str, Any], int]:
    """What `generate` takes for these rows, and how many tokens of its result are not new."""
    torch, transformers = libraries()
    device = loaded.model.device
    if not loaded.start:
        tokens, mask = padded([job.tokens for job in jobs], loaded.text.pad, device, left=True)
        return {"input_ids": tokens, "attention_mask": mask}, tokens.shape[1]
    # Rows of one input share what the encoder makes of it.
    places = {index: place for place, index in enumerate(dict.fromkeys(job.index for job in jobs))}
    prompts = {job.index: job.tokens for job in jobs}
    tokens, mask = padded([prompts[index] for index in places], loaded.text.pad, device)
    with torch.inference_mode():
        hidden = loaded.model.get_encoder()(input_ids=tokens, attention_mask=mask).last_hidden_state
    rows = torch.tensor([places[job.index] for job in jobs], device=device)
    return {
        "encoder_outputs": transformers.modeling_outputs.BaseModelOutput(last_hidden_state=hidden[rows]),
        "attention_mask": mask[rows],
        "decoder_input_ids": torch.tensor([loaded.start] * len(jobs), device=device),
    }, len(loaded.start)


def _make_sample(
    text: ModelText,
    tokens: Sequence[int],
    logprobs: Sequence[float],
    ends: Collection[int],
    stops: Sequence[str],
    stopped: int | None,
) -> Sample:
    """The sample of a row: up to its end token, to the token that completed a stop string, or to its limit."""
    ended = next((place for place, token in enumerate(tokens) if token in ends), None)
    length, finish = len(tokens), "stop"
    if stopped is not None and stopped <= length:
        length, content = stopped, text.decode_before(tokens[:stopped], stops)
    elif ended is not None:
        length, content = ended + 1, text.decode(tokens[:ended])
    else:
        content, finish = text.decode(tokens), "length"
    total = math.fsum(logprobs[:length])
    if not math.isfinite(total):
        raise RewriteError("The model's numbers overflow.", hint="Try -e dtype=float32.")
    least = min(logprobs[:length], default=None)
    return Sample(content, logprob=total, tokens=length, least_logprob=least, finish_reason=finish)


def score(loaded: Loaded, pairs: Sequence[Pair]) -> list[float]:
    """The log-probability of each answer (its tokens) after its prompt, of all that may be drawn there."""
    torch, _ = libraries()
    device = loaded.model.device
    # Padded on the right, where a causal decoder never looks.
    if loaded.start:
        tokens, mask = padded([prompt for prompt, _ in pairs], loaded.text.pad, device)
        before = [list(loaded.start)] * len(pairs)
        written, _ = padded([[*loaded.start, *answer] for _, answer in pairs], loaded.text.pad, device)
        inputs = {"input_ids": tokens, "attention_mask": mask, "decoder_input_ids": written}
    else:
        before = [prompt for prompt, _ in pairs]
        written, mask = padded([prompt + answer for prompt, answer in pairs], loaded.text.pad, device)
        inputs = {"input_ids": written, "attention_mask": mask}
    with torch.inference_mode():
        logits = loaded.model(**inputs).logits[:, :-1].float()
        allowed = logits.index_fill_(-1, loaded.suppressed, -float("inf"))
        of_tokens = -torch.nn.functional.cross_entropy(allowed.transpose(1, 2), written[:, 1:], reduction="none").cpu()
    return [
        math.fsum(of_tokens[row, len(first) - 1 : len(first) - 1 + len(answer)].tolist())
        for row, (first, (_, answer)) in enumerate(zip(before, pairs, strict=True))
    ]


def _first(name: str, *places: Any) -> Any:
    return next((value for place in places if (value := getattr(place, name, None)) is not None), None)


def uniforms(seed: int, text: str, sample: int, count: int) -> npt.NDArray[np.float32]:
    """`count` numbers in [0, 1) for one sample of `text`; a greater `count` begins with the same numbers."""
    digest = hashlib.sha256(f"{seed}\n{sample}\n{text}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little"))).random(count, dtype=np.float32)


def draw_tokens(logits: Any, numbers: Any, sampling: Sampling) -> Any:
    """One token for each row of `logits` (`[rows, vocabulary]`), by its number in [0, 1); the most probable if greedy.

    Kept are the `top_k` most probable tokens; of these, at the temperature asked for, the smallest set that holds
    `top_p` of the probability; the number is a place in what that set holds, the most probable token first.
    """
    if sampling.greedy:
        return logits.argmax(dim=-1)
    size = min(sampling.top_k or logits.shape[-1], logits.shape[-1])
    values, tokens = logits.topk(size, dim=-1)
    # Less the greatest first, so that a temperature close to 0 gives it everything, not an overflow.
    probabilities = ((values - values[:, :1]) / max(sampling.temperature, _COLDEST)).softmax(dim=-1)
    cumulative = probabilities.cumsum(dim=-1)
    if sampling.top_p < 1:
        # A token is in where those before it do not hold enough.
        kept = 1 + (cumulative[:, :-1] < sampling.top_p).sum(dim=-1, keepdim=True)
    else:
        kept = cumulative.new_full((len(logits), 1), size).long()
    place = (cumulative <= numbers[:, None] * cumulative.gather(-1, kept - 1)).sum(dim=-1, keepdim=True)
    return tokens.gather(-1, place.minimum(kept - 1)).squeeze(-1)


class TokenDrawer:
    """A logits processor for transformers' greedy search: leaves it nothing but the token that was drawn.

    `numbers` has one row for each row of the batch and a column for each step; `suppressed` are numbers of tokens that
    are never drawn. Of each token drawn the log-probability is kept, at temperature 1, among all that may be drawn.
    """

    def __init__(self, numbers: Any, suppressed: Any, sampling: Sampling) -> None:
        self._numbers = numbers
        self._suppressed = suppressed
        self._sampling = sampling
        self._logprobs: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        logits = scores.float()
        allowed = logits.index_fill(-1, self._suppressed, -float("inf"))
        # A search may take one step more than it was told, and drop it.
        step = min(len(self._logprobs), self._numbers.shape[1] - 1)
        drawn = draw_tokens(allowed, self._numbers[:, step], self._sampling)[:, None]
        self._logprobs.append(allowed.gather(-1, drawn).squeeze(-1) - allowed.logsumexp(dim=-1))
        return allowed.fill_(-float("inf")).scatter_(-1, drawn, 0.0)

    def logprobs(self) -> list[list[float]]:
        """Natural logs, by row and step."""
        by_step = [step.tolist() for step in self._logprobs]
        return [list(row) for row in zip(*by_step, strict=True)]


class RowEnds:
    """A stopping criterion for transformers: a row is over at its own limit, or once its text has a stop string.

    The first `prompt` tokens of each row are not its own. `stopped` tells, for rows with a stop string, after how many
    tokens of their own it was complete.
    """

    def __init__(self, tokenizer: Any, prompt: int, limits: Any, stops: Sequence[str], ends: Collection[int]) -> None:
        self._tokenizer = tokenizer
        self._prompt = prompt
        self._limits = limits
        self._stops = tuple(stops)
        self._ends = ends
        self._window = max((len(stop.encode()) for stop in stops), default=0) + _SLACK
        self._over: set[int] = set()
        self.stopped: dict[int, int] = {}

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        length = input_ids.shape[1] - self._prompt
        done = self._limits <= length
        if self._stops:
            self._look_for_stops(input_ids[:, self._prompt :][:, -self._window :].tolist(), length)
            done[list(self.stopped)] = True
        return done

    def _look_for_stops(self, tails: list[list[int]], length: int) -> None:
        for row, tail in enumerate(tails):
            if row in self._over:
                continue
            if tail[-1] in self._ends:
                self._over.add(row)
            elif first_stop(self._tokenizer.decode(tail, clean_up_tokenization_spaces=False), self._stops) is not None:
                self._over.add(row)
                self.stopped[row] = length
