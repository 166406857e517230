"""The table of the lab's components and the pins beside it agree."""

from __future__ import annotations

import re

import pytest

from hardway.labrelease import places
from hardway.labrelease.compile import toolchain
from hardway.labrelease.components.table import COMPONENTS, component, of
from tests.support.ignition import tool as ignition_tool

NAMES = [row.name for row in COMPONENTS]
REPLACED = re.compile(r"^\t?(?:replace )?(\S+) => (\S+)(?: (\S+))?$", re.MULTILINE)
REQUIRED = re.compile(r"^\t?(?:require )?(\S+) (v\S+)(?: // indirect)?$", re.MULTILINE)
TOOLS = re.compile(r"^tool (?:\(\n(?P<many>[^)]*)\)|(?P<one>\S+))$", re.MULTILINE)


def pins(name):
    return (places.COMPONENTS / name / "go.mod").read_text()


def sums(name):
    return (places.COMPONENTS / name / "go.sum").read_text().splitlines()


def tools(name):
    found = TOOLS.search(pins(name))
    return (found["many"] or found["one"]).split() if found else []


def required(name):
    return dict(REQUIRED.findall(pins(name)))


def replaced(name):
    return {old: (new, version) for old, new, version in REPLACED.findall(pins(name))}


def test_each_row_has_its_pins_and_each_pin_its_row():
    assert sorted(NAMES) == sorted(path.name for path in places.COMPONENTS.iterdir())
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_tools_of_go_mod_are_the_programs_of_the_row(name):
    row = component(name)
    tested = [package for suite in row.suites for package in (suite.package, *suite.parts)]
    assert sorted(tools(name)) == sorted([*(program.package for program in row.programs), *tested])


@pytest.mark.parametrize("name", NAMES)
def test_go_sum_holds_the_component_itself(name):
    module = component(name).module
    source, version = replaced(name).get(module, (module, required(name)[module]))
    assert any(line.startswith(f"{source} {version} h1:") for line in sums(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_replacement_is_a_module_at_a_version(name):
    assert [old for old, (new, version) in replaced(name).items() if not version or new.startswith(".")] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_oldest_go_that_is_accepted_can_read_the_pins(name):
    asked = re.search(r"^go (\S+)$", pins(name), re.MULTILINE)[1]
    assert tuple(map(int, asked.split("."))) <= toolchain.MINIMUM


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stamped_as_a_pin_is_the_pin(name):
    row = component(name)
    stamped = [value for _, value in row.stamps if re.match(r"v0\.0|v1\.0", value)]
    assert stamped in ([], [required(name)[row.module]])


def test_kubernetes_is_stamped_with_its_version_and_its_commit():
    values = {variable.rsplit(".", 1)[1]: value for variable, value in component("kubernetes").stamps}
    assert values["gitVersion"] == f"v{component('kubernetes').version}"
    assert values["gitVersion"].startswith(f"v{values['gitMajor']}.{values['gitMinor']}.")
    assert replaced("kubernetes")["k8s.io/kubernetes"][1].endswith(values["gitCommit"])


def test_all_of_kubernetes_comes_from_one_commit_of_the_fork_and_its_tests_too():
    names = ("kubernetes", "kubernetes-tests")
    both = [row for name in names for row in replaced(name).values()]
    forked = {version for new, version in both if "openshift/kubernetes" in new}
    assert len(forked) == 1


def test_ignition_is_the_one_that_judges_in_the_tests():
    judge = (ignition_tool.SOURCE / "go.mod").read_text()
    assert required("ignition") == dict(REQUIRED.findall(judge))
    assert sums("ignition") == (ignition_tool.SOURCE / "go.sum").read_text().splitlines()


def test_no_two_programs_have_one_name():
    programs = [program.file for row in COMPONENTS for program in row.programs]
    files = programs + [native.file for row in COMPONENTS for native in row.native]
    assert len(set(files)) == len(files)


def test_sets_are_added_up_without_repetition():
    both = [row.name for row in of("core", "operators")]
    assert len(both) == len(set(both))
    assert set(both) == {row.name for row in of("core")} | {row.name for row in of("operators")}
    assert {row.name for row in of("core", "operators", "node", "conformance")} == set(NAMES)


def test_only_what_has_parts_in_c_needs_a_c_library():
    assert [row.name for row in COMPONENTS if row.needs and not (row.cgo or row.native)] == []
    assert all(bool(need.header) != bool(need.program) for row in COMPONENTS for need in row.needs)


def test_every_row_gives_its_reason():
    assert [row.name for row in COMPONENTS if not row.why.what] == []
