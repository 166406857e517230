"""Real name servers with generated files, in a test's own network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hardway.model.cluster import Cluster
from hardway.model.entropy import SystemEntropy
from hardway.network.dns import bind, dnsmasq
from hardway.network.dns.answer import Answer
from hardway.network.dns.client import NoAnswer, Server, ask
from hardway.network.dns.records import Kind
from tests.support.netns import inside, program
from tests.support.waiting import until

NAMED = """\
options {{
    directory "{folder}";
    pid-file none;
    session-keyfile none;
    listen-on port 53 {{ any; }};
    listen-on-v6 port 53 {{ any; }};
    recursion no;
}};
controls {{ }};
include "{folder}/named.conf.hardway";
"""


def look(name: str, server: str, record: str, kind: Kind) -> Answer:
    with inside(name):
        return ask(Server(address=server), record, kind, SystemEntropy())


def _answers(name: str, server: str, record: str) -> bool:
    try:
        return look(name, server, record, "A").code == "NOERROR"
    except NoAnswer:
        return False


@contextmanager
def running_dnsmasq(
    name: str, folder: Path, cluster: Cluster, change: Callable[[str], str] = lambda text: text
) -> Iterator[Path]:
    config, log = folder / dnsmasq.NAME, folder / "dnsmasq.log"
    config.write_text(change(dnsmasq.config(cluster)))
    folder.chmod(0o755)
    with program(name, ["dnsmasq", "-k", "-C", str(config), "--pid-file=", "--log-facility=-"], log) as process:
        known = f"etcd-0.{cluster.domain}"
        until(lambda: process.poll() is not None or _answers(name, cluster.dns_servers[0], known), log.read_text)
        assert process.poll() is None, log.read_text()
        yield log


@contextmanager
def running_named(name: str, folder: Path, cluster: Cluster) -> Iterator[Path]:
    for file, text in bind.files(cluster).items():
        (folder / file).write_text(text)
    (folder / "named.conf").write_text(NAMED.format(folder=folder))
    log = folder / "named.log"
    with program(name, ["named", "-g", "-c", str(folder / "named.conf")], log) as process:
        known = f"etcd-0.{cluster.domain}"
        until(lambda: process.poll() is not None or _answers(name, cluster.dns_servers[0], known), log.read_text)
        assert process.poll() is None, log.read_text()
        yield log
