"""Which splits are refused, and which are doubtful: named rules over the source's parse.

A split that breaks a rule of `FACTS` would lose or change what is said, or is broken so plainly that no reader passed
one, and is never proposed. One that breaks a rule of `FORM` would rather not be printed; a parse may be wrong, and it
often is where sentences are broken, so such a split is proposed behind the others, and a learned judge
(`wholeness.py`) has its say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rewrite.splitting import rules_be as be
from rewrite.splitting import rules_drops as drops
from rewrite.splitting import rules_end as end
from rewrite.splitting import rules_form as form
from rewrite.splitting import rules_report as report
from rewrite.splitting import rules_seam as seam
from rewrite.splitting import rules_sense as sense
from rewrite.splitting import rules_subject as subject
from rewrite.splitting import rules_verb as verb
from rewrite.splitting import rules_whole as whole
from rewrite.splitting.split import Split
from rewrite.splitting.words import Words

__all__ = ["FACTS", "FORM", "RISKS", "broken", "refused", "risk"]

Rule = Callable[[Words, Split], bool]

FACTS: Mapping[str, Rule] = MappingProxyType(
    {
        "drops-content": drops.drops_content,
        "adds-link": drops.adds_link,
        "alternatives": sense.cuts_alternatives,
        "condition": sense.cuts_condition,
        "quantified": sense.cuts_quantified,
        "tells-which": sense.tells_which,
        "report": report.cuts_report,
        "voice": verb.changes_voice,
        "calls-so": be.calls_so,
        "other-kind": be.other_kind,
        "other-subject": subject.other_subject,
        "open-end": end.open_end,
        "dangles": end.dangles,
        "leaves-relative": end.leaves_relative,
        "cuts-title": end.cuts_title,
        "parts-with": end.parts_with,
        "leaves-name-again": end.leaves_name_again,
        "seamless": end.seamless,
        "waits-for-verb": end.waits_for_verb,
        "comments": end.comments,
        "cuts-name": seam.cuts_name,
        "begins-amiss": seam.begins_amiss,
        "borrows": seam.borrows,
        "strands": seam.strands,
        "parted": seam.parted,
        "carries-off": seam.carries_off,
        "unlinked": seam.unlinked,
        "lone-clause": whole.lone_clause,
        "slips-tense": verb.slips_tense,
        "disagrees": form.disagrees,
        "lacks-object": verb.lacks_object,
        "lacks-verb": verb.lacks_verb,
        "begins-without": verb.begins_without,
        "runs-on": verb.runs_on,
        "shared-rest": verb.shared_rest,
        "phrase-alone": whole.phrase_alone,
        "unfit-opener": whole.unfit_opener,
        "half-changed": whole.half_changed,
        "leans-back": whole.leans_back,
        "hangs-relative": seam.hangs_relative,
        "unbalanced": sense.unbalanced,
        "too-short": sense.too_short,
    }
)
_FORM: Mapping[str, tuple[Rule, float]] = {
    "no-subject": (form.no_subject, 1.5),
    "two-subjects": (form.two_subjects, 3.0),
    "two-verbs": (form.two_verbs, 3.0),
    "fragment": (form.fragment, 0.5),
    "relative": (form.loses_relative, 3.0),
    "under-report": (form.under_report, 1.0),
    "bare-noun": (form.bare_noun, 3.0),
    "unclear": (form.unclear, 4.0),
    "one-of-list": (form.one_of_list, 4.0),
    "they-for-one": (subject.they_for_one, 3.0),
    "swallows": (form.swallows, 1.0),
    "torn": (form.torn, 1.5),
    "tears": (seam.tears, 3.0),
    "breaks-list": (seam.breaks_list, 3.0),
    "verbless": (whole.verbless, 1.0),
    "no-clause": (whole.no_clause, 1.0),
}
FORM: Mapping[str, Rule] = MappingProxyType({name: rule for name, (rule, _) in _FORM.items()})
RISKS: Mapping[str, float] = MappingProxyType({name: value for name, (_, value) in _FORM.items()})
"""What each broken rule of form counts, in nats: as much as it told of faults in outputs that were read."""


def broken(words: Words, split: Split, rules: Mapping[str, Rule]) -> list[str]:
    """The names of the rules that a split breaks."""
    return [name for name, rule in rules.items() if rule(words, split)]


def refused(words: Words, split: Split) -> bool:
    """Whether a split breaks a rule of `FACTS`."""
    return any(rule(words, split) for rule in FACTS.values())


def risk(faults: Iterable[str]) -> float:
    """What broken rules of form count together, in nats."""
    return sum(RISKS[name] for name in faults)
