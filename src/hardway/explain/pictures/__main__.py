"""`python -m hardway.explain.pictures FOLDER` writes all of them."""

from __future__ import annotations

import sys
from pathlib import Path

from hardway.explain.pages import default_cluster
from hardway.explain.pictures.table import PICTURES

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (Path(sys.argv[1]) / f"{name}.svg").write_text(draw(default_cluster()), encoding="utf-8")
