"""Forms of English words that no rule makes: a trained lemmatiser knows only those it has seen."""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["BASES", "PASTS"]

# Principal parts as school grammars list them: the base, the past that is written here, other pasts and participles.
_VERBS = """
arise arose arisen; awake awoke awoken; babysit babysat; bear bore borne born; beat beat beaten; become became;
begin began begun; bend bent; bet bet; bid bid; bind bound; bite bit bitten; bleed bled; blow blew blown;
break broke broken; breastfeed breastfed; breed bred; bring brought; broadcast broadcast; build built;
burn burned burnt; burst burst; buy bought; cast cast; catch caught; choose chose chosen; cling clung; come came;
cost cost; creep crept; cut cut; deal dealt; dig dug; do did done; draw drew drawn; dream dreamed dreamt;
drink drank drunk; drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought;
find found; flee fled; fling flung; fly flew flown; forbid forbade forbidden; forecast forecast;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went gone;
grind ground; grow grew grown; hang hung; have had; hear heard; hide hid hidden; hit hit; hold held; hurt hurt;
input input; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leaned leant; leap leaped leapt;
learn learned learnt; leave left; lend lent; let let; lie lay lain; light lit; lose lost; make made; mean meant;
meet met; mislead misled; mistake mistook mistaken; offset offset; outdo outdid outdone; outfit outfitted;
output output; overcome overcame; oversee oversaw overseen; overtake overtook overtaken;
overthrow overthrew overthrown; partake partook partaken; pay paid; preset preset; proofread proofread;
prove proved proven; put put; quit quit; read read; rebroadcast rebroadcast; rebuild rebuilt; redo redid redone;
remake remade; rewrite rewrote rewritten; rid rid; ride rode ridden; ring rang rung; rise rose risen; run ran;
say said; see saw seen; seek sought; sell sold; send sent; set set; sew sewed sewn; shake shook shaken; shed shed;
shine shone; shoot shot; show showed shown; shrink shrank shrunk; shut shut; sing sang sung; sink sank sunk; sit sat;
slay slew slain; sleep slept; slide slid; sow sowed sown; speak spoke spoken; speed sped; spell spelled spelt;
spend spent; spin spun; split split; spread spread; spring sprang sprung; stand stood; steal stole stolen; stick stuck;
sting stung; stride strode stridden; strike struck stricken; string strung; strive strove striven; sublet sublet;
swear swore sworn; sweep swept; swell swelled swollen; swim swam swum; swing swung; take took taken; teach taught;
tear tore torn; telecast telecast; tell told; think thought; throw threw thrown; tread trod trodden; typeset typeset;
undergo underwent undergone; understand understood; undertake undertook undertaken; undo undid undone; upset upset;
wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn;
withhold withheld; withstand withstood; write wrote written;
"""
_OTHERS = """
calf calves; child children; crisis crises; foot feet; goose geese; half halves; knife knives; leaf leaves; life lives;
man men; mouse mice; ox oxen; shelf shelves; thief thieves; tooth teeth; wife wives; wolf wolves; woman women;
bad worse worst; far farther farthest further furthest; good better best; old elder eldest;
"""


def _rows(table: str) -> list[list[str]]:
    return [row.split() for row in table.split(";") if row.strip()]


def _bases() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for base, *forms in _rows(_VERBS + _OTHERS):
        for form in forms:
            found.setdefault(form, set()).add(base)
    return {form: frozenset(bases) for form, bases in found.items()}


PASTS = MappingProxyType({base: past for base, past, *_ in _rows(_VERBS)})
"""The past of verbs that have an irregular one, or an irregular participle beside a regular past (*show*)."""

BASES = MappingProxyType(_bases())
"""What each form of a verb, noun or adjective may be a form of; *found* is one of *find*, and a word of its own."""
