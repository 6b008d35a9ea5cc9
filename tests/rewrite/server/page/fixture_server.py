"""A server that answers the page as the real one does, from recorded results, and fails when it is told to."""

from __future__ import annotations

import json
import mimetypes
import random
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from rerank.weights import ENGLISH_PRESETS, KNOB, PRESETS

WEB = Path(__file__).parents[4] / "rewrite" / "server" / "web"
RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "recorded.json").read_text(encoding="utf-8"))
COMPONENTS = RECORDED["ru"]["sentences"][0]["table"]["components"]


def _named(presets: Any) -> dict[str, dict[str, float]]:
    return {name: dict(weights) for name, weights in presets.items()}


_COMPRESS = {"balanced": {"ratio": 1.0, "caution": 0.0}, "accurate": {"ratio": 1.0, "caution": 0.3}}
ANSWERS = {
    "/v1/tasks": [
        {
            "name": "simplify",
            "languages": ["ru", "en"],
            "options": {
                "properties": {"n": {"type": "integer", "minimum": 1, "default": 30}, "strict": {"type": "boolean"}}
            },
            "components": [{"name": name, "what": ""} for name in COMPONENTS],
            "needs": "",
        },
        {
            "name": "split",
            "languages": ["en"],
            "options": {"properties": {}},
            "components": [],
            "needs": 'pip install "rewrite-rerank[lm]"',
        },
        {
            "name": "compress",
            "languages": ["ru", "en"],
            "options": {
                "properties": {"ratio": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]}}
            },
            "components": [],
            "needs": "",
        },
    ],
    "/v1/presets": {
        "simplify": {"ru": _named(PRESETS), "en": _named(ENGLISH_PRESETS)},
        "split": {"en": _COMPRESS},
        "compress": {"ru": _COMPRESS, "en": _COMPRESS},
        "knob": [list(stop) for stop in KNOB],
    },
}


def synthetic(source: str, seed: int, candidates: int = 3) -> dict[str, Any]:
    """A sentence of which nothing is recorded: candidates without some of its words, with values at random."""
    draw = random.Random(seed)
    words = source.split(" ")
    texts = {" ".join(w for w in words if draw.random() > 0.15) for _ in range(candidates * 3)} - {source, ""}
    chosen = sorted(texts)[:candidates]
    table = {
        "source": source,
        "components": COMPONENTS,
        "candidates": [{"text": t, "generator": "edits", "count": 1, "blocked": "", "edits": []} for t in chosen],
        "values": [[round(draw.uniform(0.3, 1), 6) for _ in COMPONENTS] for _ in chosen],
        "source_values": [0.5 for _ in COMPONENTS],
        "threshold": 0.0,
        "digest": f"{seed}",
    }
    first = 0 if chosen else None
    text = chosen[0] if chosen else source
    return {
        "source": source, "text": text, "skipped": "", "error": "", "score": 0.5, "choice": first, "why": ["shorter"],
        "edits": [], "table": table,
    }  # fmt: skip


def results(body: dict[str, Any], server: FixtureServer) -> list[dict[str, Any]]:
    made = []
    for text in body.get("texts") or [body["text"]]:
        whole = next((r for r in RECORDED.values() if r["source"] == text), None)
        if whole is None:
            parts = re.split(r"(?<=[.!?])(\s+)", text.strip())
            known = {s["source"]: s for r in RECORDED.values() for s in r["sentences"]}
            sentences = [known.get(s) or synthetic(s, i, server.candidates) for i, s in enumerate(parts[::2])]
            language = "ru" if re.search("[а-я]", text) else "en"
            whole = {
                **RECORDED[language],
                "source": text,
                "text": "",
                "gaps": ["", *parts[1::2], ""],
                "sentences": sentences,
            }
        made.append(whole)
    return made


class _Handler(BaseHTTPRequestHandler):
    server: FixtureServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None: ...

    def send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path in ANSWERS:
            self.send(200, json.dumps(ANSWERS[self.path]).encode())
            return
        file = WEB / (self.path.removeprefix("/static/") if self.path.startswith("/static/") else "index.html")
        kind = mimetypes.guess_type(file.name)[0] or "text/plain"
        self.send(200, file.read_bytes(), "text/javascript" if file.suffix == ".js" else kind)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, body))
        self.server.tokens.append(self.headers["Authorization"])
        if self.server.refusals:
            status, error = self.server.refusals.pop(0)
            self.send(status, json.dumps({"error": error}).encode(), Retry_After="7")
        elif self.path == "/v1/rewrite":
            self.stream(results(body, self.server))
        else:
            self.send(200, json.dumps(getattr(self, self.path.removeprefix("/v1/"))(body)).encode())

    def score(self, body: dict[str, Any]) -> dict[str, Any]:
        numbers = set(re.findall(r"\d+", body["source"]))
        lost = [sorted(numbers - set(re.findall(r"\d+", text))) for text in body["candidates"]]
        rows = [
            {"text": text, "blocked": f"{gone[0]} is dropped" if gone else ""}
            for text, gone in zip(body["candidates"], lost, strict=True)
        ]
        return {"table": {"candidates": rows}, "rows": list(range(len(rows)))}

    def readability(self, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "results": [
                {"words_per_sentence": len(t.split()) / 2, "rare_words": 0.1, "grade": None} for t in body["texts"]
            ]
        }

    def document(self, body: dict[str, Any]) -> dict[str, Any]:
        return body

    def preferences(self, body: dict[str, Any]) -> dict[str, Any]:
        weights = {**body["start"], "length": 9.25}
        return {"weights": weights, "agreement": {"before": 0.4, "after": 0.9}, "choices": len(body["choices"])}

    def stream(self, made: list[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        starts = [
            {
                "gaps": r["gaps"],
                "sentences": [s["source"] for s in r["sentences"]],
                "language": r["language"],
                "weights": r["weights"],
            }
            for r in made
        ]
        self.event({"type": "start", "version": "0.1.0", "task": "simplify", "results": starts})
        sent = 0
        for i, result in enumerate(made):
            for j, sentence in enumerate(result["sentences"]):
                if self.server.cut_after is not None and sent >= self.server.cut_after:
                    self.close_connection = True
                    return
                if self.server.fail_after is not None and sent >= self.server.fail_after:
                    self.event(
                        {"type": "error", "error": {"message": "The work took more than 300 s.", "type": "TimeOver"}}
                    )
                    self.close_connection = True
                    return
                if self.server.delay:
                    time.sleep(self.server.delay)
                sent += 1
                self.event({"type": "sentence", "result": i, "index": j, "sentence": sentence})
            self.event({"type": "result", "result": i, **{k: v for k, v in result.items() if k != "sentences"}})
        self.wfile.write(b"data: [DONE]\n\n")

    def event(self, event: dict[str, Any]) -> None:
        try:
            self.wfile.write(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode())
        except OSError:
            self.server.gone += 1
            raise


class FixtureServer(ThreadingHTTPServer):
    """`delay` seconds before each sentence; after `cut_after` sentences the connection ends, after `fail_after` an
    error comes; `refusals` come first.

    `requests` are those that were posted, `gone` counts clients that went away.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server_port}/"
        self.reset()

    def reset(self) -> None:
        self.delay = 0.0
        self.cut_after: int | None = None
        self.fail_after: int | None = None
        self.candidates = 3
        self.refusals: list[tuple[int, dict[str, Any]]] = []
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.tokens: list[str | None] = []
        self.gone = 0

    def handle_error(self, request: Any, client_address: Any) -> None: ...


if __name__ == "__main__":
    print(FixtureServer().address, flush=True)
    threading.Event().wait()
