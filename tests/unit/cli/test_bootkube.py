"""hardway bootkube: what can be read needs nothing; what is to be run needs a lab on the right road."""

from __future__ import annotations

import json

import pytest

from tests.support.forked import hardway


def test_the_list_as_text_and_as_data(tmp_path):
    done = hardway("bootkube", "--list", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "5      etcd-bootstrap" in done.stdout
    rows = json.loads(hardway("bootkube", "--list", "-o", "json", cwd=tmp_path).stdout)
    assert [row["number"] for row in rows][:3] == ["0", "1", "2"]
    assert all(row["what"] and row["breaks"] and row["source"] for row in rows)


def test_a_stage_is_explained(tmp_path):
    done = hardway("bootkube", "--explain", "mco-bootstrap", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in ("waits for", "reads", "writes", "marker", "without it"):
        assert words in done.stdout
    row = json.loads(hardway("bootkube", "--explain", "11", "-o", "json", cwd=tmp_path).stdout)
    assert row["marker"] == "/opt/openshift/mco-bootstrap.done"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--explain", "etcd-botstrap"], "did you mean etcd-bootstrap?"),
        (["--list", "--only", "etcd"], "exclude each other"),
        (["--from", "wait-for-etcd", "--until", "etcd"], "--until names a stage before --from"),
        (["--only", "etcd"], "no lab's cluster is here"),
    ],
)
def test_wrong_words(tmp_path, words, said):
    done = hardway("bootkube", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_on_another_road_is_left_alone(tmp_path):
    assert hardway("init", tmp_path / "c").returncode == 0
    done = hardway("bootkube", tmp_path / "c", "--only", "etcd")
    assert done.returncode == 2
    assert "this cluster has `road: payload`" in done.stderr
    assert not (tmp_path / "c/assets").exists()


def test_the_road_goes_to_the_last_stage(tmp_path):
    words = ("lab", "up", tmp_path / "c", "--road", "rendered", "--dry-run")
    assert "16 settled" in hardway(*words).stdout
    assert "16 settled" not in hardway(*words, "--until", "11").stdout
    assert not (tmp_path / "c").exists()
