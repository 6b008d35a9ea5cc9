"""What the step weights reads, searches and writes, and what would stop it; nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from rewrite.base.package import ADAPTERS
from rewrite.engines.registry import create_engine
from rewrite.errors import BadInput, BadOption, ModelNotFound, RewriteError
from rewrite.generators import known_generators
from rewrite.prompting import load_prompt
from rewrite.specs import Spec, parse_model, parse_specs
from training.pairs import PairFile
from training.planning import Made, caught, file_problems, maker, state
from training.recipe import Run
from training.weighting.draw import has_edits, pipeline_options
from training.weighting.options import WeightOptions, settled
from training.weighting.tune import refuse_unknown

__all__ = ["plan", "problems", "written"]

_LOCAL = ("ct2", "hf")


def written(run: Run) -> tuple[Path, ...]:
    """What later steps may read: nothing, for it is the last."""
    return ()


def problems(options: WeightOptions, run: Run, made: Made) -> Iterator[RewriteError]:
    """What would stop the step. Whether the hub has a model of some name, or a server answers, is not asked."""
    options = settled(options, run)
    if options.sources is not None:
        file = PairFile(path=options.sources)
        yield from file_problems("weights.sources", options.sources, run, made, spec=file, several=True)
    elif options.preferences is not None:
        yield from file_problems("weights.preferences", options.preferences, run, made)
    else:
        yield BadOption("There is nothing to tune for.", hint="Give weights.sources or weights.preferences.")
    wrong = list(caught(lambda: parse_specs(options.generator, known_generators()), key="weights.generator"))
    yield from wrong
    if wrong:
        return
    for key, spec in _models(options):
        yield from caught(partial(_check_there, spec, options, made), key=key)
    yield from caught(lambda: _check_folds(options))
    yield from caught(lambda: refuse_unknown(options, pipeline_options(options)), key="weights")
    prompt = options.pipeline.get("prompt")
    if isinstance(prompt, str):
        yield from caught(lambda: load_prompt(prompt), key="weights.pipeline.prompt")


def _models(options: WeightOptions) -> list[tuple[str, Spec]]:
    """What draws or scores, by its key in the recipe."""
    fluency = options.pipeline.get("fluency")
    specs = [("weights.generator", spec) for spec in parse_specs(options.generator, known_generators())]
    # What is wrong with it is told of where the options of the pipeline are looked at.
    with suppress(RewriteError):
        specs += [("weights.pipeline.fluency", parse_model(fluency))] if isinstance(fluency, str) else []
    return specs


def _check_there(spec: Spec, options: WeightOptions, made: Made) -> None:
    place = Path(spec.target).expanduser()
    if maker(place, made):
        return
    if spec.scheme == "replay" and not place.exists():
        raise BadInput(f"{str(spec)!r}, and there is no file {str(place)!r}.", hint="Check the path.")
    if spec.is_language_model:
        settings = options.pipeline.get("engine", {})
        create_engine(spec.scheme, spec.target, settings if isinstance(settings, dict) else {})
    if spec.scheme not in _LOCAL or place.is_dir():
        return
    if _is_path(spec.target):
        raise ModelNotFound(
            f"{str(spec)!r}, and there is no folder {str(place)!r}.",
            hint="The step export writes {out}/export/NAME, by the recipe's name.",
        )


def _is_path(target: str) -> bool:
    """Whether this can only be a folder: the hub's names have one slash, and do not begin with a dot."""
    return target.count("/") > 1 or target.startswith((".", "/", "~"))


def _check_folds(options: WeightOptions) -> None:
    if options.cross_fit and not has_edits(options.generator):
        raise BadOption(
            f"weights.cross_fit with the generator {options.generator!r}.",
            hint="It trains the model of edits anew; drop it.",
        )


def _where(spec: Spec, made: Made) -> str:
    if step := maker(Path(spec.target), made):
        return f"made by the step {step}"
    if Path(spec.target).expanduser().exists():
        return "there"
    if spec.target in ADAPTERS:
        return "bundled"
    return "not there" if _is_path(spec.target) or spec.scheme == "replay" else "no folder here, so a name on the hub"


def plan(options: WeightOptions, run: Run, made: Made) -> Iterator[str]:
    """Lines that say what is read, what draws, how weights are searched and where they go."""
    options = settled(options, run)
    key, said = ("sources", options.sources) if options.sources else ("preferences", options.preferences)
    if said is not None:
        yield f"reads: {key} {said}, {state(said, run, made)}"
    yield f"draws: {options.n} candidates a source by {options.generator}"
    yield from (f"  {spec}: {_where(spec, made)}" for _, spec in _models(options) if spec.scheme in (*_LOCAL, "replay"))
    settings = options.model_dump(mode="json", exclude={"sources", "preferences", "generator", "n", "name"})
    yield "settings: " + ", ".join(f"{name} {value}" for name, value in settings.items() if value)
    yield f"writes: {run.out / 'preset.yaml'}, {run.out / 'report.json'}, {run.out / 'tables'}"
