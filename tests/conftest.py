"""Fixtures shared by all tests."""

from __future__ import annotations

import pytest

from rerank.analysis import Analyzer


@pytest.fixture(scope="session")
def analyzer() -> Analyzer:
    """One analyser for the whole run, so that each tagger is loaded once at most."""
    return Analyzer()
