"""Forms of English words that no rule makes, since a trained lemmatiser knows only those it has seen."""

from __future__ import annotations

__all__ = ["BASES"]

_FORMS = """
arise arose arisen; awake awoke awoken; bear bore borne born; beat beaten; become became; begin began begun;
bend bent; bet; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred;
bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown;
forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given; go went gone; grind ground; grow grew grown; hang hung; hear heard;
hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant;
leap leapt; learn learnt; leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met;
mistake mistook mistaken; overcome overcame; overtake overtook overtaken; pay paid; prove proven;
ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold;
send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; sow sown; speak spoke spoken; spell spelt;
spend spent; spin spun; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung;
strike struck stricken; string strung; strive strove striven; swear swore sworn; sweep swept; swell swollen;
swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
throw threw thrown; tread trod trodden; undergo underwent undergone; understand understood;
undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound;
withdraw withdrew withdrawn; withstand withstood; write wrote written; rewrite rewrote rewritten;
calf calves; child children; crisis crises; foot feet; goose geese; half halves; knife knives; leaf leaves; life lives;
man men; mouse mice; ox oxen; shelf shelves; thief thieves; tooth teeth; wife wives; wolf wolves; woman women;
bad worse worst; far farther farthest further furthest; good better best; old elder eldest;
"""


def _bases() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in _FORMS.split(";"):
        base, *forms = row.split() or [""]
        for form in forms:
            found.setdefault(form, set()).add(base)
    return {form: frozenset(bases) for form, bases in found.items()}


BASES = _bases()
"""What each form may be a form of; *found* is one of *find*, and a word of its own."""
