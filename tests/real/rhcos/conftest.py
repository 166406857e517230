"""The real coreos-installer is on PATH."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.coreos_installer_tool import program
from tests.support.delivery import folder_of


@pytest.fixture(autouse=True)
def _installer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{program().parent}:{os.environ['PATH']}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built cluster folder: a bootstrap node and three masters."""
    return folder_of(tmp_path / "cluster")
