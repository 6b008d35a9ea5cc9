"""What verbs tell of: an event that is over, a result of all that was said before, something done to an object."""

from __future__ import annotations

from rewrite.splitting.words import Words

# Who or what these are done by they may be done by as long as they are so: *a hotel owned by Tom*.
_LASTING_BY = frozenset(
    """
    owned led run headed operated managed ruled governed served spoken used fed crossed coached captained hosted
    presented represented surrounded bordered inhabited occupied supported maintained administered known followed
    drained covered divided accompanied preceded succeeded regulated sanctioned controlled funded sponsored
    distributed broadcast manufactured licensed overseen chaired edited staffed backed worn played taught celebrated
    observed considered regarded seen called named organised organized offered provided held bounded
    """.split()
)
# Participles of events: with the main clause in the present they were still done in the past.
_EVENTS = frozenset(
    """
    born founded formed established built created written directed released published discovered designed produced
    recorded introduced opened launched killed elected appointed invented developed constructed completed adopted
    """.split()
)
# What is said before brings about what these tell, not its subject alone: *…, making it the largest*.
RESULTS = frozenset(
    "make cause lead allow result give force enable leave mean bring create prompt require end mark suggest".split()
)


# Their past needs an object: *It held in May* was *It was held in May*, and *It opened in May* is said.
TRANSITIVE = frozenset(
    """
    found locate situate name base bear know disguise favor favour build hold use appoint elect award describe
    establish create discover invent publish kill destroy capture rename nickname attach assign bury inspire influence
    own fund sponsor commission nominate
    """.split()
)


def happened(words: Words, participle: int) -> bool:
    """Whether a participle tells of an event in the past, whatever the main clause tells: *born*, *renamed in 1990*."""
    if words[participle].lower in _EVENTS:
        return True
    agents = (c for c in words.children[participle] if words[c].pos == "PROPN")
    if words[participle].lower not in _LASTING_BY and any(
        words[n].lower == "by" for agent in agents for n in words.children[agent]
    ):
        # *allegations brought by Tom*
        return True
    # *1990*, *1990s*
    return any(words[n].text[:4].isdigit() and words[n].text[4:] in ("", "s") for n in words.subtree(participle))
