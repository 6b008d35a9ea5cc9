"""transformers' Trainer for batches that are ready: a batch is an item; and the judge of the model while it learns.

Checkpoints and the record of what is best are the Trainer's; the state that it ends with, `trainer_state.json` beside
the checkpoints, says that a run is over.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rerank.checkpoint import first_line, libraries, quietly
from rerank.workers import cores
from rewrite.errors import BadOption, RewriteError
from training.command import duration
from training.disk import explained, write_whole
from training.finetuning.learning import Learning
from training.heads.batches import LengthBatches

State = dict[str, Any]
"""What the Trainer tells of itself in `trainer_state.json`."""
Figures = Mapping[str, float]
"""What a model is worth on examples that it does not learn from, by name."""
Loss = Callable[[Any, dict[str, Any], Any], Any]
"""The loss of a model on a batch; the last argument is how many labels the update has, `None` where it has none."""
_FIGURE = "eval_loss"
_STATE = "trainer_state.json"
_SCHEDULES = {
    "linear": "linear",
    "cosine": "cosine_with_min_lr",
    "constant": "constant_with_warmup",
    "hold": "warmup_stable_decay",
}


@dataclass(frozen=True)
class Judge:
    """Has the model measured on `batches` after `every` so many steps, and at the end; tells all figures.

    `loss` makes one of them, and the weights with the least are kept, of equal ones the first. A run stops after
    `patience` losses none of them better. `of` is what the examples are called.
    """

    measure: Callable[[Any, Any], Figures]
    batches: LengthBatches
    loss: Callable[[Figures], float]
    every: int
    patience: int | None = None
    of: str = "dev"

    def judge(self, model: Any, step: int) -> float:
        """The loss of the model after `step` updates."""
        figures = self.measure(model, self.batches)
        shown = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"{self.of} at step {step:,}: {shown}", flush=True)
        return self.loss(figures)


def best_checkpoint(folder: Path) -> tuple[Path, State]:
    """The checkpoint in `folder` that a judge found best, otherwise the last, and the state that the run ended with.

    Raises `OSError` where the run is not over.
    """
    state: State = json.loads((folder / _STATE).read_text(encoding="utf-8"))
    return folder / f"checkpoint-{kept_step(state)}", state


def kept_step(state: State) -> int:
    """The step whose weights are kept."""
    return int(state["best_global_step"] or state["global_step"])


def judgements(state: State) -> dict[str, float]:
    """The judge's losses by step, as text for JSON."""
    return {str(entry["step"]): round(entry[_FIGURE], 4) for entry in state["log_history"] if _FIGURE in entry}


def losses(state: State) -> list[dict[str, float]]:
    """The mean losses that the run has told on its way, each with its `step`."""
    return [{"step": entry["step"], "loss": entry["loss"]} for entry in state["log_history"] if "loss" in entry]


def train(
    model: Any,
    batches: LengthBatches,
    options: Learning,
    *,
    seed: int,
    folder: Path,
    judge: Judge | None = None,
    loss: Loss | None = None,
) -> tuple[Path, State]:
    """Train `model`, going on from the last whole checkpoint in `folder`; a run that is over is left as it is.

    `loss` is what is made less; by default what the model itself says. Returns what `best_checkpoint` does. Raises
    `CannotWrite` where a checkpoint cannot be written, with all earlier ones whole; `RewriteError` where the loss is
    no number or memory does not suffice; `BadOption` for numbers that the machine cannot compute with.
    """
    torch, transformers = libraries()
    if not (folder / _STATE).is_file():
        checkpoint = _last_checkpoint(folder)
        if checkpoint is not None:
            print(f"goes on from step {int(checkpoint.rpartition('-')[2]):,}", flush=True)
        callbacks = [_progress()]
        if judge is not None and judge.patience is not None:
            callbacks.append(transformers.EarlyStoppingCallback(judge.patience))
        with quietly():
            trainer = _trainer_class(judge, loss)(
                model=model,
                args=_arguments(options, batches, seed, folder, judge),
                train_dataset=batches,
                eval_dataset=judge.batches if judge is not None else None,
                data_collator=_only,
                callbacks=callbacks,
            )
            trainer.remove_callback(transformers.PrinterCallback)
            try:
                trainer.train(resume_from_checkpoint=checkpoint)
            except torch.OutOfMemoryError as error:
                raise RewriteError(
                    f"Out of memory: {first_line(error)}.",
                    hint="Lower batch_tokens (and raise accumulate), or use lora.",
                ) from error
        if trainer.state.global_step < batches.updates:
            print(f"stops: nothing was better than step {trainer.state.best_global_step:,}", flush=True)
        with write_whole(folder / _STATE) as draft:
            trainer.state.save_to_json(str(draft))
    return best_checkpoint(folder)


def _is_whole(checkpoint: Path) -> bool:
    try:
        return bool(json.loads((checkpoint / _STATE).read_bytes()))
    except (OSError, ValueError):
        return False


