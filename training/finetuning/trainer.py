"""transformers' Trainer for batches that are ready: a batch is an item, and checkpoints are whole or are not there."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from typing import Any, Protocol

from rewrite.engines.checkpoint import first_line, libraries, quietly
from rewrite.errors import BadOption, CannotWrite, RewriteError
from training.disk import cannot_write
from training.finetuning.checkpoints import find_checkpoints, mark_whole, remove_all_but, remove_halves, step_of
from training.finetuning.options import Learning
from training.packed import IGNORED
from training.sizes import duration

__all__ = ["Batches", "History", "Judge", "Meter", "best_checkpoint", "line", "train"]

# What is told of each judgement: the step and the figure.
History = list[tuple[int, float]]
_FIGURE = "dev"
_SCHEDULES = {
    "linear": "linear",
    "cosine": "cosine_with_min_lr",
    "constant": "constant_with_warmup",
    "hold": "warmup_stable_decay",
}


def line(step: int, steps: int, logs: dict[str, Any], speed: float, left: float) -> str:
    """One line of progress; `speed` in tokens a second, `left` in seconds."""
    share = f"{100 * step / steps:.1f} %"
    rate = f"{logs.get('learning_rate', 0.0):.2e}"
    figures = f"loss {logs['loss']:.4f}, rate {rate}, {speed:,.0f} tokens/s"
    return f"step {step:,}/{steps:,} ({share}), {figures}, {duration(left)} left"


class Batches(Protocol):
    """A dataset whose k-th item is the k-th batch of a run that has so many `updates`."""

    updates: int

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> dict[str, Any]: ...

    def tokens_in(self, first: int, end: int) -> int:
        """Tokens of the batches from number `first` to before `end`, padding left out."""
        ...


class Meter:
    """Tokens and time from one line to the next; `pause`s, for checkpoints and dev, do not count."""

    def __init__(self, batches: Batches, accumulate: int) -> None:
        self._batches = batches
        self._accumulate = accumulate
        self._begun = self._since = time.monotonic()
        self._first = self._last = 0

    def begin(self, step: int) -> None:
        """The run starts, or goes on, after `step` updates."""
        self._begun = self._since = time.monotonic()
        self._first = self._last = step

    def pause(self, seconds: float) -> None:
        """Leave so many seconds out of the speed."""
        self._since += seconds

    def report(self, step: int, steps: int, logs: dict[str, Any]) -> str:
        """The line for `step`. Raises `RewriteError` where the loss is no number."""
        if not math.isfinite(logs["loss"]):
            raise RewriteError(
                f"The loss is {logs['loss']} at step {step:,}: the weights are spoilt.",
                hint="Lower learning_rate or clip, raise warmup, or take precision: fp32; then start with --restart.",
            )
        now = time.monotonic()
        tokens = self._batches.tokens_in(self._last * self._accumulate, step * self._accumulate)
        speed = tokens / max(now - self._since, 1e-9)
        left = (now - self._begun) / max(step - self._first, 1) * (steps - step)
        self._since, self._last = now, step
        return line(step, steps, logs, speed, left)


class Judge(Protocol):
    """Judges the model now and then."""

    every: int

    def judge(self, model: Any, step: int) -> float:
        """The figure of the model after `step` updates."""
        ...

    def best(self, history: History) -> int | None:
        """The step with the best figure."""
        ...

    def is_over(self, history: History) -> bool:
        """Whether it is no use to go on."""
        ...


def train(
    model: Any,
    batches: Batches,
    options: Learning,
    *,
    seed: int,
    folder: Path,
    judge: Judge | None = None,
    targets_alone: bool = False,
) -> tuple[Path, dict[str, Any]]:
    """Train `model`, going on from the last whole checkpoint in `folder`.

    With `targets_alone`, for causal models that learn from `labels`, logits are computed at the places of targets only.

    Returns the checkpoint with the best weights (without a `judge` the last) and the Trainer's state at the end, as
    its own `trainer_state.json` has it. Raises `CannotWrite` where a checkpoint cannot be written, with all earlier
    ones whole; `RewriteError` where the loss is no number.
    """
    remove_halves(folder)
    checkpoints = find_checkpoints(folder)
    if not (checkpoints and _is_over(checkpoints[-1], batches.updates, judge)):
        try:
            _run(model, batches, options, seed, folder, judge, checkpoints[-1] if checkpoints else None, targets_alone)
        finally:
            remove_halves(folder)
    return best_checkpoint(folder, judge.best if judge else lambda history: None)


def best_checkpoint(folder: Path, best: Callable[[History], int | None]) -> tuple[Path, dict[str, Any]]:
    """The checkpoint in `folder` of the step that `best` names, otherwise the last, and the Trainer's state at the end.

    Raises `IndexError` where there is no whole one.
    """
    checkpoints = find_checkpoints(folder)
    state = _read_state(checkpoints[-1])
    step = best(_history(state))
    return next((path for path in checkpoints if step_of(path) == step), checkpoints[-1]), state


def _run(
    model: Any,
    batches: Batches,
    options: Learning,
    seed: int,
    folder: Path,
    judge: Judge | None,
    checkpoint: Path | None,
    targets_alone: bool,
) -> None:
    torch, transformers = libraries()
    if checkpoint is not None:
        print(f"goes on from step {step_of(checkpoint):,}", flush=True)
    with quietly():
        arguments = _arguments(options, batches, seed, folder)
        trainer = _trainer_class(targets_alone and _head_is_plain(model))(
            model=model,
            args=arguments,
            train_dataset=batches,
            data_collator=_only,
            callbacks=[_watcher(options, batches, judge)],
        )
        trainer.remove_callback(transformers.PrinterCallback)
        try:
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint is not None else None)
        except torch.OutOfMemoryError as error:
            raise RewriteError(
                f"Out of memory: {first_line(error)}.", hint="Lower batch_tokens (and raise accumulate), or use lora."
            ) from error


def _arguments(options: Learning, batches: Batches, seed: int, folder: Path) -> Any:
    torch, transformers = libraries()
    torch.set_num_threads(options.threads or _cores())
    try:
        arguments = transformers.TrainingArguments(
            output_dir=str(folder),
            max_steps=batches.updates,
            per_device_train_batch_size=1,
            gradient_accumulation_steps=options.accumulate,
            learning_rate=options.learning_rate,
            lr_scheduler_type=_SCHEDULES[options.schedule],
            lr_scheduler_kwargs=_schedule(options, batches.updates),
            warmup_steps=options.warmup_steps(batches.updates),
            weight_decay=options.weight_decay,
            adam_beta1=options.beta1,
            adam_beta2=options.beta2,
            max_grad_norm=options.clip,
            bf16=options.precision == "bf16",
            fp16=options.precision == "fp16",
            use_cpu=options.device == "cpu" or not torch.cuda.is_available(),
            optim="adamw_torch_fused",
            logging_steps=options.log_every,
            # A loss that is no number is told, not hidden in a mean.
            logging_nan_inf_filter=False,
            save_steps=options.save_every,
            dataloader_num_workers=0,
            dataloader_pin_memory=torch.cuda.is_available(),
            remove_unused_columns=False,
            report_to=[],
            seed=seed,
            data_seed=seed,
            disable_tqdm=True,
        )
    except ValueError as error:  # such as bf16 on a GPU that has none
        raise BadOption(f"The recipe does not suit this machine: {first_line(error)}.", hint="Try fp32.") from error
    if arguments.n_gpu > 1:
        # Several would each get a part of a batch, and a batch is one item here.
        arguments._n_gpu = 1
    return arguments


def _schedule(options: Learning, updates: int) -> dict[str, Any]:
    if options.schedule == "hold":
        falling = min(round(options.decay * updates), updates - options.warmup_steps(updates))
        return {"num_decay_steps": falling, "min_lr_ratio": options.floor}
    return {"min_lr_rate": options.floor} if options.schedule == "cosine" else {}


def _only(items: list[Any]) -> Any:
    """The one item, which is a batch already."""
    (item,) = items
    return item


def _trainer_class(targets_alone: bool) -> Any:
    """The Trainer, with batches in their order, and errors of writing that say what is left."""
    torch, transformers = libraries()

    trainer: Any = transformers.Trainer

    class InOrder(trainer):  # type: ignore[misc]
        def create_optimizer(self, *arguments: Any, **named: Any) -> Any:
            made = self.optimizer is not None
            optimizer = super().create_optimizer(*arguments, **named)
            if made:
                return optimizer
            # A network on an encoder may say that its heads learn faster.
            rate = getattr(self.model, "heads_rate", 1.0)
            if rate != 1.0:
                encoder = {id(weights) for weights in self.model.encoder.parameters()}
                optimizer.param_groups[:] = _parted(optimizer.param_groups, encoder, rate)
            return optimizer

        def compute_loss(
            self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
        ) -> Any:
            if return_outputs or not targets_alone:
                return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
            # Mixed precision is a wrapper of the model's `forward`, which is not called here.
            with self.accelerator.autocast():
                return _loss_of_targets(self.accelerator.unwrap_model(model), inputs, num_items_in_batch)

        def _get_train_sampler(self, *_: Any) -> Any:
            return torch.utils.data.SequentialSampler(self.train_dataset)

        def _save_checkpoint(self, *arguments: Any, **named: Any) -> None:
            try:
                super()._save_checkpoint(*arguments, **named)
            except Exception as error:  # each library has its own for a full disk
                raise _not_written(error, Path(self.args.output_dir)) from error

    return InOrder


def _head_is_plain(model: Any) -> bool:
    """Whether a causal model's logits are its last hidden states times its head, and nothing more."""
    config = model.config
    scaled = (getattr(config, name, None) for name in ("final_logit_softcapping", "logit_scale", "logits_scaling"))
    return not any(scaled)


