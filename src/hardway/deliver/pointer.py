"""What a machine is given so that it can fetch its file: a small Ignition config, and commands for other roads.

The pointer carries all three safeguards: the URL with the token, the hash of the file, and the authority that the
server's certificate must be signed by. Kernel arguments can carry the URL only: there is no argument for a header, for
a hash, or for an authority. So the token is part of the path, and those roads say how the authority gets in.
"""

from __future__ import annotations

import json
import shlex

from hardway.deliver.identity import AUTHORITY
from hardway.deliver.ledger import FOLDER, Parcel
from hardway.emit.ignition import data_url
from hardway.model.cluster import Node, in_url, is_address


def base_url(host: str, port: int) -> str:
    return f"https://{in_url(host) if is_address(host) else host}:{port}"


def url(base: str, parcel: Parcel) -> str:
    return f"{base}/{parcel.node}/{parcel.token}"


def pointer(base: str, parcel: Parcel, authority: bytes, version: str) -> bytes:
    """An Ignition config that is replaced by the node's own, fetched once and checked."""
    config = {
        "ignition": {
            "version": version,
            "config": {"replace": {"source": url(base, parcel), "verification": {"hash": parcel.hash}}},
            "security": {"tls": {"certificateAuthorities": [{"source": data_url(authority)}]}},
        }
    }
    return json.dumps(config, indent=1).encode() + b"\n"


def pointer_path(node: str) -> str:
    return f"{FOLDER}/{node}.ign"


def ways_path(node: str) -> str:
    return f"{FOLDER}/{node}.txt"


_WAYS = """\
How {node} can fetch its Ignition file. The URL opens it once; keep this file to yourself until then.

1. An ISO (or PXE) that installs by itself. The pointer config has URL, hash and CA. The installed
   system fetches at its first boot, before it has its own address: it needs DHCP then, or --network-keyfile here.

   coreos-installer iso customize --dest-device {disk} \\
     --dest-ignition assets/{pointer} -o {node}.iso rhcos-live.x86_64.iso
   coreos-installer pxe customize --dest-device {disk} \\
     --dest-ignition assets/{pointer} -o {node}-initramfs.img rhcos-live-initramfs.x86_64.img

2. By hand, at the prompt of the live system. First bring assets/{authority} there and compare its fingerprint,
   then let the system trust it:

   openssl x509 -in root-ca.crt -noout -fingerprint -sha256
     sha256 Fingerprint={fingerprint}
   sudo cp root-ca.crt /etc/pki/ca-trust/source/anchors/ && sudo update-ca-trust
   sudo coreos-installer install {disk} \\
     --ignition-url {url} \\
     --ignition-hash {hash}

3. By kernel arguments, on an image that was customized with --ignition-ca assets/{authority}. They can have
   neither hash nor CA, so the image has the CA:

   ignition.firstboot ignition.platform.id=metal ignition.config.url={url}
"""


def ways(base: str, parcel: Parcel, node: Node, authority_fingerprint: str) -> bytes:
    """The exact commands for one node. They hold its token, so they go into a file and not to the screen."""
    text = _WAYS.format(
        node=parcel.node,
        disk=shlex.quote(node.disk),
        pointer=pointer_path(parcel.node),
        authority=AUTHORITY,
        fingerprint=authority_fingerprint,
        url=shlex.quote(url(base, parcel)),
        hash=parcel.hash,
    )
    return text.encode()
