"""From a kubeconfig to a way of reaching the API: as whom, through which addresses."""

from __future__ import annotations

import re
import ssl
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hardway.drive.wire import Endpoint, Identity, context_for
from hardway.io import plain
from hardway.io.harmless import one_line
from hardway.model import yaml
from hardway.model.errors import ConfigError, ToolError

Entry = dict[str, Any]
UNABLE = {
    "exec": "a program that makes a token",
    "auth-provider": "an auth provider",
    "username": "a password",
    "tokenFile": "a file with a token",
    "as": "impersonation",
}
"""Ways of a kubeconfig's user that are not followed: what is started or asked would not be seen here."""


_TOKEN = re.compile(r"[!-~]+")
_LABEL = r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?")


class _Flaw(ValueError):
    """One field that cannot be used. Its text has no value of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    endpoints: tuple[Endpoint, ...]
    identity: Identity


def read_kubeconfig(text: str, *, reach: Sequence[str] = (), what: str = "kubeconfig") -> Access:
    """One that stage 06 made. `reach` are addresses to connect to in place of the server's name, which is still what
    the server must prove: a machine that drives a cluster need not have the cluster's DNS."""
    try:
        return _access(*_current(yaml.load(text)), tuple(reach))
    except _Flaw as flaw:
        raise ToolError(f"{one_line(what)}: {flaw}.\n    fix: build stage 06 again: `hardway build 06`") from None
    except (KeyError, StopIteration, TypeError, ValueError, AttributeError):
        fix = "build stage 06 again: `hardway build 06`"
        raise ToolError(f"{what}: this is not a kubeconfig with a current context.\n    fix: {fix}") from None


def given_kubeconfig(path: Path) -> Access:
    """One that the user names. Files that it names are read, relative to it; no program that it names is started."""
    try:
        cluster, user = _current(yaml.load(plain.text(path, plain.given), "dates as text"))
        _demand_usable(path, cluster, user)
        _with_files(path, cluster, user)
        access = _access(cluster, user)
        context_for(access.identity)
        return access
    except ssl.SSLError:
        raise _unusable(path, "a certificate or key in it cannot be read, or the two do not belong together") from None
    except _Flaw as flaw:
        raise _unusable(path, str(flaw)) from None
    except UnicodeDecodeError:
        raise _unusable(path, "is not UTF-8 text") from None
    except OSError as error:
        raise _unusable(Path(error.filename or path), str(error.strerror)) from None
    except (KeyError, StopIteration, TypeError, ValueError, AttributeError):
        raise _unusable(path, "is not a kubeconfig with a current context") from None


def _unusable(path: Path, flaw: str, fix: str = "name an administrator's kubeconfig") -> ConfigError:
    return ConfigError(f"{one_line(str(path))}: {flaw}.\n    fix: {fix}")


def _current(config: dict[str, Any]) -> tuple[Entry, Entry]:
    context = _named(config["contexts"], config["current-context"])["context"]
    return (
        dict(_named(config["clusters"], context["cluster"])["cluster"]),
        dict(_named(config["users"], context["user"])["user"]),
    )


def _named(rows: Sequence[Entry], name: str) -> Entry:
    return next(row for row in rows if row["name"] == name)


def _demand_usable(path: Path, cluster: Entry, user: Entry) -> None:
    server = urlsplit(cluster["server"])
    if way := next((what for key, what in UNABLE.items() if user.get(key)), ""):
        fix = "name a kubeconfig with a client certificate or a token, such as the installer's auth/kubeconfig"
        raise _unusable(path, f"its user has {way}, which is not supported", fix)
    if server.scheme != "https" or server.path.strip("/") or cluster.get("proxy-url"):
        flaw = "its server is not reached by https directly: it has another scheme, a path, or a proxy before it"
        raise _unusable(path, flaw, "name a kubeconfig whose server is https://HOST:PORT, without proxy-url")
    if cluster.get("insecure-skip-tls-verify"):
        fix = "write the cluster's certificate-authority into it: an unverified server could be anybody's"
        raise _unusable(path, "it turns off the verification of the server", fix)


def _with_files(path: Path, cluster: Entry, user: Entry) -> None:
    """The content of files in place of their names."""
    for holder, key in ((cluster, "certificate-authority"), (user, "client-certificate"), (user, "client-key")):
        if (named := holder.get(key)) and not holder.get(f"{key}-data"):
            holder[f"{key}-data"] = plain.read(path.parent / named)
    cluster.setdefault("certificate-authority-data", _believed_here())
    if not user.get("token") and not (user.get("client-certificate-data") and user.get("client-key-data")):
        raise _unusable(path, "its user has neither a client certificate with its key nor a token")


def _believed_here() -> bytes:
    """The signers that this machine believes, for a server with a certificate of a public one."""
    bundle = ssl.get_default_verify_paths().cafile
    return plain.read(Path(bundle)) if bundle else b""


def _access(cluster: Entry, user: Entry, reach: tuple[str, ...] = ()) -> Access:
    server = urlsplit(cluster["server"])
    host, port = str(server.hostname), server.port or 443
    name = cluster.get("tls-server-name") or host
    for field, value in (("server", host), ("tls-server-name", name)):
        if not isinstance(value, str) or not (_HOST.fullmatch(value) or _is_ipv6(value)):
            raise _Flaw(f"its {field} does not name a host")
    return Access(
        endpoints=tuple(Endpoint(host=address, port=port, name=name) for address in reach or (host,)),
        identity=Identity(
            trust=_bytes(cluster["certificate-authority-data"]),
            certificate=_bytes(user.get("client-certificate-data", "")),
            key=_bytes(user.get("client-key-data", "")),
            token=_token(user.get("token")),
        ),
    )


def _is_ipv6(host: str) -> bool:
    with suppress(ValueError):
        return bool(IPv6Address(host))
    return False


def _token(value: object) -> str:
    """A token goes into a header, and a file that it was copied from ends with a line end."""
    token = value.removesuffix("\n").removesuffix("\r") if isinstance(value, str) else value or ""
    if not isinstance(token, str) or (token and not _TOKEN.fullmatch(token)):
        raise _Flaw("its user's token is not one line of ASCII characters without spaces")
    return token


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else b64decode(value)
