"""What a live display shows of work, with a clock that the test turns."""

from __future__ import annotations

from hardway.cli.terminal.rows import Rows


def rows(*times):
    clock = iter(times)
    now = [next(clock)]

    def turn():
        now[0] = next(clock)

    return Rows(clock=lambda: now[0]), turn


def cells(found):
    return [(row.subject, row.detail, row.numbers, time) for row, time in found.cells()]


def test_a_subject_is_one_row_with_its_detail_and_its_numbers():
    found, turn = rows(0, 10)
    found.see("compiling etcd: component 1 of 2, 3 s: go.etcd.io/raft", 1, 400, "steps")
    assert cells(found) == [("compiling etcd", "component 1 of 2, 3 s: go.etcd.io/raft", "1/400", "0 s")]
    turn()
    found.see("compiling etcd: component 1 of 2, 13 s: go.etcd.io/etcd", 100, 400, "steps")
    assert cells(found)[0][2:] == ("100/400", "30 s left")


def test_bytes_are_shown_as_megabytes():
    found, _ = rows(0)
    found.see("layer 0123", 1_500_000, 4_000_000, "bytes")
    assert cells(found)[0][2] == "1.5/4.0 MB"


def test_what_is_under_way_stays_beside_what_begins():
    found, _ = rows(0)
    found.see("keys: key/a", 1, 44, "files")
    found.see("files: cert/a", 1, 200, "files")
    assert [cell[0] for cell in cells(found)] == ["keys", "files"]


def test_what_is_over_makes_room_for_what_begins():
    found, _ = rows(0)
    found.see("layer a", 5, 5, "bytes")
    found.see("layer b", 1, 5, "bytes")
    assert [cell[0] for cell in cells(found)] == ["layer b"]
    found.see("rendering", 0, 0, "steps")
    assert [cell[0] for cell in cells(found)] == ["rendering"]


def test_a_wait_has_its_reason_and_how_long_it_is_under_way():
    found, turn = rows(0, 75)
    with found.wait("waiting for `hardway build`, process 7"):
        turn()
        assert found.waits() == ["waiting for `hardway build`, process 7 (1 min 15 s)"]
    assert found.waits() == []
