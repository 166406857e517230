"""What a program can still do that goes without the rights of lab/rights.py, as root of this machine."""

from __future__ import annotations

import os
import subprocess
import sys

from hardway.lab import rights

BY_NUMBER = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
handle, mount = ctypes.create_string_buffer(b"\\x80\\0\\0\\0" + bytes(132)), ctypes.c_int()
folder = os.open(sys.argv[2], os.O_RDONLY)
assert libc.name_to_handle_at(-100, sys.argv[1].encode(), handle, ctypes.byref(mount), 0) == 0
found = libc.open_by_handle_at(folder, handle, os.O_RDONLY)
print(os.read(found, 99).decode() if found >= 0 else os.strerror(ctypes.get_errno()))
"""
"""Opens a file by its number in the file system, with any other folder there as the way to it: what a node would do
with a folder of its own and a number that it has guessed."""


def run(words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_a_file_cannot_be_opened_by_its_number(tmp_path):
    secret, own = tmp_path / "shadow", tmp_path / "own"
    secret.write_text("precious")
    own.mkdir()
    words = [sys.executable, "-c", BY_NUMBER, str(secret), str(own)]
    assert run(words) == "precious"
    assert run(rights.without(words)) == "Operation not permitted"


def test_no_program_gets_them_back():
    status = run(rights.without(["setpriv", "--dump"]))
    bounds = next(line for line in status.splitlines() if line.startswith("Capability bounding set:"))
    held = set(bounds.partition(":")[2].strip().split(","))
    assert not held & {row.name.removeprefix("CAP_").lower() for row in rights.TABLE}
    assert {"sys_admin", "dac_override"} <= held
    assert os.geteuid() == 0
