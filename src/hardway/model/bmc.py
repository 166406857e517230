"""The part of hosts.yaml about BMCs: the small computer in a machine that switches it, by Redfish."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind
from hardway.model.why import because

SYSTEMS = "/redfish/v1/Systems/"
EXAMPLE = "https://10.0.1.21"
FILES = {"passwordFile": "bmc-password", "trustBundle": "bmc-ca.pem"}
LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOST = rf"{LABEL}(\.{LABEL})*|\[[0-9A-Fa-f:.]+\]"
ADDRESS = re.compile(rf"https://({HOST})(:(?P<port>[0-9]{{1,5}}))?(/|{SYSTEMS}[A-Za-z0-9][A-Za-z0-9_.-]*)?")


def _row(path: str, kind: Kind, what: str, *, readers: str, breaks: str, required: bool = False) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source="this tool's plan; DMTF DSP0266: Redfish")
    return FieldRow(file="hosts.yaml", path=path, kind=kind, why=why, required=required)


ROWS = (
    _row(
        "hosts.*.bmc",
        "mapping",
        "the machine's BMC, which speaks Redfish",
        readers="hardway up, start, stop and bmc",
        breaks="a person has to switch the machine",
    ),
    _row(
        "hosts.*.bmc.address",
        "text",
        f"where the BMC answers, such as {EXAMPLE}; with {SYSTEMS}ID behind it, where it has several systems",
        readers="sushy, the Redfish client",
        breaks="the machine cannot be switched from here",
        required=True,
    ),
    _row(
        "hosts.*.bmc.username",
        "text",
        "who logs in to the BMC",
        readers="the BMC",
        breaks="the BMC refuses every request",
        required=True,
    ),
    _row(
        "hosts.*.bmc.passwordFile",
        "text",
        "the file with the password, and nothing else in it; only its owner may read it",
        readers="hardway up, start, stop and bmc, which send it to the BMC alone",
        breaks="the BMC refuses every request",
        required=True,
    ),
    _row(
        "hosts.*.bmc.trustBundle",
        "text",
        "a PEM file with the CA of the BMC's certificate, or the certificate itself; this machine's CAs unless given",
        readers="the TLS client that talks to the BMC",
        breaks="a certificate that the BMC made itself is refused",
    ),
)


class Bmc(NamedTuple):
    address: str = ""
    username: str = ""
    passwordFile: str = ""
    trustBundle: str = ""

    @property
    def base(self) -> str:
        """The service itself, without the system."""
        return self.address.partition(SYSTEMS)[0].rstrip("/")

    @property
    def system(self) -> str:
        """The path of the system; empty: the BMC has one alone."""
        _, found, name = self.address.partition(SYSTEMS)
        return f"{SYSTEMS}{name}" if found else ""


def read_bmc(reading: Reading, path: str, values: dict[str, Any] | None) -> Bmc | None:
    if values is None:
        return None
    address = values.get("address", "")
    if address and not _is_service(address):
        message = "must be an https address without a user: a password is sent there"
        reading.error("bmc.address", f"{path}.address", message, f"write {EXAMPLE} or {EXAMPLE}{SYSTEMS}1")
    for name, example in FILES.items():
        if (file := values.get(name, "")) and not _is_inside(file):
            message = "must be a file inside the cluster's folder, as a relative path without `..`"
            reading.error("bmc.file", f"{path}.{name}", message, f"copy the file there, and write {name}: {example}")
    return Bmc(**{name: text for name, text in values.items() if name in Bmc._fields})


def _is_service(address: str) -> bool:
    found = ADDRESS.fullmatch(address)
    return bool(found and 0 < int(found["port"] or 443) < 1 << 16)


def _is_inside(file: str) -> bool:
    path = PurePosixPath(file)
    return file.isprintable() and not path.is_absolute() and ".." not in path.parts and path.name != ""
