"""What `hardway approve` says when the API does not answer as it should, and when new nodes can no longer ask."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode

import pytest
from click.testing import CliRunner
from cryptography.x509 import load_pem_x509_certificate

from hardway.cli.approve import _remedy
from hardway.cli.main import cli
from hardway.drive.client import Trouble
from hardway.drive.csr.plan import names
from hardway.drive.joining import ends, over
from hardway.drive.observe import COMPLETE, NODES
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority
from tests.support.trees import built, built_now

UNTRUSTED = "no answer from 192.0.2.1:6443: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed"


@pytest.mark.parametrize(
    ("trouble", "fix"),
    [
        (Trouble(kind="unanswered", message=UNTRUSTED), "name a kubeconfig of this cluster with --kubeconfig"),
        (Trouble(kind="unanswered", message="no answer from 192.0.2.1:6443"), "--watch waits for them"),
        (Trouble(kind="forbidden", message="forbidden", code=403), "name an administrator's kubeconfig"),
    ],
    ids=["another cluster's server", "no server", "no administrator"],
)
def test_the_fix_is_for_what_went_wrong(trouble, fix):
    assert fix in _remedy(trouble)


class Quiet(Handler):
    """A cluster in which nobody asks for a certificate."""

    def do_GET(self):
        joined = [{"metadata": {"name": name}} for name in self.server.joined]
        items = {"items": joined if self.path == NODES else []}
        self.answer(404 if self.path == COMPLETE else 200, json.dumps(items).encode())


def answered(tree, tmp_path, joined=(), output="text"):
    """What is printed for a folder with this tree, and nodes that have joined."""
    host = tree.loaded.cluster.api_host
    folder = tmp_path / "cluster"
    shutil.copytree(tree.store.root.parent, folder, symlinks=True)
    authority = Authority()
    with served(Quiet, authority, tmp_path / "tls", host, joined=joined) as server:
        cluster = {"server": f"https://127.0.0.1:{server.server_port}", "tls-server-name": host}
        config = {
            "current-context": "a",
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [
                {
                    "name": "a",
                    "cluster": cluster | {"certificate-authority-data": b64encode(authority.pem).decode()},
                }
            ],
            "users": [{"name": "a", "user": {"token": "abc"}}],
        }
        (tmp_path / "kubeconfig").write_text(json.dumps(config))
        words = ["-C", str(folder), "approve", "--kubeconfig", str(tmp_path / "kubeconfig"), "-o", output]
        done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0
    return done


def said(tree, tmp_path, joined=()):
    return answered(tree, tmp_path, joined).output


def test_for_programs_the_last_line_has_who_is_missing_and_when_the_identity_expires(tmp_path):
    done = answered(built(), tmp_path, output="json")
    row = json.loads(done.stdout)
    assert row["notJoined"] == list(names(built().loaded.cluster))
    assert (row["joiningExpires"], row["joiningExpired"]) == ("2025-06-02T12:00:00Z", True)
    assert "the shared identity of new nodes expired at 2025-06-02 12:00 UTC" in done.stderr


def test_for_programs_an_identity_that_is_valid_has_its_end_too(tmp_path):
    tree = built_now()
    row = json.loads(answered(tree, tmp_path, names(tree.loaded.cluster), output="json").stdout)
    end = load_pem_x509_certificate((tree.store.root / "tls/kubelet-client.crt").read_bytes()).not_valid_after_utc
    expected = {"notJoined": [], "joiningExpires": end.strftime("%Y-%m-%dT%H:%M:%SZ"), "joiningExpired": False}
    assert row == expected


def test_the_end_of_the_identity_of_new_nodes_is_told_while_a_node_is_missing(tmp_path):
    """No request comes from such a node: the API server answers it with 401."""
    printed = said(built(), tmp_path)
    assert "not joined yet: master-0" in printed
    assert "the shared identity of new nodes expired at 2025-06-02 12:00 UTC" in printed
    assert "build` makes a new one" in printed


def test_nothing_is_told_of_it_when_every_node_has_joined(tmp_path):
    assert "expired" not in said(built(), tmp_path, names(built().loaded.cluster))


def test_nothing_is_told_of_one_that_is_valid(tmp_path):
    printed = said(built_now(), tmp_path)
    assert "not joined yet: master-0" in printed
    assert "expired" not in printed


def test_a_damaged_one_is_left_to_verification(tmp_path):
    folder = tmp_path / "assets"
    (folder / "tls").mkdir(parents=True)
    assert (ends(folder), over(folder)) == (None, "")
    (folder / "tls/kubelet-client.crt").write_bytes(b"-----BEGIN CERTIFICATE-----\nAA==\n")
    assert (ends(folder), over(folder)) == (None, "")
