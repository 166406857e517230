"""Whatever the umask: nobody else can write to what is made, secrets are their owner's, and the owner can use all."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from hardway.cli.main import main
from tests.support.forked import forked
from tests.support.modes import changed
from tests.support.release.files import write_version

COMMANDS = (
    "init HERE/c",
    "-C HERE/c build 03 06",
    "-C HERE/c network files",
    "-C HERE/c verify 03",
    "release extract oci:HERE/oci --to HERE/extracted",
)
NOBODY = 65534
LOCKS = [("assets/.lock", "build 03"), ("assets/deliver/.lock", "deliver bootstrap")]


def give_up_rights() -> None:
    """Without capabilities root is a user: modes hold for it, too."""
    version = 0x20080522
    assert ctypes.CDLL(None).capset(struct.pack("II", version, 0), bytes(24)) == 0


@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o777], ids=oct)
def test_modes_do_not_depend_on_the_umask(tmp_path: Path, umask: int):
    write_version(tmp_path / "oci", "4.18.7")

    def call(words: list[str]) -> None:
        give_up_rights()
        os.umask(umask)
        os.environ["XDG_CACHE_HOME"] = str(tmp_path / "cache")
        sys.argv = ["hardway", *words]
        main()

    for command in COMMANDS:
        words = [word.replace("HERE", str(tmp_path)) for word in command.split()]
        done = forked(partial(call, words))
        assert done.returncode == 0, (command, done.stderr)
    made = {str(p.relative_to(tmp_path)): p.stat().st_mode & 0o777 for p in tmp_path.rglob("*") if p.name != "oci"}
    made = {path: mode for path, mode in made.items() if not path.startswith("oci/")}
    assert [path for path, mode in made.items() if mode & 0o022] == []
    assert [path for path, mode in made.items() if mode & 0o600 != 0o600] == []
    open_to_all = {path for path, mode in made.items() if mode & 0o077 and "assets" not in path}
    assert {path.split("/")[1 if path.startswith("c/") else 0] for path in open_to_all} <= {"c", "cache", "network"}
    assert {path: made[path] for path in ("c/assets", "c/assets/auth", "c/install-config.yaml")} == {
        "c/assets": 0o700,
        "c/assets/auth": 0o700,
        "c/install-config.yaml": 0o600,
    }


def test_no_file_is_open_to_more_than_its_mode_says_before_it_has_it(tmp_path: Path):
    """Whoever opens a key before its mode is set can read what comes after."""

    def call(*words: str) -> None:
        sys.argv = ["hardway", *words]
        with suppress(SystemExit):
            main()

    folder = str(tmp_path / "c")
    rows = changed(partial(call, "init", folder))
    rows += changed(partial(call, "-C", folder, "build", "03", "05", "06", "07", "08"))
    assert {Path(row.name).parent.name for row in rows} >= {"c", "tls", "auth", "assets"}
    assert [row for row in rows if row.before & ~row.after] == []


@pytest.mark.parametrize(("name", "command"), LOCKS)
def test_a_lock_of_another_user_is_named(tmp_path: Path, name: str, command: str):
    """Planted in the cluster's folder: only its owner could open it."""

    def call(*words: str) -> None:
        give_up_rights()
        sys.argv = ["hardway", *words]
        main()

    assert forked(partial(call, "init", str(tmp_path / "c"))).returncode == 0
    assert forked(partial(call, "-C", str(tmp_path / "c"), "build", "03", "05", "06", "07", "08")).returncode == 0
    (tmp_path / "c" / name).parent.mkdir(exist_ok=True)
    (tmp_path / "c" / name).touch()
    (tmp_path / "c" / name).chmod(0o600)
    os.chown(tmp_path / "c" / name, NOBODY, NOBODY)
    listen = ["--listen", "127.0.0.1"] if "deliver" in command else []
    done = forked(partial(call, "-C", str(tmp_path / "c"), *command.split(), *listen))
    assert (done.returncode, done.stdout) == (3, "")
    assert f"{Path(name).parent}" in done.stderr
    assert "Permission denied" in done.stderr
    assert "fix: " in done.stderr
