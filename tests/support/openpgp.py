"""OpenPGP keys and signed messages, made with gpg in a home of their own."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONG_AGO = "20200101T000000"


@dataclass(frozen=True)
class Keys:
    """A home with secret keys. It is short, because the agent's socket lies in it."""

    home: Path

    def _gpg(self, *words: str, stdin: bytes = b"") -> bytes:
        command = ["gpg", "--homedir", str(self.home), "--batch", "--quiet", "--yes", "--passphrase", "", *words]
        return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout

    def make(self, name: str, *, long_ago: bool = False, lifetime: str = "0") -> str:
        """A key to sign with; its fingerprint."""
        past = ["--faked-system-time", LONG_AGO] if long_ago else []
        self._gpg(*past, "--quick-generate-key", f"{name} <{name}@example.com>", "ed25519", "sign", lifetime)
        listed = self._gpg("--with-colons", "--list-keys", f"{name}@example.com").decode()
        return next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))

    def public(self, *keys: str, armored: bool = True) -> bytes:
        return self._gpg(*(["--armor"] if armored else []), "--export", *keys)

    def secret(self, key: str) -> bytes:
        return self._gpg("--armor", "--export-secret-keys", key)

    def sign(self, key: str, content: bytes, *, long_ago: bool = False, lifetime: str = "0") -> bytes:
        past = ["--faked-system-time", LONG_AGO] if long_ago else []
        options = ["--compress-algo", "none", "--default-sig-expire", lifetime, "--local-user", key]
        return self._gpg(*past, *options, "--sign", stdin=content)


@contextmanager
def home() -> Iterator[Keys]:
    with tempfile.TemporaryDirectory(prefix="hw-gpg-", ignore_cleanup_errors=True) as folder:
        try:
            yield Keys(Path(folder))
        finally:
            subprocess.run(["gpgconf", "--homedir", folder, "--kill", "gpg-agent"], check=True)


def claim(
    digest: str, *, identity: Any = "example.com/ocp/release:4.18.0", kind: str = "atomic container signature"
) -> bytes:
    critical = {
        "image": {"docker-manifest-digest": digest},
        "type": kind,
        "identity": {"docker-reference": identity},
    }
    return json.dumps({"critical": critical, "optional": {"creator": "a test"}}).encode()
