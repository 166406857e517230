"""A lab for an archive: its API, etcd, load balancer and nodes. Of a node that is off, the journal and the console."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hardway.drive import record
from hardway.gather import api
from hardway.gather.archive import Archive
from hardway.gather.commands import LINES
from hardway.gather.machines import machines
from hardway.lab.node import console, journal_folder
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared
from hardway.lab.services import IMAGES, LOAD, NAMES, admin_socket
from hardway.lab.up import live_cluster
from hardway.network.haproxy.runtime import ask
from hardway.tools.run import run

JOURNAL = "journal.log"
MOST = 8 << 20  # bytes of the end of a file


def gather(archive: Archive, lab: Prepared) -> None:
    live, there = live_cluster(lab), lab.paths.laid_out()
    on = [name for name in there if live.machines.running(name)]
    api.objects(archive, live.api)
    for name, member in live.members.items():
        if name in on:
            api.etcd(archive, name, member)
        else:
            archive.miss(f"etcd/{name}", "the machine is off")
    archive.attempt("balancer.csv", "HAProxy's servers", partial(ask, admin_socket(lab.paths), "show stat -1 4 -1"))
    for name in (NAMES, LOAD, IMAGES):
        archive.attempt(f"services/{name}.log", f"the log of {name}", partial(_end, lab.paths.services / f"{name}.log"))
    archive.attempt("lab/events.jsonl", "what `lab up` did", partial(_end, lab.paths.folder / record.EVENTS))
    for name in there:
        archive.attempt(f"machines/{name}/console.log", f"{name}: console", partial(_end, console(lab.paths, name)))
        if name not in on:
            archive.miss(f"machines/{name}", "the machine is off")
            archive.attempt(f"machines/{name}/{JOURNAL}", f"{name}: journal", partial(_journal, lab.paths, name))
    machines(archive, lab.cluster, live.machines.run, on)


def _end(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - MOST))
        return stream.read(MOST)


def _journal(paths: LabPaths, name: str) -> str:
    folder = f"--directory={journal_folder(paths, name)}"
    return run(["journalctl", folder, "--no-pager", "--output=short-iso", f"--lines={LINES}"])
