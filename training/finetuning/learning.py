"""The section `finetune` of a recipe: how the model learns."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from rewrite.declaration import Name, Section, Share
from training.pairs import BAD_ROWS, PairFile


class PairsFile(PairFile):
    """A file of pairs, and how much it counts. In a recipe a path alone will do."""

    repeat: Annotated[
        float,
        Field(gt=0, le=1000, description="How often an epoch holds each pair; 0.5 is half of them, others each epoch."),
    ] = 1.0


class LoraOptions(Section):
    """Low-rank adapters (Hu et al., 2021) instead of all weights; needs peft."""

    rank: Annotated[int, Field(ge=1, le=1024, description="Of each adapter.")] = 16
    alpha: Annotated[float, Field(gt=0, description="An adapter's output counts alpha / rank.")] = 32.0
    dropout: Annotated[float, Field(ge=0, lt=1, description="Of what an adapter reads.")] = 0.05
    targets: Annotated[
        tuple[str, ...] | None,
        Field(min_length=1, description="Names of the layers that get one; default: what peft knows for the model."),
    ] = None
    first_layer: Annotated[int, Field(ge=0, description="Layers below this one, counted from 0, get none.")] = 0
    start: Annotated[
        Name | None, Field(description="Folder of an adapter of the same rank and layers to go on from.")
    ] = None


class DevOptions(Section):
    """The pairs that the model is judged on while it learns; the weights with the least loss are kept."""

    path: Annotated[
        Name,
        Field(description="Sources with references, in any format of pairs."),
    ]
    sources: Annotated[int, Field(ge=1, description="So many of them, drawn with the recipe's seed.")] = 100
    every: Annotated[int, Field(ge=1, description="Steps from one judgement to the next.")] = 500
    patience: Annotated[
        int | None, Field(ge=1, description="Stop after so many judgements without a better one; default: never.")
    ] = None


class Learning(Section):
    """How weights are learnt, whatever of."""

    accumulate: Annotated[int, Field(ge=1, le=4096, description="Batches of one update.")] = 1
    learning_rate: Annotated[float, Field(gt=0, le=1, description="The highest.")] = 3e-4
    schedule: Annotated[
        Literal["linear", "cosine", "constant", "hold"],
        Field(description="How the rate goes down after the warmup; hold: stays, and falls in the share `decay`."),
    ] = "linear"
    warmup: Annotated[
        float, Field(ge=0, description="Steps in which the rate rises; below 1 a share of all steps.")
    ] = 0.03
    decay: Annotated[float, Field(gt=0, le=1, description="Share of the steps in which `hold` falls.")] = 0.25
    floor: Annotated[
        Share, Field(description="Where hold and cosine end, as a share of the rate; hold begins there, too.")
    ] = 0.0
    weight_decay: Annotated[float, Field(ge=0, le=1, description="Of AdamW.")] = 0.01
    beta1: Annotated[float, Field(ge=0, lt=1, description="Of AdamW.")] = 0.9
    beta2: Annotated[float, Field(ge=0, lt=1, description="Of AdamW.")] = 0.999
    clip: Annotated[float, Field(ge=0, description="Longest gradient; 0 is any.")] = 1.0
    precision: Annotated[
        Literal["bf16", "fp32", "fp16"],
        Field(description="Numbers that are computed with; weights are fp32. fp16 needs a GPU."),
    ] = "bf16"
    device: Annotated[Literal["auto", "cpu"], Field(description="auto: a GPU where there is one.")] = "auto"
    threads: Annotated[int, Field(ge=0, le=1024, description="Of the processor; 0 is one for each core.")] = 0
    save_every: Annotated[int, Field(ge=1, description="Steps from one checkpoint to the next.")] = 500
    keep: Annotated[int, Field(ge=1, description="Checkpoints that are kept, beside the best one.")] = 2
    log_every: Annotated[int, Field(ge=1, description="Steps from one line of progress to the next.")] = 50

    @property
    def optim(self) -> str:
        """What transformers calls the optimizer."""
        return "adamw_torch_fused"

    def warmup_steps(self, steps: int) -> int:
        """Steps of the warmup of a run of `steps`."""
        return round(self.warmup * steps) if self.warmup < 1 else min(steps, round(self.warmup))


class FinetuneOptions(Learning):
    """What the step `finetune` may be told; unknown keys and values out of range are refused."""

    model: Annotated[Name, Field(description="What is trained further: a folder, or a name on the hub.")]
    allow_pickle: Annotated[
        bool, Field(description="Read weights from a pickle file (without running code in it) if there is no other.")
    ] = False
    kind: Annotated[
        Literal["causal", "seq2seq"] | None, Field(description="What the model is; default: what its config says.")
    ] = None
    prompt: Annotated[
        Name | None,
        Field(description="A shipped prompt or a YAML file: how pairs are put. Default for seq2seq: seq2seq_plain."),
    ] = None
    pairs: Annotated[
        tuple[PairsFile, ...] | None,
        Field(min_length=1, description="Files of pairs; default: `{out}/pairs.jsonl`, which the step filter writes."),
    ] = None
    bad_rows: Annotated[Share, Field(description="Share of rows that may be malformed; more of them is an error.")] = (
        BAD_ROWS
    )
    longest: Annotated[
        int,
        Field(
            ge=8,
            description="Tokens of a text at most (causal: of both together); longer pairs are left out and counted.",
        ),
    ] = 256
    loss: Annotated[
        Literal["target", "whole"],
        Field(description="What is learnt of a causal model's text: the target alone, or all of it, as in the paper."),
    ] = "target"
    share_sources: Annotated[
        bool,
        Field(description="Causal: pairs of one source that follow one another are one row, the source read once."),
    ] = False
    lora: Annotated[LoraOptions | None, Field(description="Train adapters, not all weights.")] = None
    epochs: Annotated[float | None, Field(gt=0, description="Times that the pairs are seen (or give steps).")] = None
    steps: Annotated[int | None, Field(ge=1, description="Updates of the weights (or give epochs).")] = None
    batch_tokens: Annotated[
        int, Field(ge=16, description="Of a batch's longer side at most, padding included (causal: of both together).")
    ] = 4096
    dev: Annotated[DevOptions | None, Field(description="Judge the model while it learns.")] = None

    @model_validator(mode="after")
    def _fit_together(self) -> FinetuneOptions:
        if self.epochs is not None and self.steps is not None:
            raise ValueError("give either epochs or steps")
        if self.loss == "whole" and self.kind == "seq2seq":
            raise ValueError("loss whole is for causal models")
        if self.share_sources and (self.kind == "seq2seq" or self.loss == "whole"):
            raise ValueError("share_sources is for causal models that learn the target alone")
        if self.precision == "fp16" and self.device == "cpu":
            raise ValueError("precision fp16 needs a GPU: take bf16")
        return self

    @property
    def files(self) -> tuple[PairsFile, ...]:
        """The files of pairs."""
        return self.pairs or (PairsFile(path="{out}/pairs.jsonl"),)
