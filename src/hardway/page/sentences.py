"""Secrets and what is said in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hardway.gather.folder import PULL_SECRET
from hardway.gather.secrets import Secrets
from hardway.graph.asset import Asset
from hardway.model.own.document import MACHINE_CONFIG, SECRET, Own

KINDS = {
    "key": "A private key. Pages never have it; the file is below assets/, and only its owner can read it.",
    "password": "A password. Pages never have it.",
    "hash": "The hash of a password. Pages never have it: who has it can try passwords.",
    "ignition": "It has keys and the pull secret in it, so its bytes are not shown; what it puts on the node is below.",
}
"""Artifacts that are not shown at all."""
YOURS = "A document of yours that may have secrets in it. Pages never have its content; the file is in manifests/."
DATA = re.compile(r"^(\s*(?:- )?(?:[\w-]*-data|token|password|tls\.key|[\w.-]*\.key):) .*$", re.MULTILINE)
BLOCK = re.compile(r"^( *)-----BEGIN ([A-Z ]+)-----\n(?:.*\n)*?\s*-----END \2-----$", re.MULTILINE)
HIDDEN = "(not shown)"


def instead(asset: Asset, own: Iterable[Own] = ()) -> str:
    """The sentence in place of the content; empty if it may be shown. `own` are the user's documents: what a Secret or
    a file of a MachineConfig contains is known to the user alone."""
    kind = asset.address.partition("/")[0]
    hidden = {one.address for one in own if one.type in (SECRET, MACHINE_CONFIG)}
    return YOURS if asset.address in hidden else KINDS.get(kind, "")


def shown(content: bytes, secrets: Secrets) -> str:
    """A text without what is secret. Lines stay lines: their numbers are those of the file."""
    text = content.decode("utf-8", "replace")
    text = PULL_SECRET.sub(lambda found: f"{found[1]} {HIDDEN}" + "\n" * found[0].count("\n"), text)
    text = DATA.sub(rf"\1 {HIDDEN}", text)
    text = BLOCK.sub(_block, text)
    return secrets.without(text.encode()).decode()


def _block(found: re.Match[str]) -> str:
    what = found[2].lower()
    return f"{found[1]}({what}, {HIDDEN[1:-1]})" + "\n" * found[0].count("\n")
