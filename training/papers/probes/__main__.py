"""`python -m training.papers.probes NAME …`."""

from __future__ import annotations

import sys

from training.papers.probes.command import main

if __name__ == "__main__":
    sys.exit(main())
