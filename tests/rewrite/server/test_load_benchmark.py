"""`python -m benchmarks.serve load` counts what it should. No figure of speed is tested."""

from __future__ import annotations

import pytest

from benchmarks.serve import Faults, Server
from tests.rewrite.server.conftest import faked


def test_answers_are_counted_and_wrong_ones_named(capsys: pytest.CaptureFixture[str]) -> None:
    faults = Faults()
    with faked() as fake:
        server = object.__new__(Server)
        server.port = fake.port
        faults.client(server, 0)  # it reads slowly
        faults.client(server, 1)
        faults.refusal(422, b'{"error": {"message": "The text is empty."}}')
        faults.print("two clients")
        assert capsys.readouterr().out.split() == ["two", "clients", "40", "×", "200,", "1", "×", "422"]
        assert faults.wrong == []
        faults.refusal(429, b'{"error": {"message": ""}}')
        faults.refusal(200, b'{"error": {"message": "no refusal"}}')
        assert faults.wrong == ["429", "200"]
