"""The release's real operators render from our tables: what comes of it, what for, and when it is done again."""

from __future__ import annotations

import json

import pytest
import yaml

from hardway.ignition.rendered import brought_by
from hardway.labrelease.compile.all import compiled
from hardway.labrelease.components.table import component
from hardway.render import outputs
from hardway.workspace.folder import open_workspace
from tests.support.hardway_program import hardway

MADE = ("api", "config", "cvo", "etcd", "kube-apiserver", "machine-config")
ABSENT = {
    "kube-controller-manager": "the image pod stands in for cluster-kube-controller-manager-operator",
    "kube-scheduler": "the image pod stands in for cluster-kube-scheduler-operator",
    "ingress": "the image pod stands in for cluster-ingress-operator",
    "node-tuning": "has no image cluster-node-tuning-operator",
    "cloud-credential": "has no image cloud-credential-operator",
}


def render(folder, *words):
    done = hardway("-C", folder, "render", *words, "-o", "json")
    assert done.returncode == 0, done.stderr
    return {row["operator"]: row for row in json.loads(done.stdout)}


def files(folder, operator):
    place = folder / "assets/rendered" / operator
    return {str(p.relative_to(place)) for p in place.rglob("*") if p.is_file() and p.name != "inputs.json"}


def documents(folder, operator):
    for path in sorted((folder / "assets/rendered" / operator).rglob("*.yaml")):
        yield from (d for d in yaml.safe_load_all(path.read_text()) if isinstance(d, dict) and "kind" in d)


def test_a_second_run_keeps_all_and_says_what_cannot_be_had(operated):
    found = render(operated, "--all")
    assert {name: row["state"] for name, row in found.items() if name not in ABSENT} == dict.fromkeys(MADE, "kept")
    for name, why in ABSENT.items():
        assert found[name]["state"] == "absent"
        assert why in found[name]["why"]
        assert found[name]["call"].startswith("podman run --quiet --net=host --rm")
    assert found["kube-apiserver"]["leftOut"] == ["--operand-kubernetes-version"]


def of_a_whole_image():
    """What the kube-apiserver operator's image has besides in a release of Red Hat's, where its Dockerfile takes it
    from; it is rendered as it is."""
    crds = compiled(component("api")) / "data/apiserver/v1/zz_generated.crd-manifests"
    return {f"manifests/{path.name}" for path in crds.glob("*.crd.yaml")}


def test_every_file_has_a_row_and_every_row_a_file(operated):
    made = {operator: files(operated, operator) for operator in MADE}
    made["kube-apiserver"] |= of_a_whole_image()
    unexplained = [f"{o}/{f}" for o, found in made.items() for f in found if not outputs.what_for(o, f)]
    assert unexplained == []
    idle = [row for row in outputs.TABLE if not any(row.matches(row.operator, f) for f in made[row.operator])]
    assert idle == []


def test_everything_is_private(operated):
    for path in (operated / "assets/rendered").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_the_first_member_is_the_planned_node(operated):
    node = open_workspace(operated).loaded.cluster.bootstrap
    pod = (operated / "assets/rendered/etcd/etc-kubernetes/manifests/etcd-member-pod.yaml").read_text()
    assert f"--advertise-client-urls=https://{node.address}:2379" in pod
    assert f"etcd-serving-{node.name}.crt" in pod


def test_the_feature_gate_is_rewritten_with_the_status_that_ours_has(operated):
    theirs = yaml.safe_load((operated / "assets/rendered/api/rewritten/manifests/99_feature-gate.yaml").read_text())
    ours = yaml.safe_load((operated / "assets/openshift/99_feature-gate.yaml").read_text())
    assert theirs["status"] == ours["status"]


def test_the_crds_are_those_that_stage_04_chose(operated):
    theirs = {p.rpartition("/")[2] for p in files(operated, "api") if p.endswith(".crd.yaml")}
    ours = {p.name for p in (operated / "assets/crds").iterdir()}
    assert ours - theirs == {p for p in ours if "cluster-version-operator" in p}
    assert theirs <= ours


