"""A line of authorized_keys, judged as the installer does: the wire format of RFC 4253 is lengths and bytes."""

from __future__ import annotations

import base64
from typing import NamedTuple

_UNCOMPRESSED = b"\x04"  # the only form of a point that SSH allows
_CERTIFICATE = "-cert-v01@openssh.com"


class PublicKey(NamedTuple):
    declared: str  # the type as written before the key
    kind: str  # the type inside the key


def find_key(text: str) -> PublicKey | None:
    """The first line that holds a key, options allowed before it."""
    for line in text.split("\n"):
        line = line.split("\r")[0].strip()
        if line and not line.startswith("#"):
            key = _key_of(line) or _key_of(_without_options(line))
            if key:
                return key
    return None


def _key_of(line: str) -> PublicKey | None:
    declared, *rest = line.split(None, 1)[:2] if line else [""]
    blob = rest[0].split(None, 1)[0] if rest else ""
    try:
        kind = _kind_of(base64.b64decode(blob, validate=True))
    except ValueError:
        return None
    return PublicKey(declared, kind)


def _without_options(line: str) -> str:
    quoted = False
    for index, character in enumerate(line):
        if character in " \t" and not quoted:
            return line[index:].lstrip(" \t")
        if character == '"' and (index == 0 or line[index - 1] != "\\"):
            quoted = not quoted
    return ""


def _kind_of(blob: bytes) -> str:
    name, rest = _string(blob)
    kind = name.decode("ascii", errors="replace")
    if kind.endswith(_CERTIFICATE):
        _string(rest)
        return kind
    fields = []
    while rest:
        part, rest = _string(rest)
        fields.append(part)
    if not _is_sound(kind, fields):
        raise ValueError("no such key")
    return f"ecdsa-sha2-{fields[0].decode()}" if kind.startswith("ecdsa-") else kind


def _is_sound(kind: str, fields: list[bytes]) -> bool:
    lengths = [len(part) for part in fields]
    match kind:
        case "ssh-ed25519":
            return lengths == [32]
        case "sk-ssh-ed25519@openssh.com":
            return len(lengths) == 2 and lengths[0] == 32
        case "ssh-rsa":
            return len(fields) == 2 and _is_exponent(int.from_bytes(fields[0], signed=True))
        case "ssh-dss":
            return len(fields) == 4 and int.from_bytes(fields[0], signed=True).bit_length() == 1024
        case "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521":
            return len(fields) == 2 and _on_curve(fields[0].decode("ascii", errors="replace"), fields[1])
        case "sk-ecdsa-sha2-nistp256@openssh.com":
            return len(fields) == 3 and fields[0] == b"nistp256" and _on_curve("nistp256", fields[1])
    return False


def _is_exponent(number: int) -> bool:
    return number >= 3 and number % 2 == 1 and number.bit_length() <= 24


def _on_curve(name: str, point: bytes) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec

    curves: dict[str, ec.EllipticCurve] = {
        "nistp256": ec.SECP256R1(),
        "nistp384": ec.SECP384R1(),
        "nistp521": ec.SECP521R1(),
    }
    if name not in curves or point[:1] != _UNCOMPRESSED:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(curves[name], point)
    except ValueError:
        return False
    return True


def _string(data: bytes) -> tuple[bytes, bytes]:
    end = 4 + int.from_bytes(data[:4])
    if len(data) < max(end, 4):
        raise ValueError("the key is cut short")
    return data[4:end], data[end:]
