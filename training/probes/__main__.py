"""`python -m training.probes NAME …`."""

from __future__ import annotations

import sys

from training.probes.command import main

if __name__ == "__main__":
    sys.exit(main())
