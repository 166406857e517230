"""What the real Ignition and the real coreos-installer say, in the form in which a console shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.coreos_installer_tool import program
from tests.support.ignition.tool import programs


def ignition(config: bytes) -> bytes:
    """Its stage fetch, to its end, as the kernel's log has it."""
    with TemporaryDirectory(prefix="hardway-words-") as folder:
        scratch = Path(folder)
        (scratch / "config.ign").write_bytes(config)
        command = [str(programs() / "ignition"), "--platform=file", "--stage=fetch", "--log-to-stdout"]
        command += [f"--root={scratch}"]
        command += [f"--{name}={scratch / name}" for name in ("config-cache", "state-file", "neednet")]
        environment = {**os.environ, "IGNITION_CONFIG_FILE": str(scratch / "config.ign")}
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
    return re.sub(rb"(?m)^[A-Z]+ *: ", b"[   12.345678] ignition[845]: ", done.stdout)


def impatient(config: bytes) -> bytes:
    """The same config, with which Ignition gives up after two seconds instead of never."""
    body: dict[str, Any] = json.loads(config)
    body["ignition"]["timeouts"] = {"httpTotal": 2}
    return json.dumps(body).encode()


def coreos_installer(*words: str | Path) -> bytes:
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    done = subprocess.run([program(), *words], env=environment, capture_output=True, check=False)
    assert done.returncode != 0
    return re.sub(rb"(?m)^", b"[   15.697397] coreos-installer-service[1862]: ", done.stdout + done.stderr)
