"""Which splits are refused, and which are doubtful: named rules over the source's parse.

A split that breaks a rule of `FACTS` would lose or change what is said, and is never proposed. One that breaks a rule
of `FORM` would rather not be printed; a parse may be wrong, so it is proposed behind the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rewrite.splitting import rules_form as form
from rewrite.splitting import rules_seam as seam
from rewrite.splitting import rules_sense as sense
from rewrite.splitting import rules_whole as whole
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["FACTS", "FORM", "RISKS", "broken", "risk"]

Rule = Callable[[Words, Split], bool]

FACTS: Mapping[str, Rule] = MappingProxyType(
    {
        "drops-content": sense.drops_content,
        "alternatives": sense.cuts_alternatives,
        "condition": sense.cuts_condition,
        "quantified": sense.cuts_quantified,
        "report": sense.cuts_report,
        "unbalanced": sense.unbalanced,
        "too-short": sense.too_short,
        "dangles": seam.dangles,
        "tears": seam.tears,
        "begins-amiss": seam.begins_amiss,
        "lone-clause": whole.lone_clause,
        "verbless": whole.verbless,
        "unfit-opener": whole.unfit_opener,
        "half-changed": whole.half_changed,
    }
)
FORM: Mapping[str, Rule] = MappingProxyType(
    {
        "no-subject": form.no_subject,
        "two-subjects": form.two_subjects,
        "two-verbs": form.two_verbs,
        "disagrees": form.disagrees,
        "fragment": form.fragment,
        "relative": form.loses_relative,
        "other-subject": form.other_subject,
        "under-report": form.under_report,
        "contrast": form.loses_contrast,
        "shared-rest": form.shared_rest,
        "unclear": form.unclear,
        "slips-tense": form.slips_tense,
        "swallows": form.swallows,
        "torn": form.torn,
        "no-clause": whole.no_clause,
    }
)
RISKS: Mapping[str, float] = MappingProxyType(
    {
        "no-subject": 3.0,
        "two-subjects": 3.0,
        "two-verbs": 3.0,
        "disagrees": 3.0,
        "fragment": 1.0,
        "relative": 2.0,
        "other-subject": 3.0,
        "under-report": 1.5,
        "contrast": 1.0,
        "shared-rest": 2.0,
        "unclear": 1.5,
        "slips-tense": 1.0,
        "swallows": 2.0,
        "torn": 1.0,
        "no-clause": 2.5,
    }
)
"""What each broken rule of form counts, in nats; less where wrong parses often break it."""


def broken(words: Words, split: Split, rules: Mapping[str, Rule]) -> list[str]:
    """The names of the rules that a split breaks."""
    return [name for name, rule in rules.items() if rule(words, split)]


def risk(faults: Iterable[str]) -> float:
    """What broken rules of form count together, in nats."""
    return sum(RISKS[name] for name in faults)
