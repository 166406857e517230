"""An archive is bounded, names in it lead nowhere else, and what is missing is listed."""

from __future__ import annotations

import tarfile

import pytest

from hardway.gather import archive as module
from hardway.gather.archive import Archive, part
from hardway.gather.machines import machines
from hardway.gather.secrets import Secrets
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience
from hardway.tools.run import Done
from tests.support.entropy import NOW
from tests.support.trees import built


def empty(seconds=60.0):
    return Archive(cluster="c", now=NOW, secrets=Secrets(), patience=Patience(seconds))


def test_of_a_long_file_the_end_is_kept_from_a_whole_line_on(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 20)
    made = empty()
    made.add("log", "first line\nsecond line\nthird line\n", "a log")
    assert made.files["log"] == b"third line\n"
    assert made.entries[0].cut


def test_when_it_is_full_the_rest_is_missing(monkeypatch):
    monkeypatch.setattr(module, "MOST", 10)
    made = empty()
    made.add("a", "12345678", "x")
    made.add("b", "12345678", "x")
    assert list(made.files) == ["a"]
    assert [row.name for row in made.missing] == ["b"]


def test_when_the_time_is_over_nothing_more_is_asked():
    made = empty(seconds=0)
    asked: list[str] = []

    def refused(node, argv):
        asked.append(node)
        return Done(command=(), code=0, output="", errors="")

    made.attempt("a", "x", lambda: asked.append("a") or "")
    machines(made, built().loaded.cluster, refused, ["master-0"])
    assert asked == []
    assert [(row.name, row.why) for row in made.missing] == [
        ("a", "the time was over"),
        ("machines/master-0", "the time was over"),
    ]


def test_a_failure_is_a_reason_and_no_end():
    def fail():
        raise ToolError("no answer.\n    fix: try again")

    made = empty()
    made.attempt("a", "x", fail)
    made.attempt("b", "x", lambda: "fine")
    assert [(row.name, row.why, row.fix) for row in made.missing] == [("a", "no answer.", "try again")]
    assert list(made.files) == ["b"]


@pytest.mark.parametrize(
    ("name", "said", "why"),
    [
        ("machines/master-0", "master-0: 192.0.2.1 does not answer.", "192.0.2.1 does not answer."),
        ("machines/master-0/pods", "master-0: sudo asks.", "sudo asks."),
        ("machines/master-0", "worker-0: is off", "worker-0: is off"),
        ("api", "no answer: refused", "no answer: refused"),
    ],
)
def test_the_reason_does_not_repeat_the_name(name, said, why):
    made = empty()
    made.miss(name, said)
    assert [(row.name, row.why) for row in made.missing] == [(name, why)]


def test_a_machine_that_does_not_answer_is_named_once():
    def unreachable(node, argv):
        raise ToolError(f"{node}: 192.0.2.1 does not answer.\n    fix: look whether the machine is on")

    made = empty()
    machines(made, built().loaded.cluster, unreachable, ["master-0"])
    [row] = made.missing
    assert f"{row.name}: {row.why}" == "machines/master-0: 192.0.2.1 does not answer."
    assert row.fix == "look whether the machine is on"


def test_a_fix_has_no_secret_either():
    made = Archive(cluster="c", now=NOW, secrets=Secrets((b"the-password-of-all",)), patience=Patience(60))
    made.miss("a", "b.\n    fix: give the-password-of-all")
    assert "the-password-of-all" not in made.index().decode()


def test_the_index_comes_first_and_the_archive_is_private(tmp_path):
    made = empty()
    made.add("a", "1", "x")
    made.write(tmp_path / "a.tar.gz")
    assert (tmp_path / "a.tar.gz").stat().st_mode & 0o777 == 0o600
    with tarfile.open(tmp_path / "a.tar.gz") as tar:
        names = tar.getnames()
    assert names == ["hardway-gather/index.json", "hardway-gather/index.md", "hardway-gather/a"]


def test_a_name_of_others_is_one_part_of_a_path():
    assert [part(name) for name in ("../../etc", "a/b", "", ".ssh", "x" * 300)] == [
        "_.._etc",
        "a_b",
        "_",
        "ssh",
        "x" * 120,
    ]


def test_logs_of_pods_are_separate_files_whatever_is_in_them():
    """Who writes a log does not know what separates it from the next one."""
    made = empty()

    def run(node, argv):
        if "tail" not in " ".join(argv):
            return Done(command=tuple(argv), code=0, output="", errors="")
        mark = argv[4]
        rows = f"{mark} openshift-a_x_1/c/0.log\none\n{'0' * 32} ../../etc/shadow\n\n{mark} kube-b_y_2/../0.log\ntwo\n"
        return Done(command=tuple(argv), code=0, output=rows, errors="")

    machines(made, built().loaded.cluster, run, ["m"])
    logs = {name: content for name, content in made.files.items() if "/pods/" in name}
    assert list(logs) == ["machines/m/pods/openshift-a_x_1/c/0.log", "machines/m/pods/kube-b_y_2/_/0.log"]
    assert logs["machines/m/pods/openshift-a_x_1/c/0.log"].startswith(b"one\n")
