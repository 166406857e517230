"""Every transcript under tests/scenarios/cli, word for word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import transcript
from tests.support.transcript import Step

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios" / "cli").glob("*.txt"))
BEGINNING = [Step("hardway init c >/dev/null", (), 0), Step("hardway -C c build >/dev/null 2>&1", (), 0)]


def follow(steps, folder, env):
    for step in steps:
        code, printed = transcript.run(step, folder, env)
        shown = f"$ {step.command}\n" + "\n".join(printed)
        assert code == step.exit_code, shown
        assert transcript.fits(step.output, printed), shown


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A folder after the steps that many scenarios begin with; never change it."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "home").mkdir()
    follow(BEGINNING, folder / "home", transcript.environment(folder / "bin"))
    return folder / "home"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda p: p.stem)
def test_scenario(scenario, tmp_path, request):
    env = transcript.environment(tmp_path / "bin")
    folder = tmp_path / "home"
    steps = transcript.parse(scenario.read_text())
    assert steps
    if steps[: len(BEGINNING)] == BEGINNING:
        shutil.copytree(request.getfixturevalue("begun"), folder, symlinks=True)
        steps = steps[len(BEGINNING) :]
    else:
        folder.mkdir()
    follow(steps, folder, env)
