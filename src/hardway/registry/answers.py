"""What a registry's answers mean when they are not what was asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from hardway.registry.credentials import Login
from hardway.registry.errors import Busy, Denied, NotFound, Refused, RegistryError, Unauthorized
from hardway.release.reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    code: str  # the registry's own word for it; nothing else of its answer is ever shown
    after: float  # seconds that it wants us to wait

    def __str__(self) -> str:
        return f"({self.status} {self.code})" if self.code else f"({self.status})"

    @property
    def passing(self) -> bool:
        return self.status == 429 or self.status >= 500


def read(status: int, headers: Mapping[str, str], body: bytes = b"") -> Answer:
    after = headers.get("Retry-After", "")
    try:
        code = str(json.loads(body)["errors"][0]["code"])
    except (ValueError, TypeError, LookupError, RecursionError):
        code = ""
    shown = code if re.fullmatch(r"[A-Z_]{1,40}", code) else ""
    return Answer(status=status, code=shown, after=float(after) if after.isdecimal() else 0.0)


def error_of(answer: Answer, where: Reference, login: Login | None) -> RegistryError:
    """Everything but 404, which needs another look."""
    if answer.status == 401:
        return unauthorized(where, login)
    if answer.status == 403:
        who = f"the pull secret's entry {login.key!r}" if login else "a client without an entry in the pull secret"
        return Denied(f"{where}: {who} may not read it {answer}", fix="ask for access, or use another pull secret")
    if answer.passing:
        said = f"{where}: the registry cannot answer now {answer}"
        return Busy(said, fix="try again later", after=answer.after)
    return Refused(f"{where}: unexpected answer {answer}", fix="check that the host is an image registry")


def unauthorized(where: Reference, login: Login | None) -> Unauthorized:
    if login is None:
        return Unauthorized(
            f"{where}: the registry requires a login (401), and the pull secret has no entry for {where.registry}",
            fix=f"add an entry for {where.registry} to the pull secret, and check the repository's name",
        )
    return Unauthorized(
        f"{where}: the registry does not accept the pull secret's entry {login.key!r} (401)",
        fix="take a fresh pull secret, and check that it is for this repository",
    )


def from_elsewhere(answer: Answer, where: Reference, there: str) -> RegistryError:
    """A host that the registry redirected to: storage, which knows nothing of pull secrets."""
    said = f"{where}: redirected to {there}, which answers {answer.status}"
    if answer.passing:
        return Busy(said, fix="try again later", after=answer.after)
    kind = {403: Denied, 404: NotFound}.get(answer.status, Refused)
    return kind(said, fix="try again; if the error stays, the registry's storage is at fault")


def absent(answer: Answer, where: Reference, path: str, *, repository: bool) -> NotFound:
    """404: the repository, one of its images, or a blob of an image that is there."""
    if not repository:
        said = f"{where}: {where.registry} has no repository {where.repository} {answer}"
        return NotFound(said, fix="check the name; a registry may hide private repositories from unknown clients")
    if path.startswith("blobs/"):
        said = f"{where}: the image is there, but not its blob {path.removeprefix('blobs/')} {answer}"
        return NotFound(said, fix="have the image pushed or mirrored again")
    fix = f"check tag or digest; the repository's tags: skopeo list-tags docker://{where.name}"
    return NotFound(f"{where}: there is no such image in the repository {answer}", fix=fix)
