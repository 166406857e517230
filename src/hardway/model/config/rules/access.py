"""The SSH key, and FIPS, which narrows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.rules.rule import Flaw, Rule, error, warn
from hardway.model.config.ssh import find_key

_PATH = "sshKey"
_FIPS_TYPES = r"ecdsa-sha2-nistp\d{3}|ssh-rsa"


def _key(draft: Draft) -> Iterator[Flaw]:
    text = draft.text(_PATH)
    if not text:
        message = "is missing: the build makes a key to log in with, assets/ssh/login"
        yield warn(_PATH, message, "add the line of ~/.ssh/id_ed25519.pub to use your own key")
        return
    key = find_key(text)
    if key is None:
        message = "is not a public key as in authorized_keys: type, base64, comment"
        yield error(_PATH, message, "paste the one line of a .pub file, not the private key and not a file name")
    elif key.declared != key.kind:
        message = f"says {key.declared[:40]!r}, but the key inside is {key.kind}: sshd ignores such a line"
        yield warn(_PATH, message, f"write {key.kind} in front of the key")


def _fips_key(draft: Draft) -> Iterator[Flaw]:
    key = find_key(draft.text(_PATH))
    if draft.values.get("fips") and key and not re.fullmatch(_FIPS_TYPES, key.kind):
        yield error(
            _PATH, f"is of type {key.kind}, which FIPS mode does not allow", "make one with ssh-keygen -t ecdsa"
        )


def _fips(draft: Draft) -> Iterator[Flaw]:
    if draft.values.get("fips"):
        message = "is on: keys made on a machine that is not in FIPS mode do not count, and this tool cannot tell"
        yield warn("fips", message, "run the tool on RHEL in FIPS mode (cat /proc/sys/crypto/fips_enabled says 1)")


RULES = (
    Rule("ssh.key", (_PATH,), _key),
    Rule("ssh.fips", (_PATH, "fips"), _fips_key),
    Rule("fips.host", ("fips",), _fips),
)
