"""A haproxy.cfg that somebody wrote: each planted defect is named with its line, and nothing else is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardway.checks.failures import BY_ID
from hardway.checks.network.haproxy.table import TABLE, check
from hardway.cli.network import network as command
from hardway.model.errors import CheckError, ConfigError
from hardway.network.haproxy import config as haproxy
from tests.support.clusters import VARIANTS, install_config, load_cluster
from tests.support.probing import swap
from tests.support.trees import write_folder

CLUSTER = load_cluster().cluster
GOOD = haproxy.config(CLUSTER)
API = "    server master-1 192.168.126.102:6443 check check-ssl verify none\n"

OTHER_STYLE = """\
defaults
    mode                    http
    timeout connect         10s
    timeout client          4h
    timeout server          4h

listen api-server-6443
    bind *:6443
    mode tcp
    option  httpchk
    http-check connect ssl
    http-check send meth GET uri /readyz ver HTTP/1.0
    default-server check verify none inter 3s fall 3 rise 3
    server bootstrap bootstrap.ocp4.example.com:6443
    server master-0 master-0.ocp4.example.com:6443
    server master-1 master-1.ocp4.example.com:6443
    server master-2 master-2:6443

listen machine-config-server-22623
    bind :22623
    mode tcp
    option httpchk GET /healthz
    server bootstrap 192.168.126.100:22623 check check-ssl verify none
    server master-0 192.168.126.101:22623 check check-ssl verify none
    server master-1 192.168.126.102:22623 check check-ssl verify none
    server master-2 192.168.126.103:22623 check check-ssl verify none

frontend plain
    bind 192.168.126.11:80
    default_backend workers-80
frontend secure
    bind 0.0.0.0:443,[::]:443
    mode tcp
    default_backend workers-443
backend workers-80
    option httpchk GET /healthz/ready
    server worker-0 192.168.126.110:80 check port 1936
    server worker-1 192.168.126.111:80 check port 1936
backend workers-443
    mode tcp
    option httpchk GET /healthz/ready
    server worker-0 192.168.126.110 check port 1936
    server worker-1 192.168.126.111 check port 1936
