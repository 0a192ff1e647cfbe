"""`python -m specgen`."""

from __future__ import annotations

from specgen.cli import main

main()
