"""Brings a lab up as far as it gets, a line for everything that happens; test_faults kills it on the way."""

from __future__ import annotations

import sys
from pathlib import Path

from hardway.drive.live import open_cluster
from hardway.drive.loop import Options, drive
from hardway.lab import prepared


def main(folder: Path, until: int) -> None:
    made = prepared.prepare(folder, progress=lambda what, done, total: print(what, flush=True))
    print("prepared", flush=True)
    live = open_cluster(made.cluster, folder / "assets", made.machines)
    drive(live, lambda event: print(event.line(), flush=True), Options(until=until))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