"""


def plain_checks(text):
    return text.replace("check check-ssl verify none", "check")


def by_port_alone(text):
    lines = [line for line in text.splitlines() if "httpchk GET /readyz" not in line]
    return "\n".join(lines) + "\n"


def only(section, change):
    """Change one section alone."""

    def changed(text):
        start = text.index(f"\n{section}\n")
        end = re.search(r"^(frontend|backend) |\Z", text[start + len(section) + 2 :], re.M).start() + start
        return text[:start] + change(text[start : end + len(section) + 2]) + text[end + len(section) + 2 :]

    return changed


DEFECTS = {
    "http-mode": (
        only("frontend api", swap("frontend api\n", "frontend api\n    mode http\n")),
        "haproxy.mode",
        "F25",
        "error",
        "HTTP mode",
    ),
    "http-by-default": (swap("    mode tcp\n", "    mode http\n"), "haproxy.mode", "F25", "error", "HTTP mode"),
    "tls-ends-here": (
        swap("126.10:6443\n", "126.10:6443 ssl crt /etc/api.pem\n"),
        "haproxy.mode",
        "F25",
        "error",
        "TLS ends",
    ),
    "a-minute": (
        swap("timeout client 4h", "timeout client 1m"),
        "haproxy.timeouts",
        "F25",
        "error",
        "timeout client 1m",
    ),
    "half-a-minute": (
        swap("timeout server 4h", "timeout server 30000"),
        "haproxy.timeouts",
        "F25",
        "error",
        "timeout server 30000",
    ),
    "unbound": (swap("    bind 192.168.126.10:22623\n", ""), "haproxy.bind", "F26", "error", "22623 is bound nowhere"),
    "bound-elsewhere": (
        swap("bind 192.168.126.10:6443", "bind 10.0.0.1:6443"),
        "haproxy.bind",
        "F26",
        "error",
        "on 10.0.0.1 only",
    ),
    "no-check": (
        only("backend api", swap(" check check-ssl verify none", "")),
        "haproxy.checks",
        "F25",
        "error",
        "no health check",
    ),
    "plain-http": (only("backend api", plain_checks), "haproxy.checks", "F25", "error", "checked over plain HTTP"),
    "port-alone": (by_port_alone, "haproxy.checks", "F25", "error", "only the open port"),
    "healthz": (swap("GET /readyz", "GET /healthz"), "haproxy.checks", "F25", "error", "only /readyz fails"),
    "verified-by-nobody": (
        only("backend api", swap(" verify none", "")),
        "haproxy.checks",
        "F25",
        "error",
        "no CA",
    ),
    "tls-in-tls": (
        only("backend api", swap("check check-ssl", "ssl check check-ssl")),
        "haproxy.checks",
        "F25",
        "error",
        "second TLS",
    ),
    "router-port": (
        only("backend ingress-http", swap(" port 1936", "")),
        "haproxy.checks",
        "F25",
        "error",
        "another port than 1936",
    ),
    "master-is-missing": (swap(API, ""), "haproxy.backends", "F25", "error", "master-1 (192.168.126.102)"),
    "bootstrap-is-missing": (
        swap("    server bootstrap 192.168.126.100:22623 check check-ssl verify none\n", ""),
        "haproxy.backends",
        "F05",
        "error",
        "bootstrap (192.168.126.100)",
    ),
    "worker-in-the-api": (
        swap(API, API + API.replace("master-1", "worker-0").replace("102", "110")),
        "haproxy.backends",
        "F25",
        "error",
        "is worker-0",
    ),
    "wrong-port": (
        swap("192.168.126.102:6443", "192.168.126.102:6444"),
        "haproxy.backends",
        "F25",
        "error",
        "on port 6444",
    ),
    "masters-as-routers": (
        only("backend ingress-https", swap("worker-0 192.168.126.110", "m 192.168.126.101")),
        "haproxy.backends",
        "F33",
        "error",
        "",
    ),
    "nobody-behind": (
        only("frontend machine-config", swap("    default_backend machine-config\n", "")),
        "haproxy.backends",
        "F05",
        "error",
        "no backend",
    ),
    "stranger": (
        swap(API, API + API.replace("master-1", "old").replace("126.102", "99.7")),
        "haproxy.backends",
        "F25",
        "warning",
        "not a machine of the plan",
    ),
    "slow": (swap("inter 5s fastinter 1s downinter 2s", "inter 30s"), "haproxy.pace", "F25", "warning", "90 s"),
    "cut": (
        swap("fall 3 rise 2", "fall 3 rise 2 on-marked-down shutdown-sessions"),
        "haproxy.pace",
        "F25",
        "warning",
        "are cut",
    ),
}


def found(text, expect="balancer", cluster=CLUSTER):
    return check("haproxy.cfg", text, cluster, expect).findings


@pytest.mark.parametrize("variant", ["default", "compact", "single", "dual-stack", "ipv6"])
def test_what_we_write_is_right(variant):
    cluster = load_cluster(install_config(**VARIANTS[variant])).cluster
    assert found(haproxy.config(cluster), cluster=cluster) == ()
    assert found(haproxy.config(cluster, without=("bootstrap",)), "cluster", cluster) == ()


def test_another_style_is_right_too():
    """`listen`, names instead of addresses, checks in the newer words."""
    assert found(OTHER_STYLE) == ()
    (finding,) = found(OTHER_STYLE.replace("check verify none inter", "check inter"))
    assert "HAProxy does not start" in finding.message


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_defect_is_named_and_nothing_else(defect):
    change, name, failure, severity, says = DEFECTS[defect]
    findings = found(change(GOOD))
    assert {(f.check, f.failure, f.severity) for f in findings if f.severity == severity} == {(name, failure, severity)}
    assert {f.check for f in findings} == {name}
    assert any(says in f.message for f in findings), findings
    assert all(f.fix for f in findings)


def test_every_rule_has_a_planted_defect_and_a_known_failure():
    assert {row[1] for row in DEFECTS.values()} == {rule.name for rule in TABLE}
    for rule in TABLE:
        assert all((rule.why.what, rule.why.breaks, rule.why.readers, rule.why.source))
        assert not rule.failure or rule.failure in BY_ID


def test_after_the_pivot_the_bootstrap_node_is_too_much():
    assert {(f.severity, "still in the backend" in f.message) for f in found(GOOD, "cluster")} == {("warning", True)}


def test_the_place_is_the_line():
    text = swap("timeout client 4h", "timeout client 1m")(GOOD)
    number = 1 + text.splitlines().index("    timeout client 1m")
    assert found(text)[0].subject == f"haproxy.cfg:{number}: api"


def test_the_command_says_what_the_node_will_suffer(tmp_path):
    folder = write_folder(tmp_path / "c", install_config())
    file = tmp_path / "mine.cfg"
    file.write_text(swap("timeout client 4h", "timeout client 1m")(GOOD))
    done = CliRunner().invoke(command, ["check", "--haproxy", str(file)], obj=folder)
    assert isinstance(done.exception, CheckError)
    assert "effect: watches, `oc logs -f` and `oc exec` are cut" in done.stdout
    report = json.loads(CliRunner().invoke(command, ["check", "--haproxy", str(file), "-o", "json"], obj=folder).stdout)
    assert (report["ok"], report["ports"]) == (False, [])
    file.write_text(GOOD)
    assert CliRunner().invoke(command, ["check", "--haproxy", str(file)], obj=folder).exit_code == 0


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (
            swap("timeout client 4h", "timeout client 1m"),
            {"api": "watches, `oc", "ingress-https": "long connections"},
        ),
        (swap("mode tcp", "mode http"), {"api": "the API sees", "ingress-https": "browsers see"}),
        (swap(":443", ":444"), {"ingress-https": "authentication and console never"}),
    ],
)
def test_a_port_of_the_routers_has_an_effect_of_its_own(change, wanted):
    effects = {finding.subject.split()[-1]: finding.breaks for finding in found(change(GOOD))}
    assert {name: effects[name].startswith(text) for name, text in wanted.items()} == dict.fromkeys(wanted, True)


@pytest.mark.parametrize("text", ["", "hello\n", "frontend\n", "bind\nserver\n", "backend x\n server 'a\n"])
def test_what_is_no_configuration(text, tmp_path):
    file = tmp_path / "file"
    file.write_text(text)
    folder = write_folder(tmp_path / "c", install_config())
    for path in (file, tmp_path / "nothing", Path("/")):
        done = CliRunner().invoke(command, ["check", "--haproxy", str(path)], obj=folder)
        assert isinstance(done.exception, ConfigError | CheckError)
