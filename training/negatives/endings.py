"""Where a sentence ends though it could not, or goes on though it could have ended: cut off in a phrase, or made up."""

from __future__ import annotations

import random

from training.negatives.forms import parse
from training.negatives.pieces import Draw, Mutated, Pieces, cut, is_russian

__all__ = ["invent", "last_adjunct", "truncate"]

_FEWEST_KEPT = 3
"""Words that stay, at least."""
_END_MARKS = frozenset(".!?…")
_MARKED = 0.5
_OPEN = frozenset(
    "the a an of and or but nor from with at for into than because although while if whose their its my our your his "
    "every between among during "
    "в на с к по из от для о об за у до при под над между через без про и или но а чтобы если хотя".split()
)
"""Words that hardly any sentence ends with: something has to follow."""
_OBLIQUE = frozenset({"gent", "datv", "accs", "loct"})
"""Cases that a Russian adjective has for the sake of its noun, and not as what is said of something."""
_OPENERS = frozenset(
    "in on at after before during near with without because when while since until although despite under over "
    "в во на после до перед когда потому поскольку из-за около чтобы хотя вместе благодаря вопреки несмотря ради под "
    "возле среди".split()
)
"""What mostly opens what a sentence may go without; not *of*, *to*, *к*, which mostly open what it needs."""
_PLACE_OR_AIM = frozenset({"в", "во", "на", "под"})
_OF_PLACES = frozenset({"loct", "loc2", "ablt"})
_OF_CLAUSES = frozenset("because when while since until although когда потому поскольку чтобы хотя".split())
_MARKS = ".!?…"
_FEWEST_BEFORE = 3
_FEWEST, _MOST = 2, 10
"""Words of what is left out or put in."""
_TRIES = 60


def truncate(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """Without its end, from the middle of a phrase on, about `share` of the words; `None` where no phrase can be cut.

    The label is the share of its tokens that stay. The text ends behind a word that something has to follow (*of the*),
    in Russian also behind an adjective and before its noun. Elsewhere nobody could tell what is missing. The mark that
    the text ended with stands there again half of the time: good texts without one, headlines for instance, are about
    as frequent as broken ones without, so that none is taken for broken for want of it.
    """
    words = [n for n, piece in enumerate(pieces.pieces) if piece.text[:1].isalnum()]
    places = [n for n in words[_FEWEST_KEPT - 1 : -1] if _is_open(pieces.pieces[n].text, pieces.pieces[n + 1].text)]
    if not places:
        return None
    aimed = (1 - share) * len(pieces)
    last = min(places, key=lambda n: (abs(n - aimed), n))
    marked = pieces.pieces[-1].text in _END_MARKS and rng.random() < _MARKED
    kept = [*pieces.pieces[: last + 1], *pieces.pieces[len(pieces) - marked :]]
    return Mutated(pieces.of(kept).text, len(kept) / len(pieces))


def _is_open(word: str, following: str) -> bool:
    if word in _OPEN:
        return True
    if not (is_russian(word) and is_russian(following) and word.islower()):
        return False
    tag = parse(word).tag
    return tag.POS == "ADJF" and tag.case in _OBLIQUE and parse(following.lower()).tag.POS == "NOUN"


def last_adjunct(words: Pieces) -> int | None:
    """The number of the word that opens the last adjunct of a sentence; `None` where it has none that is short enough.

    It goes to the end of the sentence, has no mark in it and no verb but one that a conjunction opens; three words at
    least are before it.
    """
    texts = [piece.text for piece in words.pieces]
    end = len(texts) - (texts[-1] in _MARKS) if texts else 0
    for n in range(end - 1, _FEWEST_BEFORE - 1, -1):
        if not texts[n].replace("-", "").isalnum() or end - n > _MOST:
            return None
        if n > end - _FEWEST or not _opens(texts[n], texts[n + 1]):
            continue
        # Behind another opener (*because of*, *не только на*) it is no beginning of its own.
        begins = texts[n - 1][-1:].isalnum() and texts[n - 1] not in _OPENERS
        return n if begins and (texts[n] in _OF_CLAUSES or not any(map(_is_finite, texts[n:end]))) else None
    return None


def _opens(word: str, following: str) -> bool:
    # *В мае* may be left out, *в лес* is where somebody goes.
    return word in _OPENERS and (word not in _PLACE_OR_AIM or parse(following.lower()).tag.case in _OF_PLACES)


def _is_finite(word: str) -> bool:
    return is_russian(word) and parse(word.lower()).tag.POS in ("VERB", "PRTS")


def invent(pieces: Pieces, share: float, rng: random.Random, draw: Draw) -> Mutated | None:
    """With the last adjunct of another text's sentence at the end of one of its own: it reads well, and is made up.

    `pieces` and those drawn are sentences. The label is 0. `None` where none of some sentences drawn has an adjunct.
    """
    if not len(pieces):
        return None
    n = rng.randrange(len(pieces))
    for _ in range(_TRIES):
        other = cut(draw(rng).text, "word")
        start = last_adjunct(other)
        if start is not None:
            tail = other.of(other.pieces[start:]).text.rstrip(_MARKS + " ")
            own = pieces.pieces[n].text
            body = own.rstrip(_MARKS + " ")
            return Mutated(pieces.with_texts({n: f"{body} {tail}{own[len(body) :]}"}), 0.0)
    return None
