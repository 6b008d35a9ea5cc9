"""Finite forms of English verbs: the past and the third person of a lemma."""

from __future__ import annotations

import re
from types import MappingProxyType

__all__ = ["past", "third_person"]

# Verbs whose past is not made with -ed, as school grammars list them.
_IRREGULAR = MappingProxyType(
    dict(
        pair.split("/")
        for pair in """
arise/arose awake/awoke bear/bore beat/beat become/became begin/began bend/bent bet/bet bid/bid bind/bound bite/bit
bleed/bled blow/blew break/broke breed/bred bring/brought broadcast/broadcast build/built burst/burst buy/bought
cast/cast catch/caught choose/chose cling/clung come/came cost/cost creep/crept cut/cut deal/dealt dig/dug do/did
draw/drew drink/drank drive/drove eat/ate fall/fell feed/fed feel/felt fight/fought find/found flee/fled fling/flung
fly/flew forbid/forbade forecast/forecast forget/forgot forgive/forgave freeze/froze get/got give/gave go/went
grind/ground grow/grew hang/hung have/had hear/heard hide/hid hit/hit hold/held hurt/hurt keep/kept kneel/knelt
know/knew lay/laid lead/led leave/left lend/lent let/let lie/lay light/lit lose/lost make/made mean/meant meet/met
mislead/misled mistake/mistook outdo/outdid overcome/overcame oversee/oversaw overtake/overtook overthrow/overthrew
pay/paid put/put quit/quit read/read rebuild/rebuilt redo/redid remake/remade rewrite/rewrote rid/rid ride/rode
ring/rang rise/rose run/ran say/said see/saw seek/sought sell/sold send/sent set/set shake/shook shed/shed shine/shone
shoot/shot show/showed shrink/shrank shut/shut sing/sang sink/sank sit/sat sleep/slept slide/slid speak/spoke
spend/spent spin/spun split/split spread/spread spring/sprang stand/stood steal/stole stick/stuck sting/stung
stride/strode strike/struck strive/strove swear/swore sweep/swept swell/swelled swim/swam swing/swung take/took
teach/taught tear/tore tell/told think/thought throw/threw undergo/underwent understand/understood undertake/undertook
undo/undid upset/upset wake/woke wear/wore weave/wove weep/wept win/won wind/wound withdraw/withdrew withhold/withheld
withstand/withstood write/wrote
dwell/dwelt partake/partook speed/sped tread/trod slay/slew input/input output/output outfit/outfitted string/strung
babysit/babysat breastfeed/breastfed offset/offset preset/preset proofread/proofread sublet/sublet telecast/telecast
rebroadcast/rebroadcast typeset/typeset
""".split()
    )
)
_PREFIXED = re.compile(r"^(?:fore|for|mis|out|over|pre|re|under|un|up)(?=\w{2})")
# What looks like one of those with a prefix, and is another verb.
_REGULAR = frozenset({"relay", "relight"})
# Verbs that double their last letter: those of one syllable, and those of several that are stressed on the last or are
# written so all the same.
_DOUBLING = re.compile(
    r"^(?:(?:[^aeiou]|qu)*[aeiou][bdgklmnprtvz]|(?:ad|com|e|o|per|re|sub|trans)mit|(?:con|de|in|pre|re|trans)fer"
    r"|(?:com|dis|ex|im|pro|re)pel|(?:con|pa)trol|(?:ab|ap|dis|en|ful|in)(?:hor|pal|til|rol|fil|stil)|(?:oc|in|re|con)cur"
    r"|deter|rebel|excel|acquit|outwit|retrofit|zigzag|regret|kidnap|worship|handicap|program|unplug|rebut"
    r"|format|inter|abet|allot|equip|gas|cancel|travel|label|model|signal|level|revel)$"
)


def past(lemma: str) -> str:
    """The past of a verb: *make* → *made*, *admit* → *admitted*, *carry* → *carried*. Of *be* it is *was*."""
    if lemma == "be":
        return "was"
    known = _irregular(lemma)
    if known:
        return known
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("ic"):
        return lemma + "ked"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if _DOUBLING.match(lemma) else "") + "ed"


def _irregular(lemma: str) -> str:
    """The past of an irregular verb, or of one with a prefix: *overrun* → *overran*; empty for others."""
    if lemma in _IRREGULAR:
        return _IRREGULAR[lemma]
    prefix = _PREFIXED.match(lemma)
    base = _IRREGULAR.get(lemma[prefix.end() :]) if prefix and lemma not in _REGULAR else None
    return f"{prefix.group()}{base}" if prefix and base else ""


def third_person(lemma: str) -> str:
    """The third person of a verb in the present: *make* → *makes*, *carry* → *carries*, *go* → *goes*."""
    if lemma in ("be", "have"):
        return "is" if lemma == "be" else "has"
    if re.search(r"[^aeiou]y$", lemma):
        return lemma[:-1] + "ies"
    if lemma in ("quiz", "gas"):
        return lemma + lemma[-1] + "es"
    if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", lemma):
        return lemma + "es"
    return lemma + "s"
