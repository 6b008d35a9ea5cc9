"""How fast the server is beside the same work in process, and what becomes of requests under load and faults.

    python -m benchmarks.serve speed --data FOLDER [--generator edits] [--sentences 32] [--rounds 5]
    python -m benchmarks.serve start [--generator edits] [--rounds 5]
    python -m benchmarks.serve load

`speed`: sources of RSSE dev, in process and over HTTP, which take turns: one at a time, ten turns a round, each timed
where it is asked for; then shares of them in one batch, from one client, and from 16 that share one worker, or have as
many as a server starts by itself. No row has met a sentence before. Bars: a request takes at most 1.15 times as long as
the pipeline; 16 clients get 0.9 times as much done as a batch does, and 1.3 times as much as one client.
`start`: from nothing to the first answer, of the server and of the command line, which take turns. Bar: 1.5 times as
long. `load`: 64 clients with 20 requests each, of which a quarter read streams of hundreds of kB slowly; a worker
killed midway; 200 such streams at once; a book; bodies cut off, too large, and not UTF-8; a flood past the bound of the
queue. Every request must be answered once, to its own question, or refused with a reason; nothing may be left waiting,
and memory stay below bounds.

Exit code 1 where a bar is missed. The server is of this checkout, on a free port of the loopback.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measuring import Apart, Race, Work, command_line, rsse_examples, settle
from rerank.workers import cores
from rewrite.pipeline import Pipeline
from rewrite.request import Options

LATENCY, CLIENTS, BATCH, START = 1.15, 1.3, 0.9, 1.5
PEAK, BOOK, LEFT = 1000.0, 1150.0, 64.0
"""MiB that the server and its workers may hold under `load` with `edits`, before the book and with it, half as much
again as they did; how much more the server may hold after bodies that were cut off than before.
"""
_CLIENTS = 16
_REPEATED, _CUT = 30, 50
"""How often a stream holds its sentence, which is worked on once; bodies that are cut off."""
_FIRST = "Кошка, которую нашли дети, спала на старом диване, который стоял в углу."
_JSON = {"Content-Type": "application/json"}


class Server:
    """A server in a process of its own."""

    def __init__(self, *flags: str) -> None:
        command = [sys.executable, "-m", "rewrite", "serve", "--port", "0", *flags]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.port = int(self.process.stderr.readline().split(" (")[0].rpartition(":")[2])
        # Nobody may wait for a full pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def connection(self) -> http.client.HTTPConnection:
        """A new connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def wait(self) -> None:
        """Until the models are loaded."""
        while self.get("/health")[0] != 200:
            time.sleep(0.1)

    def get(self, path: str) -> tuple[int, bytes]:
        """Status and body."""
        return asked(self.connection(), "GET", path)

    def rewrite(self, text: str, connection: http.client.HTTPConnection | None = None) -> tuple[int, bytes]:
        """Status and body of a request to rewrite."""
        body = json.dumps({"text": text, "lang": "ru"}).encode()
        return asked(connection or self.connection(), "POST", "/v1/rewrite", body)

    def children(self) -> list[int]:
        """The processes of its workers."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        found = (int(number) for thread in threads for number in (thread / "children").read_text().split())
        return [pid for pid in found if b"rewrite.server.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def grow(self) -> None:
        """Until it has all workers that it may have, which start where there is work for them."""
        text = " ".join(_sentence(f"g{number}") for number in range(500))
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            body = json.dumps({"text": text, "lang": "ru"}).encode()
            connection.sendall(_head(len(body)) + body)
            while len(self.children()) < min(2, cores()):
                time.sleep(0.1)

    def peak(self) -> float:
        """The most memory that it and its workers have held, in MiB."""
        return sum(_mib(pid, "VmHWM:") for pid in (self.process.pid, *self.children()))

    def memory(self) -> float:
        """What it holds now, without its workers, in MiB."""
        return _mib(self.process.pid, "VmRSS:")

    def waiting(self) -> float:
        """Sentences that wait."""
        lines = self.get("/metrics")[1].decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("rewrite_queue_sentences "))

    def stop(self) -> None:
        """End it as an administrator does."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def _mib(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name)) / 1024


@contextmanager
def serving(*flags: str) -> Iterator[Server]:
    """A server with its models loaded."""
    server = Server(*flags)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


def asked(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None
) -> tuple[int, bytes]:
    """Status and body of an answer."""
    connection.request(method, path, body, _JSON)
    answer = connection.getresponse()
    return answer.status, answer.read()


class _Alone:
    """Sentences in process, with the pipeline loaded; each turn takes the next share of them."""

    def __init__(self, generator: str, shares: Sequence[Sequence[str]]) -> None:
        self._pipeline = Pipeline(Options(generator=generator, lang="ru"))
        self._pipeline.run([_FIRST])
        self._left = iter(shares)

    def __call__(self) -> int:
        return len(self._pipeline.run(next(self._left)))


