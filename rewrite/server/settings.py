"""How the server is run: what `rewrite serve` makes of its flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

TaskName = Literal["simplify", "split", "compress"]

MODELS = ("simplify-ru", "simplify-en", "split-en", "compress-ru", "compress-en")
"""A task in a language, by the name that clients give a model, in the order in which they are loaded."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a request may ask for; each is refused with a 4xx that names the number.

    `body` in bytes, `characters` and `sentences` of all texts of a request, `candidates` given or drawn for each
    sentence, `drawn` for all of them, `keep` words that are to stay, `seconds` from the request to the end of its
    answer, `queue` sentences that wait, of all requests; one client may have half of them.
    """

    body: int = 8_000_000
    characters: int = 500_000
    sentences: int = 2_000
    candidates: int = 200
    drawn: int = 60_000
    keep: int = 2_000
    seconds: float = 300.0
    queue: int = 4_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """`workers` processes hold the models, those named in `load` from the start; where they are `optional`, one that
    lacks an extra does not keep the server from being ready.

    `generators` replace the defaults of tasks and may then be named by requests; `token` is asked of every request but
    those for the page, its documentation and `/health`; `origins` of other sites may read answers (CORS). A request's
    Host must be among `hosts`, if there are any; `proxies` are believed when they say for whom they ask.
    """

    workers: int = 1
    load: tuple[str, ...] = MODELS
    optional: bool = False
    generators: Mapping[TaskName, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    token: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    log_texts: bool = False
    own_metrics_port: bool = False
