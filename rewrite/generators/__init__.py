"""Generators by name: those of this package, and any other that declares an entry point `rewrite.generators`.

Nothing is imported until a generator is asked for, so one engine's dependencies never burden another's users.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rerank.analysis import Analyzer
from rerank.errors import UnknownName
from rewrite.base.package import is_installed
from rewrite.generators.base import Generator, JoinedGenerator, Sampling, SourcesFailed
from rewrite.specs import Spec, scheme_of

if TYPE_CHECKING:
    from rewrite.acceptance.verdict import VerdictModel
    from rewrite.engines.base import Engine, TokenScoring
    from rewrite.task_options import TaskOptions

__all__ = ["Engines", "Generator", "Maker", "Sampling", "SourcesFailed", "create_generator", "known_generators"]

_GROUP = "rewrite.generators"


@lru_cache(maxsize=1)  # looking through what is installed takes a tenth of the time of a sentence
def known_generators() -> tuple[str, ...]:
    """Names of the generators that need no target, sorted; language models and recordings are named by a target too."""
    plain = (name for name in _MAKERS if not scheme_of(name).has_target)
    return tuple(sorted({*plain, *(point.name for point in entry_points(group=_GROUP))}))


class Engines:
    """Engines of language models by what names them, each made once: generators that ask one model share it.

    `settings` are what `-e` says.
    """

    def __init__(self, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._settings = settings
        self._made: dict[Spec, Engine] = {}

    @classmethod
    def of(cls, options: TaskOptions) -> Engines:
        """Those that options ask for; a task whose options have no settings has none."""
        return cls(getattr(options, "engine", {}))

    def engine(self, spec: Spec) -> Engine:
        """That of a language model. Raises as `create_engine` does."""
        if spec not in self._made:
            self._made[spec] = self._create(spec, self._settings)
        return self._made[spec]

    def _create(self, spec: Spec, settings: Mapping[str, str]) -> Engine:
        from rewrite.engines.registry import create_engine

        return create_engine(spec.scheme, spec.target, settings)

    def scoring(self, spec: Spec) -> TokenScoring:
        """That of an adapter of the base, which tells how probable texts are."""
        from rewrite.engines.base import TokenScoring

        engine = self.engine(spec)
        assert isinstance(engine, TokenScoring)
        return engine

    def verdicts(self, language: str) -> VerdictModel | None:
        """What says whether readers would pass a rewrite, where there is such a model and its base is at hand."""
        from rewrite.acceptance.verdict import VERDICT_MODELS, VerdictModel

        spec = VERDICT_MODELS.get(language)
        if spec is None or not is_installed():
            return None
        if spec not in self._made and any(other.scheme != spec.scheme for other in self._made):
            # Settings that name no engine are those of the one that draws.
            self._made[spec] = self._create(spec, {name: v for name, v in self._settings.items() if "." in name})
        return VerdictModel(self.scoring(spec), language)


Maker = Callable[[Spec, Analyzer, Engines], Generator]
"""Makes what a spec names that is no language model; a language model that it asks is among the engines."""


def create_generator(
    options: TaskOptions,
    language: str = "ru",
    *,
    analyzer: Analyzer,
    task: str = "simplify",
    makers: Mapping[str, Maker] = MappingProxyType({}),
    engines: Engines | None = None,
) -> Generator:
    """The generator that `options` name for texts in `language`, or several as one.

    The analyser is shared, so no text is parsed twice. Language models are asked as the options say (`prompt`,
    `sentences`, `max_words`); without a prompt one is chosen that does `task` (simplify, split, rephrase) in `language`
    (ru, en). Of several models those take the prompt that it fits, and the others choose. `makers` make the generators
    of a task, by their names, and `engines` are shared with others; without them they are of the options (`engine`).
    Raises `UnknownName` and `BadOption` where there is no such generator, or none for the language, and `BadOption` for
    a setting that the engine does not know.
    """
    engines = engines or Engines.of(options)
    known, specs = {**_MAKERS, **makers}, options.specs_in(language)
    models = {place: engines.engine(spec) for place, spec in enumerate(specs) if spec.kind.draws}
    asked: dict[str, Any] = {name: getattr(options, name, None) for name in ("prompt", "sentences", "max_words")}
    asked |= {"task": task, "language": language, "verdicts": engines.verdicts(language) if models else None}
    parts: list[Generator] = []
    for place, spec in enumerate(specs):
        if place in models:
            from rewrite.generators.language_model import LanguageModelGenerator

            others = [other for where, other in models.items() if where != place]
            parts.append(LanguageModelGenerator(models[place], beside=others, **asked))
        else:
            parts.append(known.get(spec.scheme, _plugged)(spec, analyzer, engines))
    return parts[0] if len(parts) == 1 else JoinedGenerator(parts)


def _replay(spec: Spec, analyzer: Analyzer, engines: Engines) -> Generator:
    from rewrite.generators.replay import ReplayGenerator

    return ReplayGenerator(spec.target)


def _edits(spec: Spec, analyzer: Analyzer, engines: Engines) -> Generator:
    """Edits; with an adapter to ask, its model says where a sentence may be cut in two."""
    from rewrite.generators.edits import EditsGenerator

    if not spec.kind.judge:
        return EditsGenerator(analyzer=analyzer)
    from rewrite.acceptance.break_judge import BreakJudge

    return EditsGenerator(analyzer=analyzer, cutter=BreakJudge(engines.scoring(spec.judge), analyzer=analyzer))


def _deletion(spec: Spec, analyzer: Analyzer, engines: Engines) -> Generator:
    from rewrite.generators.deletion import DeletionGenerator

    return DeletionGenerator(analyzer=analyzer)


def _plugged(spec: Spec, analyzer: Analyzer, engines: Engines) -> Generator:
    """That of an entry point, a factory that takes `analyzer` as a keyword."""
    for point in entry_points(group=_GROUP):
        if point.name == spec.scheme:
            generator: Generator = point.load()(analyzer=analyzer)
            return generator
    raise UnknownName(f"Unknown generator {spec.scheme!r}.", hint=f"Known: {', '.join(known_generators())}.")


_MAKERS: Mapping[str, Maker] = MappingProxyType(
    {"replay": _replay, "edits": _edits, "edits-lm": _edits, "deletion": _deletion}
)
