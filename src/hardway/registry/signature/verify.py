"""A release's signature: whether a key that the user trusts has signed this very digest.

What is signed is a short JSON text that names an image and its digest. The image itself is not part of it, so the
digest is what ties the two together: everything read later is checked against it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardway.io import plain
from hardway.model.errors import CheckError, ConfigError
from hardway.registry.access import Access
from hardway.registry.openpgp import BadSignature, keyring, opened
from hardway.registry.signature.store import Candidate, candidates
from hardway.release.documents import section

TYPE = "atomic container signature"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is known of a release's signature. A bad one is no verdict but an error."""

    state: Literal["verified", "absent", "unchecked"]
    said: str  # for people
    key: str = ""  # fingerprint of the key that signed
    signer: str = ""
    identity: str = ""  # the name under which the image was signed
    where: str = ""

    def as_dict(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ("state", "said", "key", "signer", "identity", "where")}


def check(digest: str, *, key: Path | None, source: str, access: Access) -> Verdict:
    """Look for a good signature of a digest (`sha256:…`). CheckError if there are signatures and none is good."""
    if not key and not source:
        return Verdict(state="unchecked", said="not checked: give --key and --signature to check it")
    if not key or not source:
        missing = "--key, the public key to trust" if not key else "--signature, a file, a folder or an https store"
        raise ConfigError(f"the signature cannot be checked without {missing}.\n    fix: give both")
    if not digest.startswith("sha256:"):
        raise ConfigError("this image has no digest, so it cannot be signed.\n    fix: name it by its digest")
    keys = keyring(_read(key), str(key))
    faults = []
    for candidate in candidates(source, digest, access):
        try:
            return _verified(candidate, keys, digest)
        except BadSignature as bad:
            faults.append(f"    {candidate.where}: {bad}")
    if not faults:
        return Verdict(state="absent", said=f"absent: {source} has no signature for {digest}", where=source)
    raise CheckError(
        f"the signature of {digest} is not valid:\n" + "\n".join(faults) + "\n"
        "    fix: get the key and the signature "
        "from the publisher of the release; do not "
        "use the release until they match"
    )


def _read(path: Path) -> bytes:
    try:
        return plain.given(path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}.\n    fix: give a key that can be read") from None


def _verified(candidate: Candidate, keys: bytes, digest: str) -> Verdict:
    signed = opened(candidate.content, keys)
    critical = _critical(signed.content)
    if critical.get("type") != TYPE:
        raise BadSignature("it signs something else than a container image")
    named = section(critical, "image").get("docker-manifest-digest")
    if named != digest:
        raise BadSignature(f"it is the signature of another image ({str(named)[:80]})")
    identity = section(critical, "identity").get("docker-reference")
    if not isinstance(identity, str) or not identity:
        raise BadSignature("it does not say under which name the image was signed")
    said = f"verified: signed by {signed.key} ({signed.signer}) as {identity}"
    return Verdict(
        state="verified", said=said, key=signed.key, signer=signed.signer, identity=identity, where=candidate.where
    )


def _critical(content: bytes) -> Any:
    try:
        return section(json.loads(content), "critical")
    except (ValueError, RecursionError):
        raise BadSignature("what it signs is not JSON") from None
