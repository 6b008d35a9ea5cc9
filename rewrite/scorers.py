"""Which components a run measures: the standard ones, and those that are asked for by a weight."""

from __future__ import annotations

from collections.abc import Mapping

from rerank.brevity import ShortSentences
from rerank.caution import Caution
from rerank.fluency import Fluency
from rerank.likelihood import Likelihood
from rerank.paraeval.coverage import Coverage
from rerank.presets import PRESETS
from rerank.registry import create_scorer
from rerank.rusim import components
from rerank.scorer import Scorer
from rerank.structure import Structure
from rewrite.errors import BadOption
from rewrite.gain import Gain
from rewrite.gain.text_acceptance import TextCaution
from rewrite.request import Options
from rewrite.specs import EVALUATED_COMPONENTS, MASKED_COMPONENTS, parse_model

__all__ = ["ON_REQUEST", "chosen_scorers"]

ON_REQUEST = (Gain.name, Coverage.name, Fluency.name, *MASKED_COMPONENTS, *EVALUATED_COMPONENTS)
"""Components that are measured only where they have a weight."""


def chosen_scorers(options: Options, preset: str | Mapping[str, float]) -> tuple[Scorer, ...]:
    """The scorers of a run with `options`; `preset` is a name from `PRESETS` or the weights of a file.

    Raises `BadOption` for a model of `fluency`, a masked language model or an evaluator that counts for nothing.
    """
    # A model says how probable its text is, not what it risks: that is read off the text.
    caution = TextCaution() if options.draws_from_model else Caution()
    standard = (*components(variant=options.variant), Structure(), ShortSentences(), Likelihood(), caution)
    on_request = (_gain, _coverage, _fluency, _masked, _evaluated)
    return (*standard, *(scorer for find in on_request for scorer in find(options, preset)))


def _gain(options: Options, preset: str | Mapping[str, float]) -> tuple[Gain, ...]:
    weights = PRESETS.get(preset, {}) if isinstance(preset, str) else preset
    return (Gain(),) if Gain.name in options.weights or weights.get(Gain.name) else ()


def _coverage(options: Options, preset: str | Mapping[str, float]) -> tuple[Coverage, ...]:
    weights = PRESETS.get(preset, {}) if isinstance(preset, str) else preset
    return (Coverage(),) if Coverage.name in options.weights or weights.get(Coverage.name) else ()


def _fluency(options: Options, preset: str | Mapping[str, float]) -> tuple[Fluency, ...]:
    """The component fluency, where it is asked for; measured by a model if one is named, else by the generator."""
    weighted = "fluency" in options.weights or (not isinstance(preset, str) and "fluency" in preset)
    if options.fluency:
        if not weighted:
            raise BadOption(
                f"--fluency {options.fluency} counts for nothing: the component 'fluency' has no weight.",
                hint="Add -w fluency=1; with -w fluency=0 it is measured and does not count.",
            )
        from rewrite.engines.registry import create_engine
        from rewrite.engines.text_model import EngineTextModel

        model = parse_model(options.fluency)
        return (Fluency(model=EngineTextModel(create_engine(model.scheme, model.target, options.engine))),)
    return (Fluency(),) if weighted else ()


def _masked(options: Options, preset: str | Mapping[str, float]) -> tuple[Scorer, ...]:
    """The components by masked language model that are asked for, with one model for all of them where it is named."""
    asked = {*options.weights, *(() if isinstance(preset, str) else preset)}
    names = [name for name in MASKED_COMPONENTS if name in asked]
    spec = options.masked_model
    if spec is None:
        return tuple(create_scorer(name) for name in names)
    if not names:
        raise BadOption(
            f"--masked-model {spec} counts for nothing: no component that asks it has a weight.",
            hint=f"Add -w ndd=1; the others are {', '.join(MASKED_COMPONENTS[1:])}.",
        )
    from rerank.masked.registry import create_masked_model, parse_masked_name

    named = parse_masked_name(spec)
    # A bare name stands for another model in each language; the library of BERTScore loads its own.
    shared = create_masked_model(spec) if named.for_all_languages else spec
    return tuple(create_scorer(name, model=spec if name == "bertscore" else shared) for name in names)


def _evaluated(options: Options, preset: str | Mapping[str, float]) -> tuple[Scorer, ...]:
    """The components by learned evaluator that are asked for, one evaluator for all of them."""
    asked = {*options.weights, *(() if isinstance(preset, str) else preset)}
    names = [name for name in EVALUATED_COMPONENTS if name in asked]
    if not names:
        if options.evaluator is not None:
            raise BadOption(
                f"--evaluator {options.evaluator} counts for nothing: no component that asks it has a weight.",
                hint=f"Add -w quality=1; the others are {', '.join(EVALUATED_COMPONENTS[1:])}.",
            )
        return ()
    from rerank.evaluator.registry import Evaluators
    from rerank.evaluator.scorers import EvaluatorScorer

    evaluators = Evaluators(options.evaluator or "bundled")
    return tuple(EvaluatorScorer(name, evaluators=evaluators) for name in names)
