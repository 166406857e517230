"""A flag whose value the program would take by itself says so: asked of the real programs."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest
import yaml

from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.staticpods import pods
from hardway.staticpods.row import DEFAULT
from tests.support.trees import built_now

COMPONENTS = {"etcd": "etcd", "cluster-version-operator": "cluster-version-operator"}
WORDS = {"cluster-version-operator": ["start"]}
HIDDEN = ("--openshift-config",)  # of OpenShift's build, which its help does not show: nothing by default
PODS = [document for document in pods.TABLE if document.address.startswith("pod/")]


@cache
def help_text(program: str) -> str:
    path = compiled(component(COMPONENTS.get(program, "kubernetes"))) / "bin" / program
    done = subprocess.run([path, *WORDS.get(program, []), "--help"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def default(program: str, flag: str) -> str:
    """As the program's help has it; where it has none, the zero of the flag's type is the default."""
    if flag in HIDDEN:
        assert flag not in help_text(program)
        return ""
    pattern = rf"^ +(?:-\w, )?{flag}(?=[ =\n])(.*?)(?=^ +(?:-\w, )?--[a-z]|\Z)"
    found = re.search(pattern, help_text(program), re.DOTALL | re.MULTILINE)
    assert found, f"{program} knows no {flag}"
    said = re.match(r"\s*'(.*?)'", found[1]) if program == "etcd" else re.search(r"\(default (.*?)\)(?=\s|$)", found[1])
    return said[1].strip('"[]') if said else ""


def values(document) -> dict[str, list[str]]:
    tree = built_now(operators=())  # every pod is made by hand there, kube-proxy too
    program = yaml.safe_load(tree.store.read(document.path))["spec"]["containers"][0]
    found: dict[str, list[str]] = {}
    for word in program["args"]:
        name, _, value = word.partition("=")
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("document", PODS, ids=lambda d: d.address)
def test_a_flag_says_that_it_is_the_default_if_it_is(document):
    program = document.address.removeprefix("pod/")
    given = values(document)
    wrong = []
    for flag, why in document.flags.items():
        if flag in given:
            zero = given[flag] in (["false"], ["0"]) and not default(program, flag)
            same = given[flag] == [default(program, flag)] or zero
            wrong += [flag] if same != why.breaks.startswith(DEFAULT) else []
    assert wrong == []
