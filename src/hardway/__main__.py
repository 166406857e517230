"""`python -m hardway`."""

from __future__ import annotations

from hardway.cli.main import main

main()
