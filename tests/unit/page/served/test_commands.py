"""Commands that a page may run: those of the table, word by word, and no shell."""

from __future__ import annotations

import pytest

from hardway.cli.main import SECTIONS
from hardway.page.served.commands import TABLE, words_of


@pytest.mark.parametrize(
    "command",
    [
        "hardway status",
        "hardway verify",
        "hardway verify 05",
        "hardway verify 05 06",
        "hardway explain cert/root-ca",
        "hardway explain flag/kube-apiserver/--etcd-servers",
        "hardway explain assets/manifests/cluster-dns-02-config.yml:8",
        "hardway graph kubeconfig/scheduler",
        "hardway bootkube --list",
    ],
)
def test_what_only_reads_may_run(command):
    assert words_of(command) == tuple(command.split()[1:])


@pytest.mark.parametrize(
    "command",
    [
        "",
        "hardway",
        "hardway build",
        "hardway build 05",
        "hardway lab up",
        "hardway ssh master-0",
        "hardway bootkube",
        "hardway verify --assets /etc",
        "hardway verify 05; id",
        "hardway status | sh",
        "hardway status > assets/x",
        "hardway status && id",
        "hardway status `id`",
        "hardway explain $(id)",
        "hardway explain ../../etc/passwd",
        "hardway explain /etc/passwd",
        "hardway explain -C /etc x",
        "hardway -C /etc status",
        "hardway status\nid",
        "hardway 'status",
        "python -m hardway status",
        "hardway guide --web",
        "hardway guide --export x",
        "hardway graph -o json",
    ],
)
def test_nothing_else_may(command):
    assert words_of(command) is None


def test_the_table_names_commands_that_there_are():
    known = {name for rows in SECTIONS.values() for name in rows}
    assert {row.name for row in TABLE} <= known
    assert all(row.why for row in TABLE)