def parts(sentences: Sequence[str], count: int) -> list[list[str]]:
    """So many sentences each, those alone that are left over are not taken."""
    return [list(sentences[i : i + count]) for i in range(0, len(sentences) - count + 1, count)]


def speed(options: argparse.Namespace) -> int:
    """Print sentences a second in process and over HTTP."""
    count: int = options.sentences
    of_one = 10 * options.rounds
    sentences = [example.source for example in rsse_examples(options.data, of_one + count * (options.rounds + 1) + 1)]
    single, shares = parts(sentences[: of_one + 1], 1), parts(sentences[of_one + 1 :], count)
    flags = ("--load", "simplify-ru", "--generator", f"simplify={options.generator}")
    # Each row has a process of its own, which remembers no sentence of another row; `Apart` comes first, so that all
    # have as many threads.
    alone = (*flags, "--workers", "1")
    with Apart() as apart, serving(*flags) as first, serving(*alone) as second, serving(*flags) as third:
        works = [
            apart.work("pipeline", _Alone, options.generator, single),
            _over_http("server", first, 1, single),
        ]
        one_by_one = Race.run("requests", works, rounds=of_one, warm=1)
        one_by_one.print(f"{options.generator}, a sentence a turn")
        works = [
            apart.work("pipeline, one batch", _Alone, options.generator, shares),
            _over_http("server, 1 client", first, 1, shares),
            _over_http(f"{_CLIENTS} clients, 1 worker", second, _CLIENTS, shares),
            _over_http(f"server, {_CLIENTS} clients", third, _CLIENTS, shares),
        ]
        third.grow()
        many = Race.run("sentences", works, rounds=options.rounds, warm=1)
        many.print(f"{options.generator}, {count} a turn")
    batch, one, alone_many, many_clients = (work.name for work in works)
    slow = one_by_one.missed({("server", "pipeline"): 1 / LATENCY})
    bars = {(many_clients, one): CLIENTS, (alone_many, one): CLIENTS, (alone_many, batch): BATCH}
    return int(many.missed(bars) or slow)


def _over_http(name: str, server: Server, clients: int, shares: Sequence[Sequence[str]]) -> Work:
    """A row of clients that share the sentences of a turn."""
    left = iter(shares)

    def prepared() -> tuple[Sequence[str], list[http.client.HTTPConnection]]:
        settle()
        return next(left), [server.connection() for _ in range(clients)]

    def ask(share: Sequence[str], connection: http.client.HTTPConnection) -> int:
        return sum(_answered(server, sentence, connection) for sentence in share)

    def turn(given: tuple[Sequence[str], list[http.client.HTTPConnection]]) -> int:
        part, connections = given
        with ThreadPoolExecutor(clients) as pool:
            return sum(pool.map(ask, (part[i::clients] for i in range(clients)), connections))

    return Work(name, turn, prepare=prepared)


def _answered(server: Server, text: str, connection: http.client.HTTPConnection) -> int:
    status, body = server.rewrite(text, connection)
    if status != 200:
        raise SystemExit(f"{status}: {body.decode()[:500]}")
    return 1


def start(options: argparse.Namespace) -> int:
    """Print how often a server and a command give a first answer."""

    def served() -> None:
        server = Server("--generator", f"simplify={options.generator}")
        status, body = server.rewrite(_FIRST)
        assert status == 200, body
        server.process.kill()
        server.process.wait()

    command = [sys.executable, "-m", "rewrite", "simplify", "--generator", options.generator, _FIRST]
    cold = Work("rewrite simplify", lambda: subprocess.run(command, check=True, capture_output=True), 1)
    race = Race.run("starts", [cold, Work("rewrite serve", served, 1)], rounds=options.rounds, warm=1)
    race.print(options.generator)
    return int(race.missed({("rewrite serve", "rewrite simplify"): 1 / START}))


def load(options: argparse.Namespace) -> int:
    """Print what became of requests; one that is lost, answered twice or refused without a reason is a miss."""
    faults = Faults()
    flags = ("--load", "simplify-ru", "--generator", "simplify=edits")
    with serving(*flags) as server:
        with ThreadPoolExecutor(64) as clients:
            working = [clients.submit(faults.client, server, number) for number in range(64)]
            time.sleep(3)
            os.kill(server.children()[0], signal.SIGKILL)
            for future in working:
                future.result()
        faults.print("64 clients × 20 requests, a quarter slow, a worker killed")
        with ThreadPoolExecutor(200) as clients:
            list(clients.map(lambda number: faults.stream(server, f"s{number}"), range(200)))
        faults.print("200 streams at once")
        peak = server.peak()
        faults.book(server)
        faults.print("a book of 500 sentences with all their candidates")
        book, before = server.peak(), server.memory()
        for _ in range(_CUT):
            with socket.create_connection(("127.0.0.1", server.port)) as cut:
                cut.sendall(_head(7_000_000) + b'{"text": "' + b"x" * 6_000_000)
        for body in (b"x" * 10_000_000, b'{"text": "\xff"}', b"{", b'{"text": ""}'):
            faults.refusal(*asked(server.connection(), "POST", "/v1/rewrite", body))
        faults.rewrite(server, "last")
        faults.print(f"{_CUT} bodies cut off, 10 MB, not UTF-8, not JSON, empty; then one more")
        waiting, left = server.waiting(), server.memory() - before
    with serving(*flags, "--queue", "40") as server:
        with ThreadPoolExecutor(200) as clients:
            list(clients.map(lambda number: faults.rewrite(server, f"f{number}"), range(200)))
        faults.print("a flood of 200 on a queue of 40")
    print(f"peak {peak:,.0f} MiB, bar {PEAK:,.0f}; with the book {book:,.0f}, bar {BOOK:,.0f}")
    print(f"after bodies cut off {waiting:g} sentences wait; {left:+,.0f} MiB, bar {LEFT:+,.0f}")
    print(f"{len(faults.wrong)} wrong answers {faults.wrong[:3]}")
    return int(bool(faults.wrong or waiting) or peak > PEAK or book > BOOK or left > LEFT)


