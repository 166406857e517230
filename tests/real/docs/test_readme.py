"""The README is followed by somebody who has a small Debian, a clone and nothing else."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import hardway
from tests.docs import console
from tests.support import bare_root

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
INSTALLED_FOR_DEVELOPMENT = ("pytest", "mypy", "ruff", "hypothesis")


def repository(folder: Path) -> None:
    """The checkout that is tested, with what is not committed yet, as a repository that can be cloned."""
    listed = subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT)
    names = [name for name in listed.decode().split("\0") if name and (ROOT / name).exists()]
    folder.mkdir(parents=True)
    subprocess.run(["cp", "--parents", "--no-dereference", *names, str(folder)], check=True, cwd=ROOT)
    for words in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "as it is"]):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
        subprocess.run(["git", *identity, *words], check=True, cwd=folder)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a machine on which the repository has been cloned, to /root/hardway."""
    root = bare_root.copied(tmp_path_factory.mktemp("newcomer") / "root")
    repository(root / "srv" / "hardway")
    followed(root, "git clone -q /srv/hardway")
    return root


def followed(root: Path, *commands: str) -> str:
    """What the commands print. All of them must succeed."""
    script = [console.Command(chapter="test", line=0, text=text, printed=["…"]) for text in ("cd /root", *commands)]
    ran = console.run_in(bare_root.shell(root), script, root, bare_root.environment())
    assert not console.wrong(script, ran), console.wrong(script, ran)
    return "\n".join(line for _, printed in ran for line in printed)


def test_the_first_block_prints_what_it_shows(newcomer: Path) -> None:
    entry = console.Command(chapter="README.md", line=0, text="cd /root/hardway", printed=[])
    script = [entry, *console.commands(README)]
    ran = console.run_in(bare_root.shell(newcomer), script, newcomer, bare_root.environment())
    assert not console.wrong(script, ran), console.wrong(script, ran)
    [path_line] = [line for _, printed in ran for line in printed if line.startswith("  export PATH=")]
    installed = {folder.name for folder in (newcomer / "root/hardway/.venv/lib").glob("python3*/site-packages/*")}
    assert "click" in installed
    assert installed.isdisjoint(INSTALLED_FOR_DEVELOPMENT)
    texts = [command.text for command in console.commands(ROOT / "docs/guide/01-prerequisites.md")]
    first = next(number for number, text in enumerate(texts, 1) if text.startswith("hardway"))
    assert "wrote" in followed(newcomer, path_line, "mkdir chapter && cd chapter", *texts[:first])


def test_hardway_gets_onto_path_as_the_readme_says(newcomer: Path) -> None:
    [block] = re.findall(r"^```sh\n(pipx .*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    [from_clone, from_wheel, with_redfish] = [line.partition("#")[0].strip() for line in block.splitlines()]
    printed = followed(
        newcomer,
        "python3 -m venv /opt/pipx && /opt/pipx/bin/pip install -q pipx",
        "export PATH=/opt/pipx/bin:/root/.local/bin:$PATH",
        f"cd hardway && {from_clone}",
        "hardway --version && hardway guide 01 | head -1",
        "pipx uninstall hardway && hash -r && ! command -v hardway",
        f"{with_redfish} && pipx runpip hardway show sushy && pipx uninstall hardway",
        "/opt/pipx/bin/pip wheel -q --no-deps --wheel-dir /srv/wheels .",
        f"cd / && {from_wheel.replace('WHEEL', '/srv/wheels/*.whl')}",
        "hardway --version && hardway explain cert/root-ca | head -1",
    )
    [own] = re.findall(r"^```sh\n(python3 -m venv .*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    printed += followed(newcomer, "cd hardway", *own.splitlines(), "cd / && hardway --version")
    assert printed.count(f"hardway, version {hardway.__version__}") == 3
    assert "# 01. Prerequisites" in printed
    assert "Name: sushy" in printed
    assert "cert/root-ca" in printed