def _last_checkpoint(folder: Path) -> str | None:
    """The last checkpoint, if any; halves that a killed run has left, without the state that is written last, go."""
    from transformers.trainer_utils import get_last_checkpoint

    for checkpoint in folder.glob("checkpoint-*"):
        if not _is_whole(checkpoint):
            shutil.rmtree(checkpoint, ignore_errors=True)
    last: str | None = get_last_checkpoint(str(folder)) if folder.is_dir() else None
    return last


def _arguments(options: Learning, batches: LengthBatches, seed: int, folder: Path, judge: Judge | None) -> Any:
    torch, transformers = libraries()
    torch.set_num_threads(options.threads or cores())
    judging: dict[str, Any] = {}
    if judge is not None:
        judging = {"eval_strategy": "steps", "eval_steps": judge.every, "metric_for_best_model": _FIGURE}
        judging |= {"greater_is_better": False, "restore_callback_states_from_checkpoint": True}
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
            save_total_limit=options.keep + (judge is not None),
            dataloader_pin_memory=torch.cuda.is_available(),
            remove_unused_columns=False,
            report_to=[],
            seed=seed,
            data_seed=seed,
            disable_tqdm=True,
            **judging,
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


def _trainer_class(judge: Judge | None, loss: Loss | None) -> Any:
    """The Trainer, with batches in their order, our judge and loss, and errors that say where a disk is full."""
    torch, transformers = libraries()
    trainer: Any = transformers.Trainer

    class InOrder(trainer):  # type: ignore[misc]
        control: Any

        def create_optimizer(self, *arguments: Any, **named: Any) -> Any:
            optimizer = super().create_optimizer(*arguments, **named)
            # A network on an encoder may say that its heads learn faster.
            rate = getattr(self.model, "heads_rate", 1.0)
            if rate != 1.0:
                encoder = {id(weights) for weights in self.model.encoder.parameters()}
                optimizer.param_groups[:] = _parted(optimizer.param_groups, encoder, rate)
            return optimizer

        def compute_loss(self, model: Any, inputs: Any, *arguments: Any, **named: Any) -> Any:
            if loss is None:
                return super().compute_loss(model, inputs, *arguments, **named)
            # Mixed precision is a wrapper of the model's `forward`, which is not called here.
            with self.accelerator.autocast():
                return loss(self.accelerator.unwrap_model(model), inputs, named.get("num_items_in_batch"))

        def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
            metrics = {_FIGURE: judge.judge(self.model, self.state.global_step)} if judge is not None else {}
            self.log(dict(metrics))
            self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
            return metrics

        def _determine_best_metric(self, *arguments: Any, **named: Any) -> bool:
            better: bool = super()._determine_best_metric(*arguments, **named)
            # Whatever `save_every` says: what is not saved cannot be kept.
            self.control.should_save |= better
            return better

        def _get_train_sampler(self, *_: Any) -> Any:
            return torch.utils.data.SequentialSampler(self.train_dataset)

        def _save_checkpoint(self, *arguments: Any, **named: Any) -> None:
            # Each library has its own error for a full disk.
            with explained(Path(self.args.output_dir), libraries=True):
                super()._save_checkpoint(*arguments, **named)

    return InOrder


def _parted(groups: Sequence[dict[str, Any]], encoder: Set[int], rate: float) -> list[dict[str, Any]]:
    """An optimizer's groups with weights outside of the encoder, told by its weights' ids, at `rate` times the rate."""
    parts = []
    for group in groups:
        for times, inside in ((1.0, True), (rate, False)):
            weights = [part for part in group["params"] if (id(part) in encoder) is inside]
            parts.append({**group, "params": weights, "lr": times * group["lr"]})
    return parts


def _progress() -> Any:
    """A callback that tells how it goes."""
    _, transformers = libraries()
    callback: Any = transformers.TrainerCallback

    class Progress(callback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.begun, self.first = time.monotonic(), state.global_step

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
            # Before a checkpoint the loss is looked at, so that none holds spoilt weights.
            control.should_log |= control.should_save or control.should_evaluate
            return control

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if "loss" not in logs:
                return
            step, steps = state.global_step, state.max_steps
            if not math.isfinite(logs["loss"]):
                raise RewriteError(
                    f"The loss is {logs['loss']} at step {step:,}: the weights are spoilt.",
                    hint="Lower learning_rate or clip, raise warmup, or take precision: fp32; then start with "
                    "--restart.",
                )
            left = (time.monotonic() - self.begun) / (step - self.first) * (steps - step)
            figures = f"loss {logs['loss']:.4f}, rate {logs.get('learning_rate', 0.0):.2e}, {duration(left)} left"
            print(f"step {step:,}/{steps:,} ({100 * step / steps:.1f} %), {figures}", flush=True)

    return Progress()
