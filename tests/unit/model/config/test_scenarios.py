"""One text file a scenario: what the user wrote, and exactly what the tool answers.

A file is a line of explanation and sections `-- NAME --`: install-config.yaml, maybe hosts.yaml and hardway.yaml, and
expect. After a change of a message `HARDWAY_UPDATE=1 pytest tests/unit/model/config/test_scenarios.py` writes the
answers anew; then read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hardway.model.cluster import Release
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError

FOLDER = Path(__file__).parents[3] / "scenarios" / "config"
SCENARIOS = sorted(FOLDER.glob("*.txt"))


def release_for(version: str) -> Release:
    return {"4.18.0": Release(version="4.18.0", image="quay.io/example/release@sha256:0", images={})}[version]


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^-- (\S+) --\n", text, flags=re.MULTILINE)
    return {"about": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


def answer(parts: dict[str, str]) -> str:
    inputs = Inputs(
        install_config=parts["install-config.yaml"], hosts=parts.get("hosts.yaml"), settings=parts.get("hardway.yaml")
    )
    try:
        verdict, problems = "accepted", load(inputs, release_for).warnings
    except ConfigError as error:
        verdict, problems = "refused", error.problems
    return "\n".join([verdict, *(f"{problem} [{problem.rule}]" for problem in problems), ""])


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    parts = sections(path.read_text())
    actual = answer(parts)
    if os.environ.get("HARDWAY_UPDATE"):
        path.write_text(path.read_text().partition("-- expect --\n")[0] + "-- expect --\n" + actual)
        return
    assert actual == parts["expect"]


def test_there_are_many_and_most_are_refused() -> None:
    verdicts = [sections(path.read_text())["expect"].splitlines()[0] for path in SCENARIOS]
    assert verdicts.count("refused") >= 40
    assert verdicts.count("accepted") >= 5
