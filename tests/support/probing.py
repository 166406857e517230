"""`hardway network check` inside a test's own network, and a way to plant a defect in a text."""

from __future__ import annotations

import json

from click.testing import CliRunner

from hardway.cli.network import network as command
from hardway.model.errors import CheckError
from hardway.workspace.folder import Workspace
from tests.support.netns import inside


def check(net: str, workspace: Workspace, *words: str):
    """Exit code, what was found as (probe, failure, severity), and the whole report."""
    with inside(net):
        done = CliRunner().invoke(command, ["check", "-o", "json", *words], obj=workspace.folder)
    assert done.exception is None or isinstance(done.exception, CheckError), done.exception
    report = json.loads(done.stdout)
    found = {(f["check"], f["failure"], f["severity"]) for f in report["findings"]}
    return (done.exception.exit_code if done.exception else 0), found, report


def swap(old, new):
    def change(text):
        assert old in text
        return text.replace(old, new)

    return change