def _loss_of_targets(model: Any, inputs: dict[str, Any], count: Any) -> Any:
    """The mean cross-entropy of the labels, with logits at their places alone: the vocabulary is the larger half."""
    torch, _ = libraries()
    inputs = dict(inputs)
    labels = inputs.pop("labels")[:, 1:]
    bare = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = bare.get_decoder()(**inputs, use_cache=False).last_hidden_state[:, :-1]
    learnt = labels != IGNORED
    logits = bare.get_output_embeddings()(hidden[learnt]).float()
    loss = torch.nn.functional.cross_entropy(logits, labels[learnt], reduction="sum")
    return loss / (count if count is not None else learnt.sum().clamp(min=1))


def _parted(groups: Sequence[dict[str, Any]], encoder: Set[int], rate: float) -> list[dict[str, Any]]:
    """An optimizer's groups with weights outside of the encoder, told by its weights' ids, at `rate` times the rate."""
    parts = []
    for group in groups:
        for times, inside in ((1.0, True), (rate, False)):
            weights = [one for one in group["params"] if (id(one) in encoder) is inside]
            parts.append({**group, "params": weights, "lr": times * group["lr"]})
    return parts


def _not_written(error: Exception, folder: Path) -> CannotWrite:
    last = find_checkpoints(folder)
    kept = f"the one of step {step_of(last[-1]):,} is whole" if last else "there is none yet"
    refusal = cannot_write(folder, error, what="a checkpoint", kept=kept)
    # The half that was written takes room that the user may need.
    remove_halves(folder)
    return refusal


