"""The file that describes a component: what it says, and everything that is wrong with it at once."""

from __future__ import annotations

import pytest

from hardway.labrelease.checkouts import described
from hardway.labrelease.images.table import Data, Program
from hardway.model.errors import ConfigError
from tests.support.lab import checkout

WHOLE = """\
name: small-operator
image: small
programs:
- {package: ., file: small}
- {package: ./cmd/other}
manifests: deploy/manifests
files:
- {folder: bindata/templates, target: usr/share/small}
tags: [ocp]
user: "1001"
entrypoint: [/usr/bin/small, start]
clusterOperators: [small]
"""
WRONG = """\
name: Small
image: etcd
programs:
- {package: ../elsewhere, file: a/b}
- {file: only}
manifests: /etc
files:
- {folder: ../.., target: /usr}
tags: ["a b"]
user: root
entrypoint: ["two words"]
clusterOperators: [_]
colour: red
"""


def test_little_is_needed():
    kit = described.parsed(checkout.DESCRIPTION)
    assert kit.name == "small-operator"
    assert [(row.package, row.file) for row in kit.component.programs] == [("./cmd/small-operator", "small-operator")]
    [image] = kit.images
    assert (image.name, image.user, image.entrypoint, image.operator) == ("small-operator", "", (), True)
    assert [(row.image, row.folder) for row in kit.sources] == [("small-operator", "manifests")]
    assert kit.sets == ("operators",)


def test_everything_that_it_can_say_arrives():
    kit = described.parsed(WHOLE)
    [image] = kit.images
    assert [(row.package, row.file) for row in kit.component.programs] == [(".", "small"), ("./cmd/other", "other")]
    assert kit.component.data == ("bindata/templates", "deploy/manifests")
    assert kit.component.tags == ("ocp",)
    assert image.parts == (
        Program(component="small-operator", name="small"),
        Program(component="small-operator", name="other"),
        Data(component="small-operator", folder="bindata/templates", target="usr/share/small"),
        Data(component="small-operator", folder="deploy/manifests", target="manifests"),
    )
    assert (image.name, image.user, image.entrypoint) == ("small", "1001", ("/usr/bin/small", "start"))
    assert kit.operators == ("small",)


def test_every_problem_is_told_at_once_with_its_place():
    with pytest.raises(ConfigError) as caught:
        described.parsed(WRONG, "c.yaml")
    places = {(problem.path, problem.line) for problem in caught.value.problems}
    assert places == {
        ("name", 1),
        ("image", 2),
        ("programs[0].package", 4),
        ("programs[0].file", 4),
        ("programs[1].package", 5),
        ("manifests", 6),
        ("files[0].folder", 8),
        ("files[0].target", 8),
        ("tags[0]", 9),
        ("user", 10),
        ("entrypoint[0]", 11),
        ("clusterOperators[0]", 12),
        ("colour", 13),
    }
    assert all(problem.fix and problem.file == "c.yaml" for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("[]", "must hold a mapping"),
        ("name: [", "not YAML"),
        ("name: service-ca-operator\nprograms: [{package: .}]\n", "is known already"),
        ("name: cri-o\nprograms: [{package: .}]\n", "is a component of every node"),
        ("name: ignition\nprograms: [{package: .}]\n", "is a component of every node"),
        ("name: mine\nimage: hyperkube\nprograms: [{package: .}]\n", "is an image of the release already"),
    ],
)
def test_what_describes_nothing_of_its_own_is_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        described.parsed(text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        described.load(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="UTF-8"):
        described.load(tmp_path / "bytes.yaml")


def test_every_field_gives_its_reason():
    assert [row.path for row in described.ROWS if not (row.why.what and row.why.breaks)] == []
