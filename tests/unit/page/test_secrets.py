"""An export of a whole cluster has none of its secrets, in no form, in none of its files."""

from __future__ import annotations

import re

from hardway.checks.log.secrets import HIDDEN as MARK
from hardway.drive.events import Event
from hardway.page import texts
from hardway.page.artifacts import pages
from hardway.page.laboratory import body
from hardway.page.sentences import HIDDEN, shown
from hardway.page.site import Site
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.leaks import forms, leaks, secrets
from tests.support.pages import exported
from tests.support.trees import built, write_folder

SECRET = b"0123456789abcdef0123"


def long_words(content):
    """Each once: all that can be a part of a secret, and few enough to be searched some ten thousand times."""
    return "\n".join(set(re.findall(r"""[^\s<>&;"']{12,}""", content)))


def test_words_that_are_long_are_searched():
    assert leaks(long_words(f"<p>{'x' * 5} {next(forms(SECRET))}</p>"), {"a": SECRET}) == ["a"]


def test_the_folder_has_many_secrets_and_the_export_none():
    content = long_words("\n".join(text for path, text in exported().items() if not path.startswith("guide/")))
    assert "tls/root-ca.key" in content  # that it is there is no secret
    assert leaks(content, secrets()) == []


def test_chapters_have_no_secret_but_the_samples():
    """The guide prints the pull secret that `hardway init` writes, which opens nothing."""
    public = "".join(texts.everything().values())
    content = long_words("\n".join(text for path, text in exported().items() if path.startswith("guide/")))
    hidden = {name: secret for name, secret in secrets().items() if secret.decode() not in public}
    assert len(hidden) > 30
    assert leaks(content, hidden) == []


def test_a_page_says_what_is_not_shown():
    assert "A private key. Pages never have it" in exported()["artifact/key/root-ca.html"]
    assert "A password. Pages never have it" in exported()["artifact/password/kubeadmin.html"]
    assert f"client-key-data: {HIDDEN}" in exported()["artifact/kubeconfig/admin.html"]
    assert f"pullSecret: {HIDDEN}" in exported()["yours/install-config.yaml.html"]
    assert "its bytes are not shown" in exported()["artifact/ignition/master-0.html"]


OWN = """\
apiVersion: v1
kind: Secret
metadata: {name: database, namespace: default}
stringData:
  password: Hunter2-as-it-is
  file: |
    first-line-of-a-file
    second-line-of-a-file
data: {other: SHVudGVyMi1kZWNvZGVk}
---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 99-worker-token, labels: {machineconfiguration.openshift.io/role: worker}}
spec:
  config:
    ignition: {version: 3.4.0}
    storage: {files: [{path: /etc/token, mode: 384, contents: {source: "data:,Hunter2-on-a-node"}}]}
"""


def test_what_the_user_s_own_secrets_contain_is_in_no_page(tmp_path):
    folder = write_folder(tmp_path / "c", install_config())
    (folder / "manifests").mkdir()
    (folder / "manifests" / "own.yaml").write_text(OWN)
    site = Site(workspace=open_workspace(folder))
    for own in site.workspace.loaded.cluster.own:
        path = site.workspace.store.root / own.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(own.content)
        page = next(page for page in pages(site) if page.title == own.address)
        assert "A document of yours that may have secrets in it" in page.body
        assert not re.search("Hunter2|line-of-a-file|SHVudGVy", page.body)
    logged = b"Hunter2-as-it-is, Hunter2-decoded, first-line-of-a-file, second-line-of-a-file, and SHVudGVyMi1kZWNvZGVk"
    assert site.secrets.without(logged).decode() == f"{MARK}, {MARK}, {MARK}, {MARK}, and {MARK}"


def test_lines_keep_their_numbers():
    block = "  -----BEGIN CERTIFICATE-----\n  abc\n  -----END CERTIFICATE-----\n"
    text = f"a: 1\npullSecret: >\n  {{\n  }}\nb: |\n{block}c: 2\n"
    lines = shown(text.encode(), Site(workspace=built()).secrets).splitlines()
    assert len(lines) == len(text.splitlines())
    assert lines[8] == "c: 2"
    assert "abc" not in "".join(lines)


def test_an_event_with_every_secret_in_it_is_shown_without_them():
    every = [form for secret in [*secrets().values()][::7] for form in forms(secret)]
    run = [Event(kind="trouble", seconds=1, text=f"kubelet wrote {form} to disk") for form in every]
    content = body(Site(workspace=built()), run)
    assert content.count("kubelet wrote") == len(every) > 50
    assert leaks(long_words(content), secrets()) == []
