"""An archive of everything that can be seen of a cluster has none of its secrets, in no form."""

from __future__ import annotations

import json
import tarfile
from base64 import b64decode

import pytest

from hardway.gather.api import stripped
from hardway.gather.archive import Archive
from hardway.gather.folder import _given, folder
from hardway.gather.machines import machines
from hardway.gather.secrets import Secrets, secrets_of
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience
from hardway.tools.run import Done
from tests.support.entropy import NOW
from tests.support.leaks import forms, leaks, secrets
from tests.support.trees import built


def archive():
    workspace = built()
    known = secrets_of(workspace.store.root, (workspace.loaded.cluster.pull_secret,))
    return Archive(cluster="c", now=NOW, secrets=known, patience=Patience(60))


def unpacked(made, folder):
    made.write(folder / "a.tar.gz")
    with tarfile.open(folder / "a.tar.gz") as tar:
        return {member.name: tar.extractfile(member).read().decode() for member in tar.getmembers()}


def test_the_folder_has_many_secrets_and_the_archive_none(tmp_path):
    made = archive()
    folder(made, built())
    content = "\n".join(unpacked(made, tmp_path).values())
    assert "baseDomain" in content
    assert "tls/root-ca.key" in content  # that it is there is no secret
    assert leaks(content, secrets()) == []


@pytest.mark.parametrize("number", range(18), ids=lambda n: f"form-{n}")
def test_a_journal_with_every_secret_in_it_is_without_them(number, tmp_path):
    lines = [f"Nov 16 ignition[7]: wrote {list(forms(secret))[number]} to disk" for secret in secrets().values()]
    made = archive()
    cluster = built().loaded.cluster

    def run(node, argv):
        return Done(command=tuple(argv), code=0, output="\n".join(lines) if "journalctl" in argv else "", errors="")

    machines(made, cluster, run, ["master-0"])
    content = unpacked(made, tmp_path)["hardway-gather/machines/master-0/journal.log"]
    assert content.count("ignition[7]: wrote") == len(lines)
    assert leaks(content, secrets()) == []


@pytest.mark.parametrize("width", [32, 60, 96])
@pytest.mark.parametrize("name", ["tls/root-ca.key", "ssh/hosts/master-0/ssh_host_ed25519_key"])
def test_a_key_that_xxd_has_printed_is_known(name, width):
    """The file, and the bytes that its base64 stands for; of any width."""
    key = (built().store.root / name).read_bytes()
    body = b64decode(b"".join(line for line in key.splitlines() if not line.startswith(b"-----")))
    for digits in (key.hex(), body.hex()):
        lines = [digits[at : at + width] for at in range(0, len(digits) - width, width)]
        kept = archive().secrets.without("\n".join(lines).encode()).decode()
        assert [line for line in lines if line in kept] == []


def test_secrets_of_others_are_hidden_by_their_form():
    key = (built().store.root / "tls/root-ca.key").read_bytes()
    strange = Secrets().without(b"token: sha256~abcdefgh0123 Bearer abc.def https://u:p4ssw0rd@host/ " + key)
    assert b"abcdefgh0123" not in strange
    assert b"p4ssw0rd" not in strange
    assert key.splitlines()[3] not in strange


@pytest.mark.parametrize(
    "line",
    [
        "kubelet[7]: pod openshift-kube-controller-manager-operator/kube-controller-manager-operator-7d9f8c5b66-abcde",
        "image 192.168.126.1:5000/hardway@sha256:ad28e8ca002f5487c32d204876189ad3cb5848e49aa8601a458062e869f2a123",
        "open /etc/kubernetes/static/pod/resources/kube/apiserver/certs/secrets/localhost/serving: no such file",
        'E0508 x509: certificate signed by unknown authority (candidate "kube-apiserver-lb-signer")',
    ],
)
def test_words_digests_and_paths_stay(line):
    assert Secrets().without(line.encode()).decode() == line


def test_of_environment_variables_the_names_are_kept():
    given = {"spec": {"containers": [{"env": [{"name": "PASSWORD", "value": "hunter22"}], "managedFields": [1]}]}}
    assert stripped(given) == {"spec": {"containers": [{"env": [{"name": "PASSWORD"}]}]}}


def test_a_machine_that_does_not_answer_is_listed_with_the_reason(tmp_path):
    made = archive()

    def run(node, argv):
        raise ToolError(f"{node}: 192.0.2.1 does not answer.\n    fix: look whether the machine is on")

    machines(made, built().loaded.cluster, run, ["master-0"])
    index = json.loads(unpacked(made, tmp_path)["hardway-gather/index.json"])
    assert index["missing"] == [
        {"name": "machines/master-0", "why": "192.0.2.1 does not answer.", "fix": "look whether the machine is on"}
    ]


def test_a_token_of_the_pull_secret_is_known_too(tmp_path):
    pull_secret = json.dumps({"auths": {"r": {"auth": "", "identitytoken": "plain-words-only"}}})
    known = secrets_of(tmp_path, (pull_secret,))
    assert known.without(b"sent plain-words-only to r") == b"sent (hidden) to r"


@pytest.mark.parametrize("blank", ["\n", " \n"])
def test_an_install_config_of_blank_lines_is_read_at_once(blank, tmp_path):
    (tmp_path / "x").write_text(blank * 200_000 + "pullSecret: '{}'\nsshKey: a\n")
    assert _given(tmp_path / "x").endswith("pullSecret: (hidden)\nsshKey: a\n")


@pytest.mark.parametrize(
    "line", ["SHA256 Fingerprint=" + ":".join(["AB"] * 32), "free 1024 2048 77 99 12 13 14", "0 " * 20]
)
def test_fingerprints_and_tables_stay(line):
    assert Secrets().without(line.encode()).decode() == line
