"""Our writer against Go's own, text by text."""

from __future__ import annotations

import yaml

from hardway.emit import goyaml


def test_a_long_value_is_folded_behind_the_column_and_not_before():
    text = goyaml.dump({"sshKey": f"ssh-ed25519 {'A' * 68} root@vm and more"})
    assert text == f"sshKey: ssh-ed25519 {'A' * 68}\n  root@vm and more\n"


def test_what_is_written_is_read_back():
    document = {
        "b": ["x: y", {"c": None, "a": ["", "yes", 7, True]}],
        "a": {"text": "one\ntwo\n", "empty": {}, "no": []},
    }
    assert yaml.safe_load(goyaml.dump(document)) == document