def _watcher(options: Learning, batches: Batches, judge: Judge | None) -> Any:
    """A callback that tells, judges, and marks checkpoints."""
    _, transformers = libraries()
    meter = Meter(batches, options.accumulate)

    callback: Any = transformers.TrainerCallback

    class Watcher(callback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            meter.begin(state.global_step)

        def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> Any:
            last = state.global_step >= state.max_steps
            if judge is not None and (state.global_step % judge.every == 0 or last):
                _judge(judge, model, state, control, meter.pause)
            # Before a checkpoint the loss is looked at, so that none holds spoilt weights; and a run that goes on from
            # there tells the same means as one that was never stopped.
            control.should_log = control.should_log or control.should_save
            return control

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if logs and "loss" in logs:
                print(meter.report(state.global_step, state.max_steps, logs), flush=True)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            folder = Path(args.output_dir)
            began = time.monotonic()
            try:
                mark_whole(folder / f"checkpoint-{state.global_step}")
            except OSError as error:  # some disks say only now that they are full
                raise _not_written(error, folder) from error
            best = judge.best(_history(state)) if judge else None
            remove_all_but(folder, options.keep, [best] if best is not None else [])
            meter.pause(time.monotonic() - began)

    return Watcher()


def _judge(judge: Judge, model: Any, state: Any, control: Any, pause: Callable[[float], None]) -> None:
    """Judge the model; what is better than all before is saved, and what grows no better is stopped."""
    began = time.monotonic()
    figure = judge.judge(model, state.global_step)
    pause(time.monotonic() - began)
    state.log_history.append({"step": state.global_step, _FIGURE: figure})
    history = _history(state)
    if judge.is_over(history):
        control.should_training_stop = True
        print(f"stops: nothing was better than step {judge.best(history):,}", flush=True)
    if judge.best(history) == state.global_step or control.should_training_stop:
        control.should_save = True


def _history(state: Any) -> History:
    logs = state["log_history"] if isinstance(state, dict) else state.log_history
    return [(entry["step"], entry[_FIGURE]) for entry in logs if _FIGURE in entry]


def _read_state(checkpoint: Path) -> dict[str, Any]:
    import json

    state: dict[str, Any] = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    return state


def _is_over(checkpoint: Path, updates: int, judge: Judge | None) -> bool:
    state = _read_state(checkpoint)
    return bool(state["global_step"] >= updates or (judge and judge.is_over(_history(state))))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
