"""Logs on the command line: files, pipes, gzip, and what is no log."""

from __future__ import annotations

import gzip
import json
import tarfile
from io import BytesIO

import pytest
from click.testing import CliRunner

from hardway.cli.main import cli
from hardway.model.errors import CheckError, ConfigError
from tests.unit.checks.log.test_scan import EOF, EXPIRED


def doctor(*words, **given):
    return CliRunner().invoke(cli, ["doctor", *map(str, words)], **given)


def test_a_file_needs_no_folder(tmp_path):
    path = tmp_path / "journal"
    path.write_text(f"quiet\n{EXPIRED}\n")
    done = doctor("--log", path)
    assert isinstance(done.exception, CheckError)
    assert done.stdout.startswith(f"error: {path}:2: {EXPIRED} (")


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_pipe(packed):
    told = json.loads(doctor("--log", "-", "-o", "json", input=packed(EXPIRED.encode())).stdout)
    assert [(root["id"], root["fails"]) for root in told["roots"]] == [("F01", True)]


def test_what_may_be_normal_is_told_and_does_not_fail():
    done = doctor("--log", "-", input=EOF)
    assert done.exception is None
    assert "warning: standard input:1: " in done.stdout
    assert "    decide: it is normal until" in done.stdout


def test_of_two_candidates_none_is_chosen():
    done = doctor("--log", "-", input="dial tcp 172.30.0.1:443: i/o timeout")
    assert isinstance(done.exception, CheckError)
    assert "    either: F32: " in done.stdout
    assert "    fix: " not in done.stdout
    told = json.loads(doctor("--log", "-", "-o", "json", input="dial tcp 172.30.0.1:443: i/o timeout").stdout)
    [root] = told["roots"]
    assert (root["failures"], root["candidates"]) == ([], ["F32", "F47"])


def test_another_log_decides(tmp_path):
    (tmp_path / "a").write_text("dial tcp 172.30.0.1:443: i/o timeout\n")
    (tmp_path / "b").write_text("dial tcp 172.30.0.1:443: connect: no route to host\n")
    told = json.loads(doctor("--log", tmp_path / "a", "--log", tmp_path / "b", "-o", "json").stdout)
    assert [(r["id"], [e["id"] for e in r["effects"]]) for r in told["roots"]] == [("F47", ["log.service-timeout"])]


REFUSED = {
    "journal": (b"LPKSHHRH\x00\x00", "is a journal in systemd's own format.\n    fix: `journalctl --file FILE |"),
    "xz": (b"\xfd7zXZ\x00\x00", "is compressed with xz.\n    fix: `xzcat FILE |"),
    "program": (bytes(range(32)) * 40, "is not text.\n    fix: name a log"),
    "cut": (
        gzip.compress(b"x" * 9999)[:-9],
        "is damaged: gzip cannot read it to its end.\n    fix: give the whole file",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_log_is_refused_in_one_message(name, tmp_path):
    content, message = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    done = doctor("--log", tmp_path / name)
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).startswith(f"{tmp_path / name}: {message}")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    done = doctor("--log", tmp_path / "none")
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).endswith("fix: name a log that can be read")
    folder = doctor("--log", tmp_path)
    assert isinstance(folder.exception, ConfigError)


def test_a_log_without_a_name_is_refused_before_anything_is_read():
    """What `--log "$LOG"` is, if nothing has set the variable."""
    done = doctor("--log", "")
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception) == "--log: names no file.\n    fix: name a log, or pipe it in with `--log -`"


SILENT = "This does not mean that nothing is wrong."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", f"standard input: the log is empty. {SILENT}"),
        ("fine", f"standard input: 1 line was read, and it has no words that hardway knows. {SILENT}"),
        ("a\n\nb\n", f"standard input: 3 lines were read, and none has words that hardway knows. {SILENT}"),
    ],
)
def test_a_log_without_known_words_is_not_called_healthy(text, told):
    done = doctor("--log", "-", input=text)
    assert done.exception is None
    assert done.stdout.splitlines()[-1] == told
    assert json.loads(doctor("--log", "-", "-o", "json", input=text).stdout)["notes"] == [told]


def test_a_log_with_known_words_has_no_such_note():
    assert SILENT not in doctor("--log", "-", input=EXPIRED).stdout


def archive(mode):
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as tar:
        member = tarfile.TarInfo("log-bundle/bootstrap/journals/bootkube.log")
        member.size = len(EXPIRED)
        tar.addfile(member, BytesIO(EXPIRED.encode()))
    return packed.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_archive_is_refused_as_a_log_and_the_fix_reads_it(mode, tmp_path):
    (tmp_path / "FILE").write_bytes(archive(mode))
    done = doctor("--log", tmp_path / "FILE")
    assert isinstance(done.exception, ConfigError)
    told, fix = str(done.exception).splitlines()
    assert told == f"{tmp_path / 'FILE'}: is a tar archive."
    assert fix == "    fix: `hardway doctor FILE` reads an archive"
    assert isinstance(doctor(tmp_path / "FILE").exception, CheckError)


def test_the_command_is_bare_and_no_words_of_a_log():
    done = doctor("--log", "-", input="etcdserver: request timed out")
    assert "    command: oc -n openshift-etcd get pods -o wide" in done.stdout.splitlines()


def test_ignored_by_its_failure_mode():
    assert doctor("--log", "-", "--ignore", "F01", input=EXPIRED).exception is None
