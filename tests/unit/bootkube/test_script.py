"""The script: every stage of the table, every call and every copy of its operators, and nothing left open."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from importlib.resources import files

import pytest

from hardway.bootkube import script
from hardway.bootkube.operators.row import Facts
from hardway.bootkube.operators.table import TABLE as OPERATORS
from hardway.bootkube.table import TABLE
from tests.support.clusters import load_cluster

CLUSTER = load_cluster(road="rendered").cluster
NAMED = {row.image: f"registry.example.com/{row.name}@sha256:1" for row in OPERATORS if row.image != "release"}
IMAGES = {"cluster-policy-controller": "registry.example.com/policy@sha256:1", **NAMED, **CLUSTER.release.images}
WHOLE = replace(CLUSTER, release=replace(CLUSTER.release, kubernetes="1.31.6", images=IMAGES))
TEXT = script.script(WHOLE)
BOOTKUBE = files("hardway.ignition").joinpath("files/bootkube.sh").read_text()


def defined(text: str) -> set[str]:
    return set(re.findall(r"^(\w+)\(\)", text, re.MULTILINE))


def test_every_stage_is_there_in_order_and_what_it_calls():
    lines = [line.split()[1:] for line in TEXT.splitlines() if line.startswith("    stage ")]
    assert [(number, name.strip("'"), marker.strip("'")) for number, name, marker, *_ in lines] == [
        (row.number, row.name, row.marker) for row in TABLE
    ]
    assert {words[3] for words in lines} <= defined(TEXT) | defined(BOOTKUBE)


def test_no_function_is_defined_twice():
    """What is meant to be bootkube.sh's would otherwise be another one."""
    assert defined(TEXT) & defined(BOOTKUBE) == set()


@pytest.mark.parametrize("row", OPERATORS, ids=lambda r: r.name)
def test_a_call_is_the_operators_own(row):
    body = TEXT.partition(f"\n{row.stage.replace('-', '_')}() {{")[2].partition("\n}")[0]
    facts = Facts(release=WHOLE.release)
    assert all(word in body for word in (facts.image(row.image), row.program, *row.argv(facts)))
    assert len(re.findall(r"^    put", body, re.MULTILINE)) == len(row.copies)
    assert "$(image_for" not in body
    assert "${" not in body


def test_what_the_release_does_not_have_is_said():
    text = script.script(CLUSTER)
    assert "say 'release 4.18.0 has no image cloud-credential-operator; in its place: nothing, because" in text
    assert "--operand-kubernetes-version=" not in text  # nobody has read the release yet


def test_the_shell_reads_it():
    for text in (TEXT, script.script(CLUSTER)):
        done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["a b.yaml", "*", "a\n.yaml", "$(id).yaml"])
def test_a_file_whose_name_would_be_several_is_not_torn_down(tmp_path, name):
    """Only names that stay one word reach the list."""
    said = torn_down(tmp_path, "etcd-pod.yaml", "kube-apiserver-pod.yaml", name)
    assert (said.returncode, said.stdout) == (1, "")
    assert "this name is not that of a static pod's file" in said.stderr


def test_the_api_servers_file_is_the_last_that_is_torn_down(tmp_path):
    said = torn_down(tmp_path, "kube-apiserver-pod.yaml", "etcd-pod.yaml")
    pods = "/etc/kubernetes/manifests"
    assert said.stdout == f"{pods}/etcd-pod.yaml {pods}/kube-apiserver-pod.yaml"


def torn_down(folder, *files):
    """The list that `finished` hands to bootkube.sh, with these files rendered."""
    for file in files:
        (folder / "bootstrap-manifests").mkdir(exist_ok=True)
        (folder / "bootstrap-manifests" / file).write_text("")
    body = TEXT[TEXT.index("finished() {") :].partition("\n}\n")[0]
    stubs = 'fail() { echo "$*" >&2; exit 1; }\nfinish() { printf %s "$TEAR_DOWN"; }\n'
    words = f"set -euo pipefail\n{stubs}{body}\n}}\nopt=$1 TEAR_DOWN=x\nfinished\n"
    return subprocess.run(["bash", "-c", words, "bash", folder], capture_output=True, text=True, check=False)
