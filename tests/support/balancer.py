"""A real HAProxy with the generated configuration, in a test's own network."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.network.haproxy import config as haproxy
from hardway.network.haproxy.runtime import ask
from tests.support.netns import program
from tests.support.waiting import until


@contextmanager
def running_haproxy(
    name: str, folder: Path, cluster: Cluster, change: Callable[[str], str] = lambda text: text
) -> Iterator[Path]:
    """Its admin socket, after its first checks: no server is UP because nobody has asked it yet."""
    config, admin, log = folder / "haproxy.cfg", folder / "admin.sock", folder / "haproxy.log"
    config.write_text(change(haproxy.config(cluster, socket=str(admin))))
    with program(name, ["haproxy", "-db", "-f", str(config)], log):
        until(lambda: _checked(admin), log.read_text)
        yield admin


def _checked(admin: Path) -> bool:
    try:
        rows = csv.DictReader(ask(admin, "show stat -1 4 -1").removeprefix("# ").splitlines())
    except ToolError:
        return False
    return not any("INI" in row["check_status"] for row in rows)
