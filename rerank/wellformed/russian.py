"""Well-formedness: would a careful editor print this Russian sentence?

Each rule is a named pure function that yields problems. Those in `TEXT_RULES` look at the candidate, and at the source
only to excuse what the source does too; those in `LOSS_RULES` look at what was cut from the source. The rules report
what is certainly broken, so that a sentence without a problem is not thereby good: see `docs/evaluation.md` for how
often they are wrong and how much they find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rerank.analysis import Analysis
from rerank.guard import Violation
from rerank.morphology import Morphology
from rerank.wellformed import agreement, clause_rules, dangling, loss, predicate
from rerank.wellformed.readings import Grammar
from rerank.wellformed.surface import SURFACE_RULES
from rerank.wellformed.view import Alignment, Fault, View

__all__ = ["LAYERS", "LOSS_RULES", "TEXT_RULES", "WellFormedness"]

LAYERS = ("morph", "syntax")

TextRule = Callable[[View, View], Iterator[Fault]]
LossRule = Callable[[Alignment], Iterator[Fault]]

TEXT_RULES: tuple[TextRule, ...] = (
    *SURFACE_RULES,
    dangling.dangling_conjunction,
    dangling.dangling_preposition,
    dangling.preposition_case,
    dangling.bare_locative,
    dangling.relative_clause,
    dangling.correlative_pairs,
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
    clause_rules.half_coordination,
    loss.lost_complement,
    clause_rules.lost_clause,
    loss.lost_subject,
    clause_rules.lost_conjunction,
    loss.torn_phrase,
    clause_rules.lost_comma,
    clause_rules.clause_commas,
)
# Below this share of words taken over from the source, what was "cut" is guesswork.
_COMPARABLE = 0.75


class WellFormedness:
    """Checks candidates against their source.

    Both analyses need the layers `morph` and `syntax` (`LAYERS`); nothing else is loaded or kept but word readings.
    """

    def __init__(self, morphology: Morphology | None = None) -> None:
        self._grammar = Grammar(morphology if morphology is not None else Morphology())

    def check(self, source: Analysis, candidate: Analysis) -> list[Violation]:
        """Every problem of `candidate`, in the order of the rules, of which each gives its name as the kind."""
        return self.check_all(source, [candidate])[0]

    def check_all(self, source: Analysis, candidates: Sequence[Analysis]) -> list[list[Violation]]:
        """`check` for each candidate of one source, in order; the source is looked at once."""
        against = View(source, self._grammar)
        return [list(_problems(against, View(candidate, self._grammar))) for candidate in candidates]


def _problems(source: View, candidate: View) -> Iterator[Violation]:
    for text_rule in TEXT_RULES:
        yield from (Violation(text_rule.__name__, *fault) for fault in text_rule(candidate, source))
    if not len(candidate) or source.text == candidate.text:
        return
    pair = Alignment(source, candidate)
    if pair.share >= _COMPARABLE:
        for loss_rule in LOSS_RULES:
            yield from (Violation(loss_rule.__name__, *fault) for fault in loss_rule(pair))
