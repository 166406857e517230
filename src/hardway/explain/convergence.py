"""The table of ClusterOperators in the guide: `python -m hardway.explain.convergence PAGE` writes it anew."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from hardway.emit.markdown import code, table
from hardway.release.convergence import TABLE

BEGIN, END = "<!-- operators -->", "<!-- end of operators -->"


def operators() -> str:
    rows = [(code(row.name), row.why.what, row.capability, row.waits, row.normal, row.do) for row in TABLE]
    return table(("operator", "what it brings", "capability", "waits for", "is normal", "if it stays"), rows)


def written(page: str) -> str:
    """The page with the table between its marks."""
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n\n{operators()}\n\n{END}", page, flags=re.DOTALL)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(written(file.read_text()))
