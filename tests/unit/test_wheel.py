"""The wheel is built for real and unpacked: it has licence, metadata and guide, and the program runs from it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

import pytest

import hardway

ROOT = Path(__file__).parents[2]
NEEDED = ("pyproject.toml", "LICENSE", "docs/package.md", "docs/guide", "src/hardway")
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an installation of the wheel has in site-packages. A copy is built, because a build writes into its tree."""
    folder = tmp_path_factory.mktemp("wheel")
    tree, site = folder / "tree", folder / "site"
    tree.mkdir()
    subprocess.run(["cp", "--recursive", "--parents", "--no-dereference", *NEEDED, str(tree)], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=tree, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    assert wheel.name == f"hardway-{hardway.__version__}-py3-none-any.whl"
    ZipFile(wheel).extractall(site)
    return site


def runs(installed: Path, *words: str) -> str:
    """What the installed program prints, in a folder that is not the checkout."""
    python_path = os.pathsep.join([str(installed), *(path for path in sys.path if path.endswith("site-packages"))])
    command = [sys.executable, *words]
    return subprocess.check_output(command, text=True, cwd=installed, env=os.environ | {"PYTHONPATH": python_path})


def test_it_has_the_licence_and_says_whose_it_is_and_what_it_needs(installed: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [folder] = installed.glob("hardway-*.dist-info")
    metadata = message_from_string((folder / "METADATA").read_text())
    assert (folder / "licenses" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (metadata["Name"], metadata["Version"]) == ("hardway", hardway.__version__)
    assert (metadata["License-Expression"], metadata["License-File"]) == ("Apache-2.0", "LICENSE")
    assert (metadata["Author"], metadata["Requires-Python"]) == (project["authors"][0]["name"], ">=3.11")
    assert metadata["Keywords"].split(",") == project["keywords"]
    assert metadata.get_all("Classifier") == project["classifiers"]
    needed = [row for row in metadata.get_all("Requires-Dist", []) if "extra ==" not in row]
    assert sorted(row.lower() for row in needed) == sorted(row.lower() for row in project["dependencies"])


def test_its_page_is_markdown_whose_links_work_on_an_index(installed: Path) -> None:
    [folder] = installed.glob("hardway-*.dist-info")
    metadata = message_from_string((folder / "METADATA").read_text())
    page = str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert page.strip() == (ROOT / "docs" / "package.md").read_text().strip()
    assert [link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https://")] == []


def test_it_has_every_page_of_the_guide_and_prints_it(installed: Path) -> None:
    assert runs(installed, "-c", "import hardway; print(hardway.__file__)") == f"{installed}/hardway/__init__.py\n"
    pages = {page.name: page.read_text() for page in (ROOT / "docs" / "guide").glob("*.md")}
    assert len(pages) > 20
    assert {page.name: page.read_text() for page in (installed / "hardway" / "guide").glob("*.md")} == pages
    assert runs(installed, "-m", "hardway", "guide", "05").startswith("# 05. PKI\n")


def test_what_it_starts_with_is_the_command_hardway(installed: Path) -> None:
    [folder] = installed.glob("hardway-*.dist-info")
    assert (folder / "entry_points.txt").read_text() == "[console_scripts]\nhardway = hardway.cli.main:main\n"
