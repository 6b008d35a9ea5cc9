"""Generators by name: those of this package, and any other that declares an entry point `rewrite.generators`.

Nothing is imported until a generator is asked for, so one engine's dependencies never burden another's users.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rerank.analysis import Analyzer
from rerank.errors import UnknownName
from rewrite.base.package import KNOWN, is_installed
from rewrite.generators.base import Generator, JoinedGenerator, Sampling, SourcesFailed
from rewrite.specs import EDITS, Spec, parse_specs

if TYPE_CHECKING:
    from rewrite.acceptance.verdict import VerdictModel
    from rewrite.engines.base import Engine, TokenScoring
    from rewrite.request import DrawingOptions

__all__ = ["Engines", "Generator", "Sampling", "SourcesFailed", "create_generator", "known_generators"]

_GROUP = "rewrite.generators"
_DELETION = "deletion"
# The adapter that `edits-lm` asks.
_JUDGE = Spec("ct2", "gemma-ru")


def known_generators() -> tuple[str, ...]:
    """Names of the generators that need no target, sorted; language models and recordings are named by a target too."""
    return tuple(sorted({*EDITS, _DELETION, *(point.name for point in entry_points(group=_GROUP))}))


class Engines:
    """Engines of language models by what names them, each made once: generators that ask one model share it.

    `settings` are what `-e` says, `base` is a file for adapters of the base.
    """

    def __init__(self, settings: Mapping[str, str] = MappingProxyType({}), base: str | None = None) -> None:
        self._settings, self._base = settings, base
        self._made: dict[Spec, Engine] = {}

    def engine(self, spec: Spec) -> Engine:
        """That of a language model. Raises as `create_engine` does."""
        if spec not in self._made:
            self._made[spec] = self._create(spec, self._settings)
        return self._made[spec]

    def _create(self, spec: Spec, settings: Mapping[str, str]) -> Engine:
        from rewrite.engines.registry import create_engine

        adapted = self._base is not None and spec.target in KNOWN
        base = {f"{spec.scheme}.base": str(self._base)} if adapted else {}
        return create_engine(spec.scheme, spec.target, {**settings, **base})

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
        if spec is None or not (self._base or {"base", "ct2.base"} & set(self._settings) or is_installed()):
            return None
        if spec not in self._made and any(other.scheme != spec.scheme for other in self._made):
            # Settings that name no engine are those of the one that draws.
            self._made[spec] = self._create(spec, {name: v for name, v in self._settings.items() if "." in name})
        return VerdictModel(self.scoring(spec), language)


def create_generator(
    spec: str | Sequence[Spec],
    *,
    analyzer: Analyzer,
    options: DrawingOptions | None = None,
    task: str = "simplify",
    language: str = "ru",
    factories: Mapping[str, Callable[[], Generator]] = MappingProxyType({}),
    engines: Engines | None = None,
) -> Generator:
    """The generator that `spec` says: a name, `ct2:TARGET` and the like, `replay:FILE`, or several joined by `+`.

    The analyser is shared, so no text is parsed twice. Language models are asked as the `options` say (`prompt`,
    `engine`, `base`, `sentences`, `max_words`); without a prompt one is chosen that does `task` (simplify, split,
    rephrase) in `language` (ru, en). Of several models those take the prompt that it fits, and the others choose.
    `factories` make the generators of a task, by their names, and `engines` are shared with others.
    An entry point names a factory that takes `analyzer` as a keyword and returns a `Generator`. Raises `UnknownName`
    with the known names in its hint, `BadOption` for a setting that the engine does not know.
    """
    asked: dict[str, Any] = {name: getattr(options, name, None) for name in ("prompt", "sentences", "max_words")}
    if engines is None:
        engines = Engines(options.engine, options.base) if options else Engines()
    specs = parse_specs(spec, known_generators()) if isinstance(spec, str) else tuple(spec)
    models = {place: engines.engine(part) for place, part in enumerate(specs) if part.is_language_model}
    asked["verdicts"] = engines.verdicts(language) if models else None
    parts: list[Generator] = []
    for place, part in enumerate(specs):
        if part.scheme in factories:
            parts.append(factories[part.scheme]())
            continue
        if part.scheme in EDITS:
            parts.append(_edits(analyzer, engines.scoring(_JUDGE) if part.needs_base else None))
            continue
        if place not in models:
            parts.append(_create(part, analyzer))
            continue
        from rewrite.generators.language_model import LanguageModelGenerator

        others = [other for where, other in models.items() if where != place]
        parts.append(LanguageModelGenerator(models[place], beside=others, task=task, language=language, **asked))
    return parts[0] if len(parts) == 1 else JoinedGenerator(parts)


def _edits(analyzer: Analyzer, engine: TokenScoring | None) -> Generator:
    """Edits; with the engine of the adapter its model says where a sentence may be cut in two."""
    from rewrite.generators.edits import EditsGenerator

    if engine is None:
        return EditsGenerator(analyzer=analyzer)
    from rewrite.acceptance.break_judge import BreakJudge

    return EditsGenerator(analyzer=analyzer, cutter=BreakJudge(engine, analyzer=analyzer))


def _create(spec: Spec, analyzer: Analyzer) -> Generator:
    if spec.scheme == "replay":
        from rewrite.generators.replay import ReplayGenerator

        return ReplayGenerator(spec.target)
    if spec.scheme == _DELETION:
        from rewrite.generators.deletion import DeletionGenerator

        return DeletionGenerator(analyzer=analyzer)
    for point in entry_points(group=_GROUP):
        if point.name == spec.scheme:
            generator: Generator = point.load()(analyzer=analyzer)
            return generator
    raise UnknownName(f"Unknown generator {spec.scheme!r}.", hint=f"Known: {', '.join(known_generators())}.")
