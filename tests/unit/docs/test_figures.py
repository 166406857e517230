"""A number that several texts name is the same in all of them, and is that of the tables or of the measurement."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from hardway.checks.failures import TABLE as FAILURES
from hardway.checks.files.cis import TABLE as CIS
from hardway.cli.main import cli
from hardway.explain.pages import default_cluster
from hardway.kubeconfigs.table import TABLE as KUBECONFIGS
from hardway.libvirt.choices import LEAST_DISK, SINGLE, SIZES
from hardway.model import figures
from hardway.pki.assets import nodes_of
from hardway.pki.bundles import TABLE as BUNDLES
from hardway.pki.families import TABLE as CERTIFICATES
from hardway.stages.table import TABLE as STAGES
from hardway.workspace.catalogue import embedded
from tests.support.clusters import install_config
from tests.support.trees import build_folder, write_folder

ROOT = Path(__file__).parents[3]
FOLDERS = (ROOT / "docs" / "guide", ROOT / "docs" / "reference")
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(page for folder in FOLDERS for page in sorted(folder.glob("*.md"))),
]
NUMBER = rf"\b({'|'.join(figures.WORDS)}|\d+)\b"


def commands(command: click.Command, name: str = "hardway"):
    """Every command and its help text."""
    yield f"{name} --help", command.help or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            yield from commands(command.get_command(context, word), f"{name} {word}")


def texts():
    yield from ((str(page.relative_to(ROOT)), page.read_text()) for page in PAGES)
    yield from commands(cli)


def value(word: str) -> int:
    return figures.WORDS.index(word.lower()) if word.lower() in figures.WORDS else int(word)


def issued() -> int:
    return sum(len(nodes_of(row, default_cluster())) for row in CERTIFICATES)


def pods() -> int:
    """Static pods of the bootstrap node."""
    return sum(document.address.startswith("pod/") for document in embedded(default_cluster()))


def rules() -> int:
    """Rows of the table of rules in the chapter about them."""
    table = (ROOT / "docs" / "guide" / "11-masters.md").read_text().partition("| rule |")[2].partition("\n\n")[0]
    return table.count("\n") - 1


ROWS = {
    "minutes to compile": (figures.COMPILE.value, rf"compile[^.|]{{0,60}}?{NUMBER} minutes"),
    "signers": (
        sum(row.is_ca for row in CERTIFICATES),
        rf"{NUMBER} (?:(?:independent|self-signed) signers|signers that know|signers, the cert|of them signers)",
    ),
    "certificates": (issued(), rf"{NUMBER} certificates with their keys"),
    "kubeconfigs": (
        len(KUBECONFIGS),
        rf"(?:{NUMBER} kubeconfigs: where|06: {NUMBER} kubeconfigs|kubeconfigs \| {NUMBER}: who)",
    ),
    "stages": (len(STAGES), rf"(?:lists all {NUMBER}|[Tt]he {NUMBER} stages)"),
    "failures": (len(FAILURES), rf"{NUMBER} known failures"),
    "static pods": (pods(), rf"[Tt]he {NUMBER} static pods"),
    "bundles": (len(BUNDLES), rf"(?<!signers, ){NUMBER} bundles: files"),
    "certificates of a day": (
        sum(row.lifetime == "short" for row in CERTIFICATES),
        rf"gives {NUMBER} of these certificates 24 hours",
    ),
    "checks of the benchmark": (len(CIS), rf"{NUMBER} scored CIS"),
    "GiB of a lab": (figures.MEMORY.value, rf"five nodes use about {NUMBER} GiB"),
    "rules for a request": (rules(), rf"(?:the {NUMBER} rules of|\. {NUMBER} rules, and all)"),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_number_is_the_same_wherever_it_is_named(name):
    right, pattern = ROWS[name]
    found = {
        where: {value(word) for groups in re.findall(pattern, text) for word in _words(groups)}
        for where, text in texts()
    }
    named = {where: numbers for where, numbers in found.items() if numbers}
    assert named, f"no text names the number of {name}"
    assert {where: numbers for where, numbers in named.items() if numbers != {right}} == {}


def _words(groups: str | tuple[str, ...]) -> list[str]:
    return [groups] if isinstance(groups, str) else [word for word in groups if word]


def test_the_time_to_compile_is_named_where_one_waits_for_it():
    pattern = ROWS["minutes to compile"][1]
    named = {where for where, text in texts() if re.search(pattern, text)}
    wanted = {
        "README.md",
        "docs/guide/04-release-image.md",
        "docs/guide/10-bootstrap.md",
        "hardway lab up --help",
        "hardway lab release build --help",
    }
    assert wanted <= named


def test_the_map_has_every_file_but_the_plan_and_itself(tmp_path):
    """The chapter asks for kube-proxy."""
    workspace = build_folder(write_folder(tmp_path / "c", install_config(), keys="ecdsa-p256", kubeProxy=True))
    rows = re.findall(r"^\| `[^`]+` \| `([^`]+)`", workspace.store.read("plan/map.md").decode(), re.MULTILINE)
    assert set(rows) == set(workspace.graph) - {"plan/cluster", "plan/map"}
    without_render = [row for row in rows if not row.startswith("ignition/") or row == "ignition/bootstrap"]
    page = (ROOT / "docs" / "guide" / "03-understanding.md").read_text()
    assert f"assets/plan/map.md\n{len(without_render)}\n" in page
    assert f"build makes {len(without_render) + 2} files" in " ".join(page.split())


def test_the_sizes_of_machines_are_those_of_the_table():
    page = (ROOT / "docs" / "guide" / "01-prerequisites.md").read_text()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    told = {row[0].partition(",")[0]: row[1:4] for row in cells if len(row) == 5 and row[3].endswith("GiB")}
    names = {"the only master": SINGLE}
    assert {names.get(name, name): tuple(size) for name, size in told.items()} == {
        role: (str(size.vcpus), f"{size.memory // 1024} GiB", f"{size.disk} GiB") for role, size in SIZES.items()
    }
    least = SIZES[SINGLE].least_memory // 1024
    assert f"{LEAST_DISK} GiB of disk" in page
    assert f"{least} GiB of memory for the only master" in " ".join(page.split())


def test_every_figure_says_how_it_was_measured():
    known = [item for item in vars(figures).values() if isinstance(item, figures.Figure)]
    assert known
    assert all(len(figure.measured) > 20 and str(figure).startswith("about ") for figure in known)


def test_a_lab_takes_as_long_as_was_measured():
    assert f"Later runs take {figures.LAB_UP}." in (ROOT / "README.md").read_text()


def test_the_road_of_the_operators_takes_as_long_as_was_measured():
    assert f"on two cores, {figures.OPERATORS};" in (ROOT / "docs" / "guide" / "road-operators.md").read_text()


def test_no_help_text_keeps_a_place_for_a_figure():
    assert [where for where, text in commands(cli) if re.search(r"\{\w*\}", text)] == []
