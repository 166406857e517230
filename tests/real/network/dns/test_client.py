"""The DNS client beside a real server."""

from __future__ import annotations

from tests.support.clusters import load_cluster
from tests.support.dns.servers import look, running_dnsmasq
from tests.support.netns import network


def test_an_answer_that_does_not_fit_comes_over_tcp(tmp_path):
    c = load_cluster().cluster
    many = "".join(f"srv-host=_x._tcp.{c.domain},a-long-name-of-a-host-{n}.{c.domain},1,0,0\n" for n in range(40))
    with network(c.dns_servers) as name, running_dnsmasq(name, tmp_path, c, lambda text: text + many):
        assert len(look(name, c.dns_servers[0], f"_x._tcp.{c.domain}", "SRV").values) == 40
