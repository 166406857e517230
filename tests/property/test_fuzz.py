"""Ten thousand broken inputs for every reader of what others write: an error of ours or an answer, no traceback."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.fuzz.__main__ import refused
from tests.support.fuzz.mutate import mutants
from tests.support.fuzz.targets import TARGETS

CASES, SEED = 10_000, 1


@pytest.mark.parametrize("target", TARGETS)
def test_no_input_ends_in_a_traceback_a_signal_or_much_memory(target: str):
    """The child has 300 MB besides its modules; what it prints at the end names the case that broke it."""
    command = [sys.executable, "-m", "tests.support.fuzz", target, str(CASES), str(SEED)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"signal or traceback ({done.returncode})\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    assert re.fullmatch(rf"{CASES} cases, \d+ refused\n", done.stdout)


def test_a_seed_gives_the_same_cases_and_another_seed_others():
    first, again, other = (list(mutants([b"a: 1\n" * 20], 500, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) > 300


def test_a_reader_that_breaks_is_reported_with_its_case(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="1"):
        refused({}.__getitem__, b"the case")
    assert "broken by b'the case'" in capsys.readouterr().out
