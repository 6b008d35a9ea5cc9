"""A Hugging Face model in memory: draws samples for a batch of inputs, and scores texts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rewrite.engines.base import ModelInfo, ModelInput, Sample
from rewrite.engines.checkpoint import libraries, token_ids
from rewrite.engines.hf_text import ModelText
from rewrite.engines.positions import context_length
from rewrite.engines.sampler import RowEnds, TokenDrawer, uniforms
from rewrite.errors import BadModel, ContextTooLong, RewriteError
from rewrite.generators.base import Sampling

__all__ = [
    "Job",
    "Loaded",
    "Pair",
    "answer_pairs",
    "batches",
    "draw",
    "make_job",
    "prepare",
    "score",
    "without_room",
]

# The tokens of a prompt, and those of an answer to it.
Pair = tuple[list[int], list[int]]


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
    error = _missing_room(loaded, len(tokens), limit)
    if error is not None:
        return error
    return Job(index, tokens, limit, "\n".join((one.text, *(f"{m.role}: {m.content}" for m in one.messages))))


def answer_pairs(loaded: Loaded, inputs: Sequence[ModelInput], texts: Sequence[str]) -> list[Pair]:
    """The tokens of each input and of the text as the answer to it."""
    text = loaded.text
    return [(text.encode(one), text.encode_answer(answer)) for one, answer in zip(inputs, texts, strict=True)]


def without_room(loaded: Loaded, pairs: Sequence[Pair]) -> dict[int, ContextTooLong]:
    """By index the pairs that the model has no positions for."""
    found = {i: _missing_room(loaded, len(prompt), len(answer)) for i, (prompt, answer) in enumerate(pairs)}
    return {i: error for i, error in found.items() if error is not None}


def _missing_room(loaded: Loaded, prompt: int, answer: int) -> ContextTooLong | None:
    """What there is to say unless the model has positions for so many tokens; an encoder has its own."""
    needed = max(prompt, answer) if loaded.start else prompt + answer
    return ContextTooLong(needed, loaded.context) if needed > loaded.context else None


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
    if not loaded.start:
        tokens, mask = _padded(loaded, [job.tokens for job in jobs], left=True)
        return {"input_ids": tokens, "attention_mask": mask}, tokens.shape[1]
    # Rows of one input share what the encoder makes of it.
    places = {index: place for place, index in enumerate(dict.fromkeys(job.index for job in jobs))}
    prompts = {job.index: job.tokens for job in jobs}
    tokens, mask = _padded(loaded, [prompts[index] for index in places], left=False)
    with torch.inference_mode():
        hidden = loaded.model.get_encoder()(input_ids=tokens, attention_mask=mask).last_hidden_state
    rows = torch.tensor([places[job.index] for job in jobs], device=loaded.model.device)
    return {
        "encoder_outputs": transformers.modeling_outputs.BaseModelOutput(last_hidden_state=hidden[rows]),
        "attention_mask": mask[rows],
        "decoder_input_ids": torch.tensor([loaded.start] * len(jobs), device=loaded.model.device),
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
    # Padded on the right, where a causal decoder never looks.
    if loaded.start:
        tokens, mask = _padded(loaded, [prompt for prompt, _ in pairs], left=False)
        before = [list(loaded.start)] * len(pairs)
        written, _ = _padded(loaded, [[*loaded.start, *answer] for _, answer in pairs], left=False)
        inputs = {"input_ids": tokens, "attention_mask": mask, "decoder_input_ids": written}
    else:
        before = [prompt for prompt, _ in pairs]
        written, mask = _padded(loaded, [prompt + answer for prompt, answer in pairs], left=False)
        inputs = {"input_ids": written, "attention_mask": mask}
    with torch.inference_mode():
        logits = loaded.model(**inputs).logits[:, :-1].float()
        allowed = logits.index_fill_(-1, loaded.suppressed, -float("inf"))
        of_tokens = -torch.nn.functional.cross_entropy(allowed.transpose(1, 2), written[:, 1:], reduction="none").cpu()
    return [
        math.fsum(of_tokens[row, len(first) - 1 : len(first) - 1 + len(answer)].tolist())
        for row, (first, (_, answer)) in enumerate(zip(before, pairs, strict=True))
    ]


def _padded(loaded: Loaded, rows: Sequence[list[int]], *, left: bool) -> tuple[Any, Any]:
    """Rows of tokens as one tensor with its attention mask."""
    torch, _ = libraries()
    width = max(len(row) for row in rows)
    gaps = [width - len(row) for row in rows]
    tokens = [
        [loaded.text.pad] * gap + row if left else row + [loaded.text.pad] * gap
        for row, gap in zip(rows, gaps, strict=True)
    ]
    mask = [
        [0] * gap + [1] * len(row) if left else [1] * len(row) + [0] * gap for row, gap in zip(rows, gaps, strict=True)
    ]
    return torch.tensor(tokens, device=loaded.model.device), torch.tensor(mask, device=loaded.model.device)


def _first(name: str, *places: Any) -> Any:
    return next((value for place in places if (value := getattr(place, name, None)) is not None), None)