class Faults:
    """Counts answers by status, and keeps those that are `wrong`."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []

    def print(self, what: str) -> None:
        """How many answers there were of each status since the last time."""
        print(f"{what:68} {', '.join(f'{n} × {status}' for status, n in sorted(self.statuses.items()))}", flush=True)
        self.statuses.clear()

    def client(self, server: Server, number: int) -> None:
        """Twenty requests, one after the other; every fourth client reads slowly."""
        for request in range(20):
            name = f"{number} {request}"
            (self.stream if number % 4 == 0 else self.rewrite)(server, name)

    def rewrite(self, server: Server, name: str) -> None:
        """A request whose answer must be its own."""
        text = _sentence(name)
        status, body = server.rewrite(text)
        if status == 200:
            self.statuses[200] += 1
            self._check(name, [result["source"] for result in json.loads(body)["results"]] == [text])
        else:
            self.refusal(status, body)

    def book(self, server: Server) -> None:
        """One request with many sentences and a large answer."""
        sentences = [_long_sentence(str(number)) for number in range(500)]
        body = json.dumps({"text": " ".join(sentences), "lang": "ru", "options": {"n": 100}}).encode()
        status, answer = asked(server.connection(), "POST", "/v1/rewrite", body)
        self.statuses[status] += 1
        told = json.loads(answer)["results"][0]["sentences"] if status == 200 else ()
        self._check("book", [sentence["source"] for sentence in told] == sentences)

    def stream(self, server: Server, name: str) -> None:
        """A stream that fills the socket, read a little at a time: each sentence once, its own, and the end."""
        sentence = _long_sentence(name)
        body = json.dumps({"text": " ".join([sentence] * _REPEATED), "lang": "ru", "stream": True}).encode()
        parts: list[bytes] = []
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            connection.settimeout(200)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(_head(len(body)) + body)
            while part := connection.recv(8_192):
                parts.append(part)
                time.sleep(0.02)
        answer = b"".join(parts)
        self.statuses[int(answer.split(b" ", 2)[1]) if answer else 0] += 1
        lines = [line.removeprefix("data: ") for line in answer.decode().splitlines() if line.startswith("data: ")]
        *events, done = lines or [""]
        told = list(map(json.loads, events))
        sentences = {event["index"]: event["sentence"]["source"] for event in told if event["type"] == "sentence"}
        kinds = Counter(event["type"] for event in told)
        whole = kinds == {"start": 1, "sentence": _REPEATED, "result": 1} and done == "[DONE]"
        self._check(name, whole and sentences == dict.fromkeys(range(_REPEATED), sentence))

    def refusal(self, status: int, body: bytes) -> None:
        """A refusal, which must say why."""
        self.statuses[status] += 1
        self._check(f"{status}", 400 <= status < 600 and bool(json.loads(body)["error"]["message"]))

    def _check(self, name: str, holds: bool) -> None:
        if not holds:
            self.wrong.append(name)


def _sentence(name: str) -> str:
    return f"Кошка номер {name}, которую нашли дети, спала на старом диване."


def _long_sentence(name: str) -> str:
    """One with many candidates."""
    return (
        f"В связи с тем, что сотрудники отдела {name} осуществляли проверку документации, выдача справок была "
        "приостановлена до понедельника, а граждане, которые пришли, были вынуждены вернуться домой."
    )


def _head(length: int) -> bytes:
    lines = ("POST /v1/rewrite HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Connection: close")
    return "\r\n".join((*lines, f"Content-Length: {length}", "", "")).encode()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 1 where a bar is missed."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=["speed", "start", "load"])
    parser.add_argument("--generator", default="edits", help="edits, or edits-lm")
    parser.add_argument("--sentences", type=int, default=32, help="of a turn; 32 by default")
    options = parser.parse_args(arguments)
    return {"speed": speed, "start": start, "load": load}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
