"""Archives: our own, those of openshift-install and must-gather, and what is none."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from hardway.cli.main import cli
from hardway.doctor.bundle import read, stored
from hardway.doctor.diagnosis import diagnose
from hardway.gather.archive import FINDINGS, Archive
from hardway.gather.secrets import Secrets
from hardway.model.check import Finding, Report
from hardway.model.errors import CheckError, ConfigError
from hardway.tools.patience import Patience
from tests.unit.checks.log.test_scan import EXPIRED

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
OLD = "2026-05-01T10:00:00Z"
PENDING = {
    "kind": "CertificateSigningRequest",
    "metadata": {"name": "csr-1", "creationTimestamp": OLD},
    "spec": {"signerName": "kubernetes.io/kubelet-serving", "username": "system:node:worker-0"},
}
READY = {
    "kind": "Node",
    "metadata": {"name": "master-0"},
    "status": {"conditions": [{"type": "Ready", "status": "True"}]},
}


def packed(folder, files, mode="w:gz"):
    path = folder / "bundle.tar.gz"
    with tarfile.open(path, mode) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(content), int(NOW.timestamp())
            tar.addfile(member, io.BytesIO(content))
    return path


def test_a_log_bundle_has_journals_and_objects(tmp_path):
    top = "log-bundle-20260501120000"
    requests = {"apiVersion": "v1", "kind": "List", "items": [PENDING]}
    files = {
        f"{top}/bootstrap/journals/bootkube.log": f"all is well\n{EXPIRED}\n".encode(),
        f"{top}/resources/csr.json": json.dumps(requests).encode(),
    }
    report = read(packed(tmp_path, files))
    [root] = diagnose(report).roots
    assert (root.case.id, [effect.case.id for effect in root.effects]) == ("F01", ["F28"])
    subjects = {f.subject for f in report.findings}
    assert subjects == {f"{top}/bootstrap/journals/bootkube.log:2", "request csr-1"}


def test_a_must_gather_has_yaml_and_packed_logs(tmp_path):
    top = "must-gather.local.1/quay-io-x"
    pod = """kind: PodList
items:
- metadata: {name: p, namespace: openshift-etcd, creationTimestamp: "2026-05-01T10:00:00Z"}
  status:
    containerStatuses:
    - {name: c, state: {waiting: {reason: ImagePullBackOff, message: "manifest unknown"}}}
"""
    files = {
        f"{top}/namespaces/openshift-etcd/core/pods.yaml": pod.encode(),
        f"{top}/cluster-scoped-resources/core/nodes/m.yaml": json.dumps(READY).encode(),
        f"{top}/host_service_logs/masters/kubelet_service.log.gz": gzip.compress(gzip.compress(EXPIRED.encode())),
    }
    report = read(packed(tmp_path, files))
    assert {f.check for f in report.findings} == {"cluster.pods", "log.expired"}
    assert {f.failure for f in report.findings} == {"F12", "F01"}


def test_what_logs_say_of_a_cluster_in_which_nothing_is_wrong_is_past(tmp_path):
    report = read(packed(tmp_path, {"x/nodes.json": json.dumps(READY).encode(), "x/kubelet.log": EXPIRED.encode()}))
    assert (report.findings, report.ok) == ((), True)
    assert any("Logs have words of F01." in note for note in report.notes)


SKIPPED = {"pki.chain": "it did\nnot answer", "pki.nonsense": "another version"}


def gathered(folder, *findings, logs=""):
    archive = Archive(cluster="c", now=NOW, secrets=Secrets(), patience=Patience(60))
    archive.add(FINDINGS, stored(Report(ran=("cluster.nodes", "pki.pair"), findings=findings, skipped=SKIPPED)), "x")
    archive.add("machines/m/journal.log", logs, "x")
    archive.miss("api", "no answer")
    archive.write(folder / "ours.tar.gz")
    return folder / "ours.tar.gz"


def finding(check, **rest):
    return Finding(**{"check": check, "subject": "s", "message": "m", "fix": "f"} | rest)


def test_what_was_found_where_the_archive_was_made_is_found_again(tmp_path):
    made = gathered(tmp_path, finding("pki.pair"), finding("log.expired"), logs=EXPIRED)
    report = read(made)
    [pair] = [f for f in report.findings if f.check == "pki.pair"]
    assert (pair.subject, pair.message, pair.fix) == ("s", "m", "as the archive has it: f")
    assert pair.breaks == "the component exits: tls: private key does not match public key"
    assert [f.subject for f in report.findings if f.check == "log.expired"] == [
        "hardway-gather/machines/m/journal.log:1"
    ]
    assert report.skipped == {"pki.chain": r"it did\nnot answer"}
    assert "not in it: api: no answer" in report.notes


def test_findings_that_this_version_does_not_know_are_left_out(tmp_path):
    report = read(gathered(tmp_path, finding("pki.nonsense"), finding("pki.pair", failure="F99")))
    assert report.findings == ()
    assert any("2 findings of another version were left out" in note for note in report.notes)


def test_the_command_reads_an_archive_and_fails_for_what_is_in_it(tmp_path):
    done = CliRunner().invoke(cli, ["doctor", str(packed(tmp_path, {"k.log": EXPIRED.encode()}))])
    assert isinstance(done.exception, CheckError)
    assert done.stdout.startswith("error: k.log:1: ")


HOSTILE = {
    "no archive": (b"just text", "is not a tar archive, or is damaged"),
    "cut": (gzip.compress(b"x" * 5000)[:40], "is not a tar archive, or is damaged"),
    "empty": (b"", "is not a tar archive, or is damaged"),
}


@pytest.mark.parametrize(("content", "said"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_archive_is_refused(content, said, tmp_path):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        read(tmp_path / "x")


def test_links_devices_and_names_that_lead_away_are_not_followed(tmp_path):
    path = tmp_path / "evil.tar"
    with tarfile.open(path, "w") as tar:
        for kind, name in (
            (tarfile.SYMTYPE, "link.log"),
            (tarfile.CHRTYPE, "null.log"),
            (tarfile.FIFOTYPE, "pipe.log"),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member)
        member = tarfile.TarInfo("../../etc/\x1b[31mx.log")
        member.size = len(EXPIRED)
        tar.addfile(member, io.BytesIO(EXPIRED.encode()))
    [one] = read(path).findings
    assert one.subject == "../../etc/\\x1b[31mx.log:1"
    assert [p.name for p in tmp_path.iterdir()] == ["evil.tar"]


def test_objects_of_any_shape_are_no_error(tmp_path):
    odd = [{"kind": "Pod"}, {"kind": "PodList", "items": 7}, {"kind": "Node", "metadata": []}, [], 5, None]
    odd.append({"kind": "Event", "metadata": {"name": "e"}, "message": 7, "lastTimestamp": []})
    report = read(packed(tmp_path, {f"{n}.json": json.dumps(row).encode() for n, row in enumerate(odd)}))
    assert report.ok
