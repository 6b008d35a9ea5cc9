"""Components that a run measures only where they are asked for by a weight, and the models that some of them ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rerank.likelihood import Fluency
from rerank.registry import create_scorer, plugged_scorers
from rerank.scorer import Scorer
from rewrite.engines.base import Engine, ModelInput
from rewrite.errors import BadInput, BadModel, BadOption, ContextTooLong, RewriteError
from rewrite.specs import parse_model
from rewrite.task_options import EVALUATED_COMPONENTS, MASKED_COMPONENTS, DrawingOptions

ON_REQUEST = (Fluency.name, *MASKED_COMPONENTS, *EVALUATED_COMPONENTS)
"""Components of any language that are measured only where they have a weight."""
# Characters of a text in a message.
_SHOWN = 60


def requested(options: DrawingOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    """The scorers that are `asked` for by name, fluency apart.

    Raises `BadOption` for a masked language model or an evaluator that counts for nothing.
    """
    names = _named(MASKED_COMPONENTS, asked, option="--masked-model", value=options.masked_model)
    return (*masked(options.masked_model, names), *_evaluated(options, asked))


def plugged(unknown: frozenset[str]) -> tuple[Scorer, ...]:
    """The scorers of other packages among components of which the task does not know."""
    # Other packages are looked through only where there is something to look for.
    return tuple(create_scorer(name) for name in sorted(unknown & plugged_scorers())) if unknown else ()


def fluency(options: DrawingOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    """The component fluency, where it is asked for: by a model if one is named, else by the generator."""
    weighted = Fluency.name in asked
    if options.fluency:
        if not weighted:
            raise BadOption(
                f"--fluency {options.fluency} counts for nothing: the component 'fluency' has no weight.",
                hint="Add -w fluency=1; with -w fluency=0 it is measured and does not count.",
            )
        from rewrite.engines.registry import create_engine

        model = parse_model(options.fluency)
        return (Fluency(model=EngineTextModel(create_engine(model.scheme, model.target, options.engine))),)
    return (Fluency(),) if weighted else ()


def masked(spec: str | None, names: Sequence[str]) -> tuple[Scorer, ...]:
    """The components `names` by a masked language model, one for all of them where `spec` names it."""
    if spec is None or not names:
        return tuple(create_scorer(name) for name in names)
    from rerank.masked.registry import create_masked_model, parse_masked_name

    named = parse_masked_name(spec)
    # A bare name stands for another model in each language; the library of BERTScore loads its own.
    shared = create_masked_model(spec) if named.for_all_languages else spec
    return tuple(create_scorer(name, model=spec if name == "bertscore" else shared) for name in names)


def _evaluated(options: DrawingOptions, asked: frozenset[str]) -> tuple[Scorer, ...]:
    """The components by learned evaluator that are asked for, one evaluator for all of them."""
    names = _named(EVALUATED_COMPONENTS, asked, option="--evaluator", value=options.evaluator)
    if not names:
        return ()
    from rerank.evaluator.registry import Evaluators, EvaluatorScorer

    evaluators = Evaluators(options.evaluator or "bundled")
    return tuple(EvaluatorScorer(name, evaluators=evaluators) for name in names)


def _named(known: Sequence[str], asked: frozenset[str], *, option: str, value: str | None) -> list[str]:
    """Those of the `known` components that are asked for; `BadOption` for a model of theirs that none needs."""
    names = [name for name in known if name in asked]
    if value is not None and not names:
        raise BadOption(
            f"{option} {value} counts for nothing: no component that asks it has a weight.",
            hint=f"Add -w {known[0]}=1; the others are {', '.join(known[1:])}.",
        )
    return names


class EngineTextModel:
    """Asks a causal model of the engine `ct2` how probable a text is by itself; see `rerank.likelihood`."""

    def __init__(self, engine: Engine) -> None:
        self._engine: Any = engine  # the spec admits only the one that scores

    def signature(self) -> str:
        """Model, numbers and version."""
        return ",".join(f"{name}={value}" for name, value in self._engine.describe().items())

    def text_logprobs(self, texts: Sequence[str]) -> list[tuple[float, int]]:
        """See `rerank.likelihood.TextModel`. Raises `BadModel` for a model that is not causal."""
        self._require_causal()
        scored = self._engine.token_logprobs(_alone(texts), texts)
        return [(float(sum(logprob for _, logprob in tokens)), len(tokens)) for tokens in scored]

    def unfit(self, texts: Sequence[str]) -> Mapping[int, RewriteError]:
        """See `rerank.likelihood.TextModel`. Raises `BadModel` for a model that is not causal."""
        self._require_causal()
        errors: Mapping[int, ContextTooLong] = self._engine.too_long(_alone(texts), texts)
        return {
            i: BadInput(
                f"{texts[i][:_SHOWN]!r} takes {error.length:,} tokens, the model of --fluency {error.context:,}.",
                hint="Split the text, or leave --fluency out.",
            )
            for i, error in errors.items()
        }

    def _require_causal(self) -> None:
        if self._engine.info.kind != "causal":
            raise BadModel(f"{self._engine.info.name}: fluency needs a causal model, such as a GPT-2.")


def _alone(texts: Sequence[str]) -> list[ModelInput]:
    """What makes an engine score each text by itself."""
    return [ModelInput(source="")] * len(texts)
