"""The end of a log, however large a node has made it."""

from __future__ import annotations

from hardway.lab.launch import last_lines


def test_of_a_log_that_would_fill_the_memory_the_end_is_shown(tmp_path):
    log = tmp_path / "console.log"
    with log.open("wb") as stream:
        stream.truncate(1 << 40)
        stream.seek(1 << 40)
        stream.write(b"\none\ntwo \xff\n")
    assert last_lines(log, 2) == "    one\n    two \ufffd"
    assert last_lines(tmp_path / "none") == "    (nothing)"
