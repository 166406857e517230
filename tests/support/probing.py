"""`hardway network check` inside a test's own network, and a way to plant a defect in a text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from click.testing import CliRunner

from hardway.cli.network import network as command
from hardway.model.errors import CheckError
from hardway.workspace.folder import Workspace
from tests.support.netns import inside

Found = tuple[str, str, str]  # check, failure, severity


def check(net: str, workspace: Workspace, *words: str) -> tuple[int, set[Found], dict[str, Any]]:
    """Exit code, what was found as (probe, failure, severity), and the whole report."""
    with inside(net):
        done = CliRunner().invoke(command, ["check", "-o", "json", *words], obj=workspace.folder)
    assert done.exception is None or isinstance(done.exception, CheckError), done.exception
    report = json.loads(done.stdout)
    found = {(f["check"], f["failure"], f["severity"]) for f in report["findings"]}
    return (done.exception.exit_code if done.exception else 0), found, report


def swap(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change
