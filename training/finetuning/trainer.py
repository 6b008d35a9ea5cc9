"""transformers' Trainer for batches that are ready: a batch is an item; its checkpoints, and the judge of the model.

A checkpoint is whole when its `trainer_state.json` can be read: the library writes that last.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from rerank.checkpoint import first_line, libraries, quietly
from rerank.workers import cores
from rewrite.errors import BadOption, CannotWrite, RewriteError
from training.command import duration
from training.disk import cannot_write, sync_folder
from training.finetuning.learning import Learning
from training.heads.batches import LengthBatches
from training.packed import IGNORED

State = dict[str, Any]
"""What the Trainer tells of itself in `trainer_state.json`."""
Figures = Mapping[str, float]
"""What a model is worth on examples that it does not learn from, by name."""
_FIGURE = "dev"
_STATE = "trainer_state.json"
_NAME = re.compile(r"checkpoint-(\d+)")
_SCHEDULES = {
    "linear": "linear",
    "cosine": "cosine_with_min_lr",
    "constant": "constant_with_warmup",
    "hold": "warmup_stable_decay",
}


class Judge:
    """Has the model measured after `every` so many steps, and at the end; tells all figures of examples `of` a kind.

    `loss` makes one of them, and the weights with the least are kept, of equal ones the first. A run stops after
    `patience` losses none of them better.
    """

    def __init__(
        self,
        measure: Callable[[Any], Figures],
        loss: Callable[[Figures], float],
        every: int,
        *,
        patience: int | None = None,
        of: str = "dev",
    ) -> None:
        self.every = every
        self._measure, self._loss, self._patience, self._of = measure, loss, patience, of

    def judge(self, model: Any, step: int) -> float:
        """The loss of the model after `step` updates."""
        figures = self._measure(model)
        shown = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"{self._of} at step {step:,}: {shown}", flush=True)
        return self._loss(figures)

    def best(self, history: Sequence[tuple[int, float]]) -> int:
        """The step with the least loss."""
        return min(history, key=lambda entry: (entry[1], entry[0]))[0]

    def is_over(self, history: Sequence[tuple[int, float]]) -> bool:
        """Whether it is no use to go on."""
        if self._patience is None or not history:
            return False
        best = self.best(history)
        return sum(step > best for step, _ in history) >= self._patience


class Meter:
    """Tokens and time from one line of progress to the next; `pause`s, for dev, do not count."""

    def __init__(self, batches: LengthBatches, accumulate: int) -> None:
        self._batches = batches
        self._accumulate = accumulate
        self.begin(0)

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
        figures = f"loss {logs['loss']:.4f}, rate {logs.get('learning_rate', 0.0):.2e}, {speed:,.0f} tokens/s"
        return f"step {step:,}/{steps:,} ({100 * step / steps:.1f} %), {figures}, {duration(left)} left"


def step_of(checkpoint: Path) -> int | None:
    """The step of the checkpoint in a folder of this name; `None` for another folder."""
    match = _NAME.fullmatch(checkpoint.name)
    return int(match[1]) if match else None


def find_checkpoints(folder: Path) -> dict[int, State]:
    """The states of the whole checkpoints in `folder`, by step, in order."""
    steps = sorted(step for path in folder.glob("checkpoint-*") if (step := step_of(path)) is not None)
    states = {step: _state(folder / f"checkpoint-{step}") for step in steps}
    return {step: state for step, state in states.items() if state is not None}


def _state(checkpoint: Path) -> State | None:
    try:
        state: State = json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return state


def _remove_halves(folder: Path) -> None:
    """Remove what was begun and not finished: it takes room that the user may need."""
    whole = find_checkpoints(folder)
    for path in folder.glob("checkpoint-*"):
        if step_of(path) not in whole:
            shutil.rmtree(path, ignore_errors=True)


def best_checkpoint(folder: Path) -> tuple[Path, State]:
    """The checkpoint in `folder` that a judge found best, otherwise the last, and the Trainer's state at the end.

    Raises `IndexError` where there is no whole one.
    """
    checkpoints = find_checkpoints(folder)
    last = [*checkpoints][-1]
    best = checkpoints[last].get("best_global_step")
    return folder / f"checkpoint-{best if best in checkpoints else last}", checkpoints[last]


def train(
    model: Any,
    batches: LengthBatches,
    options: Learning,
    *,
    seed: int,
    folder: Path,
    judge: Judge | None = None,
    targets_alone: bool = False,
) -> tuple[Path, State]:
    """Train `model`, going on from the last whole checkpoint in `folder`.

    With `targets_alone`, for causal models that learn from `labels`, logits are computed at the places of targets only.

    Returns what `best_checkpoint` does. Raises `CannotWrite` where a checkpoint cannot be written, with all earlier
    ones whole; `RewriteError` where the loss is no number.
    """
    _remove_halves(folder)
    checkpoints = find_checkpoints(folder)
    step = [*checkpoints][-1] if checkpoints else None
    over = step is not None and (step >= batches.updates or (judge and judge.is_over(_history(checkpoints[step]))))
    if not over:
        if step is not None:
            print(f"goes on from step {step:,}", flush=True)
        try:
            with quietly():
                trainer = _trainer(model, batches, options, seed, folder, judge, targets_alone)
                _run(trainer, folder / f"checkpoint-{step}" if step is not None else None)
        finally:
            _remove_halves(folder)
    return best_checkpoint(folder)


def _run(trainer: Any, checkpoint: Path | None) -> None:
    torch, _ = libraries()
    try:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint is not None else None)
    except torch.OutOfMemoryError as error:
        raise RewriteError(
            f"Out of memory: {first_line(error)}.", hint="Lower batch_tokens (and raise accumulate), or use lora."
        ) from error


def _trainer(
    model: Any,
    batches: LengthBatches,
    options: Learning,
    seed: int,
    folder: Path,
    judge: Judge | None,
    targets_alone: bool,
) -> Any:
    _, transformers = libraries()
    trainer = _trainer_class(targets_alone and _head_is_plain(model))(
        model=model,
        args=_arguments(options, batches, seed, folder, judged=judge is not None),
        train_dataset=batches,
        data_collator=_only,
        callbacks=[_watcher(options, batches, judge)],
    )
    trainer.remove_callback(transformers.PrinterCallback)
    return trainer


def _arguments(options: Learning, batches: LengthBatches, seed: int, folder: Path, *, judged: bool) -> Any:
    torch, transformers = libraries()
    torch.set_num_threads(options.threads or cores())
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
            optim=options.optim,
            logging_steps=options.log_every,
            # A loss that is no number is told, not hidden in a mean.
            logging_nan_inf_filter=False,
            save_steps=options.save_every,
            # The best one is kept beside them.
            save_total_limit=options.keep + judged,
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
            # A network on an encoder may say that its heads learn faster.
            rate = getattr(self.model, "heads_rate", 1.0)
            if rate != 1.0 and not made:
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

        def _save_rng_state(self, output_dir: str) -> None:
            # The last but the file that a whole checkpoint is told by, which must not be on the disk before the others.
            super()._save_rng_state(output_dir)
            sync_folder(Path(output_dir))

        def _save_checkpoint(self, *arguments: Any, **named: Any) -> None:
            folder = Path(self.args.output_dir)
            try:
                super()._save_checkpoint(*arguments, **named)
                sync_folder(folder / f"checkpoint-{self.state.global_step}")
            except Exception as error:  # each library has its own for a full disk
                raise _not_written(error, folder) from error

    return InOrder


def _head_is_plain(model: Any) -> bool:
    """Whether a causal model's logits are its last hidden states times its head, and nothing more."""
    scaled = ("final_logit_softcapping", "logit_scale", "logits_scaling")
    return not any(getattr(model.config, name, None) for name in scaled)


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
            weights = [part for part in group["params"] if (id(part) in encoder) is inside]
            parts.append({**group, "params": weights, "lr": times * group["lr"]})
    return parts


