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


def test_the_page_of_the_wheel_has_no_link_that_breaks_on_an_index():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / project["readme"]).read_text())
    assert [link for link in links if not link.startswith("https://")] == []
