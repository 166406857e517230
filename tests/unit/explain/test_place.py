"""A file and a line lead to the field that is there, in each of the three files that a user writes."""

from __future__ import annotations

import re

import pytest

from hardway.explain.place import explain_file
from hardway.model.config.load import FIELDS
from hardway.workspace.folder import open_workspace
from tests.support.hardway_program import hardway

WRITTEN = {
    "hosts.yaml": """\
apiVIPs: [192.168.126.10]
hosts:
  master-0:
    # a remark: about the name
    hostname: control-0
    # mac: 52:54:00:aa:bb:01
    disk: /dev/vda
""",
    "hardway.yaml": """\
# keys: rsa-4096
joining: 48h
infra:
  sizes:
    worker: 4,16GiB,120GiB
""",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """As `hardway init` writes it: hosts.yaml and hardway.yaml are comments alone."""
    folder = tmp_path_factory.mktemp("cluster") / "c"
    assert hardway("init", folder).returncode == 0
    return open_workspace(folder)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster") / "c"
    assert hardway("init", folder).returncode == 0
    for name, text in WRITTEN.items():
        (folder / name).write_text(text)
    return open_workspace(folder)


def at(workspace, file: str, line: int) -> str:
    return explain_file(workspace, workspace.folder / file, line).address


@pytest.mark.parametrize("file", ["hosts.yaml", "hardway.yaml"])
def test_a_field_that_is_commented_out_is_explained(made, file):
    """Each line `# name: value` of the file, whatever its depth."""
    known = {row.path.rpartition(".")[2] for row in FIELDS if row.file == file}
    examples = {
        number: found[1]
        for number, line in enumerate((made.folder / file).read_text().splitlines(), 1)
        if (found := re.match(r"# *(\w+):( |$)", line)) and found[1] in known
    }
    assert len(examples) > 10
    assert {n: at(made, file, n).rpartition("#")[2].rpartition(".")[2] for n in examples} == examples


@pytest.mark.parametrize(
    ("file", "line", "address"),
    [
        ("hosts.yaml", 1, "field/hosts.yaml#apiVIPs[]"),
        ("hosts.yaml", 3, "field/hosts.yaml#hosts.*"),
        ("hosts.yaml", 4, "field/hosts.yaml#hosts.*.hostname"),
        ("hosts.yaml", 5, "field/hosts.yaml#hosts.*.hostname"),
        ("hosts.yaml", 6, "field/hosts.yaml#hosts.*.mac"),
        ("hosts.yaml", 7, "field/hosts.yaml#hosts.*.disk"),
        ("hardway.yaml", 1, "field/hardway.yaml#keys"),
        ("hardway.yaml", 2, "field/hardway.yaml#joining"),
        ("hardway.yaml", 4, "field/hardway.yaml#infra.sizes"),
        ("hardway.yaml", 5, "field/hardway.yaml#infra.sizes.worker"),
        ("install-config.yaml", 1, "file/install-config.yaml"),
        ("install-config.yaml", 6, "field/install-config.yaml#metadata.name"),
        ("install-config.yaml", 26, "field/install-config.yaml#sshKey"),
    ],
)
def test_a_line_leads_to_its_field(written, file, line, address):
    assert at(written, file, line) == address
