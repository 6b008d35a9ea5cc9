"""Rewrites that go on from the source instead of saying it again: they begin by pointing back at it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rerank.frequency import fold
from rewrite.cleaning.context import Context, language, words

__all__ = ["continuation_of_the_source"]

_APOSTROPHE = re.compile(r"['’]")

# Each group holds what may stand for the same thing, in all its forms; a form may be in several.
_PRONOUNS: dict[str, tuple[str, ...]] = {
    "ru": (
        "он его него ему нему им ним нем",
        "она ее нее ей ней ею нею",
        "оно его него ему нему им ним нем",
        "они их них им ним ими ними",
        "я меня мне мной мною мой моя мое мои моего моей моему моим моих моими моем мою",
        "этот эта это эти этого этой этому этим этом этих этими эту "
        "данный данная данное данные данного данной данному данным данном данных данными данную",
        "тот та то те того той тому тем том тех теми ту",
        "такой такая такое такие такого такому таким таком таких такими такую "
        "подобный подобная подобное подобные подобного подобной подобному подобным подобном подобных подобными",
    ),
    "en": (
        "he him his himself",
        "she her hers herself",
        "it its itself",
        "they them their theirs themselves",
        "i me my mine",
        "this these such",
        "that those such",
    ),
}
# Forms that stand only after a preposition, or that are something else where they begin a sentence: «Том», «Данные».
_NEVER_FIRST = frozenset(
    "него нему ним нем нее ней нею них ними мной мною том этом таком данные данных данным данными".split()
)
_LINKS: dict[str, tuple[str, ...]] = {
    "ru": tuple(
        "также, кроме того, кроме этого, помимо того, помимо этого, более того, к тому же, при этом, после этого, "
        "благодаря этому, в связи с этим, в связи с чем, в этой связи, поэтому, именно поэтому, вот почему, потому, "
        "оттого, так что, итак, значит, следовательно, вследствие этого, вследствие чего, в результате этого, в "
        "результате чего, из-за этого, из-за чего, ввиду этого, в силу этого, по этой причине, таким образом, тем "
        "самым, тем не менее, несмотря на это, однако, впрочем, зато, ведь, притом, причем, вместе с тем, между "
        "тем, наряду с этим, сверх того".split(", ")
    ),
    "en": tuple(
        "also, in addition, additionally, moreover, furthermore, after that, because of this, for this reason, "
        "therefore, thus, hence, consequently, nevertheless".split(", ")
    ),
}
# A source may begin with these where its rewrite has another link. A rewrite may too: «Затем» for «Позднее».
_WEAK_LINKS: dict[str, tuple[str, ...]] = {
    "ru": ("но", "а", "и", "в результате", "в итоге", "затем", "потом", "тогда", "наконец", "в то же время", "далее"),
    "en": ("but", "and", "so", "however", "as a result", "then", "finally", "yet", "still"),
}
# «Те, кто…» and “Those who…” point forward.
_FORWARD = frozenset("кто что чей где куда когда как который которая которое которые who which that whose of".split())
_FORWARD_FROM = frozenset("тот та то те того той тому тем тех теми ту those that such".split())

# “It is said that…” points nowhere.
_EMPTY_IT = frozenset(
    """said known believed thought assumed claimed reported estimated expected planned possible impossible likely
    unlikely important necessary hard difficult easy common usual true clear""".split()
)


def continuation_of_the_source(text: str, context: Context) -> str:
    """Rejects a text that begins with a pronoun, determiner or link («Он…», «Кроме того…») that the source has not."""
    tongue = language(context.source)
    if not tongue:
        return ""
    start, source = _folded(text), _folded(context.source)
    opener = _link(start, tongue) or _pronoun(start, tongue)
    # A source that points back itself may do so by another word: «Она» for «Эта женщина».
    if (
        not opener
        or _link(source, tongue)
        or _begins(source, _WEAK_LINKS[tongue])
        or _pronoun(source, tongue)
        or _said(opener, source, tongue)
    ):
        return ""
    return f"continuation of the source: begins with {opener}"


def _folded(text: str) -> list[str]:
    """The words of `text`; of “it's” and “they're” the first part."""
    return [_APOSTROPHE.split(fold(word))[0] for word in words(text)]


def _link(start: Sequence[str], tongue: str) -> str:
    return _begins(start, _LINKS[tongue])


def _begins(start: Sequence[str], links: Sequence[str]) -> str:
    begin = f"{' '.join(start[:5])} "
    return next((link for link in links if begin.startswith(f"{link} ")), "")


def _pronoun(start: Sequence[str], tongue: str) -> str:
    if not start or start[0] in _NEVER_FIRST or (start[0] in _FORWARD_FROM and _FORWARD & set(start[1:4])):
        return ""
    if start[0] == "it" and _EMPTY_IT & set(start[2:4]):
        return ""
    return start[0] if _groups(start[0], tongue) else ""


def _said(opener: str, source: Sequence[str], tongue: str) -> bool:
    if opener in _LINKS[tongue]:
        return f" {opener} " in f" {' '.join(source)} "
    return any(group & set(source) for group in _groups(opener, tongue))


def _groups(word: str, tongue: str) -> list[frozenset[str]]:
    return [group for forms in _PRONOUNS[tongue] if word in (group := frozenset(forms.split()))]
