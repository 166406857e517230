"""The machines of a cluster, as a program that runs on each of them sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from hardway.gather.archive import OVER, Archive, part
from hardway.gather.commands import Command, commands, pod_logs
from hardway.model.cluster import Cluster
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import HardwayError, ToolError
from hardway.tools.run import Done

Run = Callable[[str, Sequence[str]], Done]
AT_ONCE = 4


def machines(archive: Archive, cluster: Cluster, run: Run, names: Iterable[str]) -> None:
    """Side by side; one that does not answer is asked once."""
    with ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="gather") as pool:
        list(pool.map(lambda name: _machine(archive, cluster, run, name), names))


def _machine(archive: Archive, cluster: Cluster, run: Run, name: str) -> None:
    folder = f"machines/{part(name)}"
    if archive.patience.ended():
        archive.miss(folder, OVER)
        return
    try:
        run(name, ["true"])
    except (HardwayError, OSError) as error:
        archive.miss(folder, str(error))
        return
    for row in commands(cluster):
        archive.attempt(f"{folder}/{row.file}", f"{name}: {row.what}", partial(_printed, run, name, row))
    if archive.patience.ended():
        archive.miss(f"{folder}/pods", OVER)
        return
    try:
        for file, content in _pod_logs(run, name):
            archive.add(f"{folder}/pods/{file}", content, f"{name}: a container's log")
    except (HardwayError, OSError) as error:
        archive.miss(f"{folder}/pods", str(error))


def _printed(run: Run, name: str, row: Command) -> str:
    done = run(name, row.argv)
    if not done.ok and not done.output.strip():
        raise ToolError(" ".join(done.errors.split())[:300] or f"{row.argv[0]} ended with {done.code}")
    return done.output


def _pod_logs(run: Run, name: str) -> Iterator[tuple[str, str]]:
    """One answer for all of them; what separates them cannot be guessed by who writes a log."""
    mark = SystemEntropy().random("mark", 16).hex()
    done = run(name, pod_logs(mark))
    for text in done.output.split(f"{mark} ")[1:]:
        file, _, content = text.partition("\n")
        yield "/".join(part(piece) for piece in file.split("/")), content
