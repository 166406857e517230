"""The tables of operators and known stalls in the guide: `python -m hardway.explain.convergence PAGE` writes them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from hardway.emit.markdown import code, table
from hardway.release.convergence import TABLE
from hardway.release.stalls import TABLE as STALLS


def operators() -> str:
    rows = [(code(row.name), row.why.what, row.capability, row.waits, row.normal, row.do) for row in TABLE]
    return table(("operator", "what it brings", "capability", "waits for", "is normal", "if it stays"), rows)


def stalls() -> str:
    rows = [
        (code(row.name), ", ".join(row.operators), row.why.what, ", ".join(row.failures), row.fix) for row in STALLS
    ]
    return table(("stall", "operators", "what it is", "failures", "fix"), rows)


def written(page: str) -> str:
    """The page with the tables between their marks."""
    return _placed("stalls", stalls(), _placed("operators", operators(), page))


def _placed(name: str, text: str, page: str) -> str:
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    return re.sub(f"{begin}.*{end}", lambda _: f"{begin}\n\n{text}\n\n{end}", page, flags=re.DOTALL)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(written(file.read_text()))
