"""Every transcript under tests/scenarios/cli, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import transcript

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios" / "cli").glob("*.txt"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda p: p.stem)
def test_scenario(scenario, tmp_path):
    env = transcript.environment(tmp_path / "bin")
    folder = tmp_path / "home"
    folder.mkdir()
    steps = transcript.parse(scenario.read_text())
    assert steps
    for step in steps:
        code, printed = transcript.run(step, folder, env)
        shown = f"$ {step.command}\n" + "\n".join(printed)
        assert code == step.exit_code, shown
        assert transcript.fits(step.output, printed), shown
