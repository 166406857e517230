"""Files of load balancers and name servers that anybody wrote: whatever is in them, reading ends and says something."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.checks.network.haproxy.table import check
from hardway.model.errors import ConfigError
from hardway.network.dns import bind, dnsmasq
from hardway.network.dns.files import merged, read_dnsmasq
from hardway.network.dns.zone import records
from hardway.network.haproxy import config
from tests.support.clusters import load_cluster

CLUSTER = load_cluster().cluster
ZONE = bind.files(CLUSTER)["db.ocp4.example.com"]


def mangled(text: str) -> st.SearchStrategy[str]:
    """The text with some lines cut, doubled, or with a piece of anything in them."""
    lines = text.splitlines()
    change = st.tuples(st.integers(0, len(lines) - 1), st.integers(0, 40), st.text(max_size=12), st.booleans())

    def apply(changes: list[tuple[int, int, str, bool]]) -> str:
        out = list(lines)
        for number, place, piece, cut in changes:
            out[number] = out[number][:place] + piece + ("" if cut else out[number][place:])
        return "\n".join(out)

    return st.lists(change, max_size=6).map(apply)


@settings(max_examples=100)
@given(mangled(config.config(CLUSTER)))
def test_a_haproxy_cfg(text: str) -> None:
    report = check("haproxy.cfg", text, CLUSTER, "balancer")
    assert all(f.subject and f.message and f.fix for f in report.findings)


@settings(max_examples=100)
@given(mangled(dnsmasq.config(CLUSTER)))
def test_a_dnsmasq_conf(text: str) -> None:
    server = read_dnsmasq("dnsmasq.conf", text)
    assert server.answer("api.ocp4.example.com", "A").code in ("NOERROR", "NXDOMAIN")


@settings(max_examples=100)
@given(mangled(ZONE))
def test_a_zone(text: str) -> None:
    """It is read, or refused with a message and its fix."""
    try:
        server = merged("zone", [records(text, "ocp4.example.com", file="zone")])
        said = server.answer("x.apps.ocp4.example.com", "A").code
    except ConfigError as error:
        said = str(error)
    assert said in ("NOERROR", "NXDOMAIN") or re.fullmatch(r"zone: .+\n    fix: .+", said, re.DOTALL)