def _not_written(error: Exception, folder: Path) -> CannotWrite:
    whole = [*find_checkpoints(folder)]
    kept = f"the one of step {whole[-1]:,} is whole" if whole else "there is none yet"
    refusal = cannot_write(folder, error, what="a checkpoint", kept=kept)
    _remove_halves(folder)
    return refusal


def _watcher(options: Learning, batches: LengthBatches, judge: Judge | None) -> Any:
    """A callback that tells how it goes, and judges."""
    _, transformers = libraries()
    meter = Meter(batches, options.accumulate)
    callback: Any = transformers.TrainerCallback

    class Watcher(callback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            meter.begin(state.global_step)

        def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> Any:
            last = state.global_step >= state.max_steps
            if judge is not None and (state.global_step % judge.every == 0 or last):
                began = time.monotonic()
                _judge(judge, model, state, control)
                meter.pause(time.monotonic() - began)
            # Before a checkpoint the loss is looked at, so that none holds spoilt weights; and a run that goes on from
            # there tells the same means as one that was never stopped.
            control.should_log = control.should_log or control.should_save
            return control

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if logs and "loss" in logs:
                print(meter.report(state.global_step, state.max_steps, logs), flush=True)

    return Watcher()


def _judge(judge: Judge, model: Any, state: Any, control: Any) -> None:
    """Judge the model; what is better than all before is saved, and what grows no better is stopped."""
    figure = judge.judge(model, state.global_step)
    state.log_history.append({"step": state.global_step, _FIGURE: figure})
    history = _history(vars(state))
    state.best_global_step = judge.best(history)
    if judge.is_over(history):
        control.should_training_stop = True
        print(f"stops: nothing was better than step {state.best_global_step:,}", flush=True)
    if state.best_global_step == state.global_step or control.should_training_stop:
        control.should_save = True


def _history(state: State) -> list[tuple[int, float]]:
    return [(entry["step"], entry[_FIGURE]) for entry in state["log_history"] if _FIGURE in entry]
