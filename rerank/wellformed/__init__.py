"""Well-formedness: would a careful editor print this sentence?

Each rule is a named pure function that yields problems. Those in `TEXT_RULES` look at the candidate, and at the source
only to excuse what the source does too; those in `LOSS_RULES` look at what was cut from the source. The rules report
what is certainly broken, so that a sentence without a problem is not thereby good: see `docs/evaluation.md` for how
often they are wrong and how much they find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rerank.analysis import Analysis
from rerank.morphology import Morphology
from rerank.wellformed import agreement, clauses, dangling, loss, predicate, surface
from rerank.wellformed.view import Alignment, Fault, Grammar, View

__all__ = ["LAYERS", "LOSS_RULES", "RULES", "TEXT_RULES", "Problem", "WellFormedness"]

LAYERS = ("morph", "syntax")

TextRule = Callable[[View, "View | None"], Iterator[Fault]]
LossRule = Callable[[Alignment], Iterator[Fault]]

TEXT_RULES: tuple[TextRule, ...] = (
    surface.balanced_pairs,
    surface.doubled_punctuation,
    surface.final_punctuation,
    surface.capital_start,
    surface.repeated_words,
    dangling.dangling_conjunction,
    dangling.dangling_preposition,
    dangling.preposition_case,
    dangling.bare_locative,
    dangling.leftover_start,
    dangling.relative_clause,
    dangling.correlative_pairs,
    predicate.lone_subordinate,
    agreement.subject_verb,
    agreement.adjective_noun,
    predicate.predicate_present,
    predicate.modal_infinitive,
)
LOSS_RULES: tuple[LossRule, ...] = (
    loss.orphaned_modifier,
    loss.orphaned_genitive,
    loss.orphaned_preposition,
    loss.lost_preposition,
    clauses.half_coordination,
    loss.lost_complement,
    clauses.lost_clause,
    loss.lost_subject,
    clauses.lost_conjunction,
    loss.torn_phrase,
    clauses.lost_comma,
    clauses.clause_commas,
    clauses.stray_comma,
)
RULES: tuple[str, ...] = tuple(rule.__name__ for rule in (*TEXT_RULES, *LOSS_RULES))
# Below this share of words taken over from the source, what was "cut" is guesswork.
_COMPARABLE = 0.75


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a careful editor would not print: the rule that fired, the piece of text, and the reason in words."""

    rule: str
    text: str
    message: str


class WellFormedness:
    """Checks candidates against their source.

    Both analyses need the layers `morph` and `syntax` (`LAYERS`); nothing else is loaded or kept but word readings.
    """

    def __init__(self, morphology: Morphology | None = None) -> None:
        self._grammar = Grammar(morphology if morphology is not None else Morphology())

    def check(self, source: Analysis | None, candidate: Analysis) -> list[Problem]:
        """Every problem of `candidate`, in the order of `RULES`; an empty list means that no rule fired.

        With `source` `None` the text is judged alone: no rule can then tell what was cut.
        """
        return [problem for _, problems in self.explain(source, candidate) for problem in problems]

    def check_all(self, source: Analysis, candidates: Sequence[Analysis]) -> list[list[Problem]]:
        """`check` for each candidate of one source, in order; the source is looked at once."""
        against = View(source, self._grammar)
        return [[p for _, found in self._explain(against, candidate) for p in found] for candidate in candidates]

    def introduced(self, source: Analysis, candidate: Analysis) -> list[Problem]:
        """The problems of `candidate` that the source, judged alone, does not have under the same rule and words."""
        own = {(problem.rule, problem.text.lower()) for problem in self.check(None, source)}
        return [p for p in self.check(source, candidate) if (p.rule, p.text.lower()) not in own]

    def explain(self, source: Analysis | None, candidate: Analysis) -> list[tuple[str, list[Problem]]]:
        """What each rule found, by name, the silent ones included: the debug view."""
        return self._explain(None if source is None else View(source, self._grammar), candidate)

    def _explain(self, source: View | None, candidate: Analysis) -> list[tuple[str, list[Problem]]]:
        view = View(candidate, self._grammar)
        faults: list[tuple[str, Iterable[Fault]]] = [(rule.__name__, rule(view, source)) for rule in TEXT_RULES]
        pair = None if source is None or not len(view) or source.text == view.text else Alignment(source, view)
        if pair is not None and pair.share < _COMPARABLE:
            pair = None
        faults += [(rule.__name__, () if pair is None else rule(pair)) for rule in LOSS_RULES]
        return [(name, [Problem(name, text, message) for text, message in found]) for name, found in faults]
