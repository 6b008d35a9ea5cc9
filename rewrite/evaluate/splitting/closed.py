"""English words of closed classes."""

from __future__ import annotations

__all__ = ["FUNCTION_WORDS", "NUMBER_WORDS"]

FUNCTION_WORDS = frozenset(
    """
    a an the this that these those such same other another each every either neither both all any some no none
    much many more most less least few fewer several enough own ones
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one's oneself someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing there here
    who whom whose which what whatever whoever whichever when where why how whenever wherever however
    am is are was were be been being do does did doing done have has had having can could may might must shall should
    will would ought 's 're 've 'll 'd 'm ’s ’re ’ve ’ll ’d ’m ca wo sha s t d
    not n't n’t nor never to of in on at by for from with without within into onto upon over under above below between
    among amongst amid during before after since until till through throughout across along around about against
    toward towards behind beside besides beyond near off out up down per via than as like unlike despite except
    including regarding concerning due because although though while whereas whilst if unless whether once and or but
    so yet also too then thus therefore hence moreover furthermore additionally meanwhile instead otherwise nevertheless
    nonetheless consequently subsequently afterwards afterward later thereby thereafter therein where whereby wherein
    already just only even still again rather quite very
    """.split()
)  # fmt: skip
"""Determiners, pronouns, auxiliaries, prepositions, conjunctions, particles, connecting adverbs; in small letters."""

NUMBER_WORDS = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    dozen half twice first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth hundreds
    thousands millions billions dozens
    """.split()
)  # fmt: skip
"""Words that tell a number, in small letters."""