def test_what_we_leave_to_an_operator_it_renders(operated):
    """By kind, namespace and name: file names may differ."""

    def identity(document):
        meta = document["metadata"]
        return document["kind"], meta.get("namespace", ""), meta["name"]

    theirs = {operator: {identity(d) for d in documents(operated, operator)} for operator in MADE}
    workspace = open_workspace(operated)
    for address, asset in workspace.graph.items():
        operator = brought_by(asset.path.rpartition("/")[2]) if address.startswith("manifest/") else ""
        if operator in MADE and asset.path.startswith("manifests/"):
            assert identity(yaml.safe_load(workspace.store.read(asset.path))) in theirs[operator], address


def test_only_what_was_touched_is_rendered_again(rendered):
    (rendered / "assets/rendered/cvo/bootstrap/bootstrap-pod.yaml").write_text("changed")
    found = render(rendered, "cvo", "config")
    assert (found["cvo"]["state"], found["config"]["state"]) == ("made", "kept")


def test_a_changed_input_is_rendered_anew(rendered):
    path = rendered / "assets/manifests/cluster-scheduler-02-config.yml"
    path.write_text(path.read_text() + "\n# changed\n")
    assert render(rendered, "cvo")["cvo"]["state"] == "made"


def test_what_a_killed_run_left_goes(rendered):
    left = rendered / "assets/rendered/.etcd.killed.part/assets/tls"
    left.mkdir(parents=True)
    render(rendered, "config")
    assert not left.exists()


def test_what_another_release_rendered_does_not_stay(rendered):
    stale = rendered / "assets/rendered/ingress"
    stale.mkdir()
    (stale / "left.yaml").touch()
    assert render(rendered, "ingress")["ingress"]["state"] == "absent"
    assert not stale.exists()


def test_a_render_that_fails_says_so_and_changes_nothing(rendered):
    before = files(rendered, "kube-apiserver")
    path = rendered / "assets/manifests/cluster-network-02-config.yml"
    path.write_text(path.read_text().replace("10.128.0.0/14", "10.128.0.0/99"))
    done = hardway("-C", rendered, "render", "kube-apiserver")
    assert done.returncode == 3
    assert "the render of kube-apiserver failed with exit code" in done.stderr
    assert "10.128.0.0/99" in done.stderr
    kept = rendered / "assets/rendered/kube-apiserver-failed/assets"
    assert f"--volume={kept}:/assets" in done.stderr
    assert kept.is_dir()
    assert files(rendered, "kube-apiserver") == before


def test_the_text_names_files_and_reasons(operated):
    done = hardway("render", "etcd", operated, "--files")
    assert done.returncode == 0, done.stderr
    assert "the signers that the member trusts" in done.stdout
    assert "1 operator rendered, 0 not available" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["etdc"], 2, "did you mean etcd?"),
        ([], 2, "name one or more, or give --all"),
        (["--all", "etcd"], 2, "leave one of them out"),
    ],
)
def test_wrong_words(operated, words, code, said):
    done = hardway("-C", operated, "render", *words)
    assert done.returncode == code
    assert said in done.stderr


def test_without_a_release_there_are_calls_and_no_renders(tmp_path):
    assert hardway("init", tmp_path / "c").returncode == 0
    done = hardway("-C", tmp_path / "c", "render", "--all")
    assert done.returncode == 3
    assert "no release is read yet" in done.stderr
    dry = hardway("-C", tmp_path / "c", "render", "--all", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "/usr/bin/cluster-etcd-operator render --asset-output-dir=/assets/etcd-bootstrap" in dry.stdout
    assert not (tmp_path / "c/assets").exists()


def test_what_is_not_built_is_named(rendered):
    (rendered / "assets/tls/root-ca.crt").unlink()
    done = hardway("-C", rendered, "render", "config")
    assert done.returncode == 2
    assert "tls/root-ca.crt" in done.stderr
    assert f"hardway -C {rendered} build 05 06 07" in done.stderr
