"""Brings a lab up as far as it gets, a line for everything that happens; test_faults kills it on the way."""

from __future__ import annotations

import sys
from pathlib import Path

from hardway.drive.live import open_world
from hardway.drive.loop import Options, drive
from hardway.lab import ground


def main(folder: Path, until: int) -> None:
    made = ground.prepare(folder, progress=lambda what, done, total: print(what, flush=True))
    print("ground ready", flush=True)
    world = open_world(made.cluster, folder / "assets", made.hands)
    drive(world, lambda event: print(event.line(), flush=True), Options(until=until))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
