"""`python -m training.papers.websplit COMMAND …`."""

from __future__ import annotations

import sys

from training.papers.websplit.command import main

if __name__ == "__main__":
    sys.exit(main())
