"""`rewrite serve`: the HTTP server and its page."""

from __future__ import annotations

import errno
import os
import re
import socket
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from rerank.workers import cores
from rewrite.commands.flags import MaybeNumber, MaybeText, MaybeTexts, documented_exits
from rewrite.errors import BadInput, BadOption, MissingExtra

if TYPE_CHECKING:
    from rewrite.server.settings import Settings, TaskName

_NEEDED = ("fastapi", "fastapi_offline", "uvicorn", "prometheus_client")


def serve(
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 is every one of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8008,
    workers: Annotated[
        MaybeNumber,
        typer.Option(
            min=1,
            max=64,
            help="Worker processes at most, each with models of its own; the second starts when one has been too "
            "few for some seconds. "
            "Without it 2, on a single core 1.",
            show_default=False,
        ),
    ] = None,
    load: Annotated[
        MaybeTexts,
        typer.Option(
            help="A model to load at the start, as simplify-ru; may be repeated. Without it all.", show_default=False
        ),
    ] = None,
    generator: Annotated[
        MaybeTexts,
        typer.Option(
            metavar="TASK=GENERATOR",
            help="Where the candidates of a task come from, as simplify=ct2:MODEL; may be repeated.",
            show_default=False,
        ),
    ] = None,
    token_file: Annotated[
        MaybeText,
        typer.Option(metavar="FILE", help="Ask every client for the token in this file; or in $REWRITE_TOKEN."),
    ] = None,
    proxy: Annotated[
        MaybeTexts,
        typer.Option(
            metavar="ADDRESS",
            help="A reverse proxy, which is believed when it says for whom it asks, and may ask under any name; may "
            "be repeated.",
            show_default=False,
        ),
    ] = None,
    cors: Annotated[
        MaybeTexts,
        typer.Option(
            metavar="ORIGIN", help="A site whose pages may ask this server; may be repeated.", show_default=False
        ),
    ] = None,
    metrics_port: Annotated[
        MaybeNumber, typer.Option(min=1, max=65535, help="Give /metrics a port of its own.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="How long a request may take.")] = 300.0,
    max_body: Annotated[int, typer.Option(min=1_000, help="Bytes of a request at most.")] = 8_000_000,
    max_sentences: Annotated[int, typer.Option(min=1, help="Sentences of a request at most.")] = 2_000,
    max_candidates: Annotated[int, typer.Option(min=1, help="Candidates of a sentence at most.")] = 200,
    queue: Annotated[int, typer.Option(min=2, help="Sentences that may wait, of all requests.")] = 4_000,
    log_texts: Annotated[
        bool, typer.Option("--log-texts", help="Write the texts of requests to standard error.")
    ] = False,
) -> None:
    """Serve all tasks over HTTP, with a page to use them in a browser, until Ctrl-C or SIGTERM.

    Models stay loaded. The page is at /, the API is described at /docs; programs for OpenAI, Cohere, Jina and
    LanguageTool servers can be pointed at it.
    """
    with documented_exits():
        for module in _NEEDED:
            if find_spec(module) is None:
                raise MissingExtra("The server is not installed.", hint="Run: pip install 'rewrite-rerank[serve]'")
        from rewrite.server.settings import MODELS, Limits, Settings

        token = _token(token_file)
        proxies = _proxies(proxy or ())
        listening = _bound(host, port)
        is_loopback = ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback
        settings = Settings(
            workers=workers or min(2, cores()),
            load=_known_models(load or MODELS, MODELS),
            optional=not load,
            generators=_generators(generator or ()),
            limits=Limits(
                body=max_body, sentences=max_sentences, candidates=max_candidates, seconds=seconds, queue=queue
            ),
            token=token,
            origins=_origins(cors or ()),
            hosts=_own_names(host) if is_loopback and not proxies else (),
            proxies=proxies,
            log_texts=log_texts,
            own_metrics_port=metrics_port is not None,
        )
        _check_generators(settings)
        if not is_loopback and not token:
            print(f"rewrite: whoever reaches {host} may use this server: set REWRITE_TOKEN.", file=sys.stderr)
        _run(settings, listening, None if metrics_port is None else (host, metrics_port))


def _check_generators(settings: Settings) -> None:
    """Raises `UnknownName` and `BadOption` for generators that tasks have not. Models are looked for when they load."""
    if settings.generators:
        from rewrite.pipeline import Pipeline
        from rewrite.server.tasks import read_options

        for task in settings.generators:
            Pipeline(read_options(task, {}, {}, None, settings))


def _run(settings: Settings, listening: socket.socket, metrics: tuple[str, int] | None) -> None:
    from rewrite.server.pool import Worker

    # First of all: they load models while this process imports the rest.
    workers = [Worker(settings, at_once=number == 0) for number in range(settings.workers)]
    try:
        from rewrite.server.running import run

        code = run(settings, workers, listening, None if metrics is None else _free(*metrics))
    finally:
        for worker in workers:
            worker.kill()
    raise typer.Exit(code)


def _own_names(host: str) -> tuple[str, ...]:
    """What a request's Host may be on a loopback address, without the port."""
    return tuple(dict.fromkeys(("localhost", "127.0.0.1", "[::1]", f"[{host}]" if ":" in host else host.lower())))


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises `BadOption` where it cannot."""
    if not host.strip():
        raise BadOption("--host got an empty address.", hint="Write 0.0.0.0 for every one of this machine.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
        # Connections inherit it. asyncio would set it for sockets of its own making alone, and without it an answer's
        # head and body are 40 ms apart.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except OSError as error:
        # A name that stands for no address has a number of its own.
        number = error.errno or 0
        reason = os.strerror(number) if number in errno.errorcode else error.strerror
        raise BadOption(f"Cannot listen at {host}, port {port}: {reason}.", hint=_hint(error)) from None


def _hint(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "Another program is there, perhaps another rewrite serve: give another --port."
    if error.errno in (errno.EACCES, errno.EPERM):
        return "Ports below 1024 are for the administrator: give another --port."
    return "Give an address of this machine as --host."


def _free(host: str, port: int) -> tuple[str, int]:
    """The address, if one can listen there. Raises `BadOption` where not."""
    _bound(host, port).close()
    return host, port


def _token(path: str | None) -> str:
    """The token of the file or of the environment; empty where there is none. It is printed nowhere."""
    place = "$REWRITE_TOKEN" if path is None else repr(path)
    try:
        given = os.environ.get("REWRITE_TOKEN") if path is None else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"Cannot read the token in {path!r}: {getattr(error, 'strerror', None) or 'not UTF-8'}."
        ) from None
    if given is not None and not given.strip():
        raise BadInput(f"There is no token in {place}.", hint="Write one on its first line.")
    return (given or "").strip()


def _known_models(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise BadOption(f"--load got {name!r}.", hint=f"Known: {', '.join(known)}.")
    return tuple(dict.fromkeys(names))


def _proxies(items: Sequence[str]) -> tuple[str, ...]:
    names = [name.strip() for listed in items for name in listed.split(",")]
    try:
        for name in names:
            ip_network(name, strict=False)
    except ValueError as error:
        hint = "Write an address or a network, as 127.0.0.1 or 10.0.0.0/8."
        raise BadOption(f"--proxy got {', '.join(names)!r}: {error}.", hint=hint) from None
    return tuple(names)


def _origins(items: Sequence[str]) -> tuple[str, ...]:
    for item in items:
        if item != "*" and not re.fullmatch(r"https?://[^/\s]+", item):
            raise BadOption(f"--cors got {item!r}.", hint="Write an origin, as https://example.org, or *.")
    return tuple(items)


def _generators(items: Sequence[str]) -> dict[TaskName, str]:
    from rewrite.server.settings import TaskName

    generators: dict[TaskName, str] = {}
    for item in items:
        task, separator, spec = item.partition("=")
        named = next((name for name in get_args(TaskName) if name == task), None)
        if not separator or named is None or not spec:
            raise BadOption(f"--generator got {item!r}.", hint="Write TASK=GENERATOR, as in simplify=ct2:MODEL.")
        generators[named] = spec
    return generators
