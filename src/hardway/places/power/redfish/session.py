"""One BMC, logged in to. sushy speaks Redfish; what it says when something fails is told in our words, with a fix."""

from __future__ import annotations

import logging
import ssl
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardway.io import links
from hardway.io.harmless import one_line
from hardway.model.bmc import Bmc
from hardway.model.errors import ConfigError, ToolError
from hardway.tools.patience import stretched

if TYPE_CHECKING:
    from types import ModuleType

SECONDS = 120  # for an answer: some BMCs fetch a whole medium before they give it
CONNECT = 5  # until a connection must be there
LARGEST = 4096  # bytes of a password
LONGEST = 300  # characters of what a BMC says


def library() -> ModuleType:
    """Imported when a machine with a BMC is asked for, and not before."""
    try:
        import sushy
    except ImportError:
        fix = "install hardway with it: `pip install 'hardway[redfish]'`"
        raise ToolError(f"sushy: not installed, and Redfish needs it.\n    fix: {fix}") from None
    logging.getLogger("sushy").setLevel(logging.CRITICAL + 1)  # what failed is told once, in our words
    return sushy  # type: ignore[no-any-return]


def password(folder: Path, node: str, bmc: Bmc) -> str:
    path = folder / bmc.passwordFile
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            raise ConfigError(f"{path}: is a folder.\n    fix: write the password of {node} into a file")
        if stat.S_ISREG(mode) and mode & 0o077:
            raise ConfigError(f"{path}: others can read the password of {node}.\n    fix: run `chmod 600 {path}`")
        return links.read(path, below=folder, largest=LARGEST).decode().removesuffix("\n")
    except FileNotFoundError:
        fix = "write the password into it, with mode 0600, or correct passwordFile in hosts.yaml"
        raise ConfigError(f"{path}: there is no such file, and {node} needs it.\n    fix: {fix}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8.\n    fix: write the password of {node} as text") from None


def trust(folder: Path, node: str, bmc: Bmc) -> str | bool:
    """The file with the CAs to believe, or those of this machine."""
    if not bmc.trustBundle:
        return True
    path = folder / bmc.trustBundle
    try:
        content = links.read(path, below=folder)
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=content.decode())
    except FileNotFoundError:
        fix = f"correct trustBundle of {node} in hosts.yaml"
        raise ConfigError(f"{path}: there is no such file.\n    fix: {fix}") from None
    except (ssl.SSLError, ValueError):
        fix = f"put the CA of the BMC of {node} into it, as PEM"
        raise ConfigError(f"{path}: has no certificate that can be read.\n    fix: {fix}") from None
    return str(path)


@contextmanager
def system(folder: Path, node: str, bmc: Bmc) -> Iterator[Any]:
    """The machine as its BMC shows it. Every error of the library ends here."""
    sushy = library()
    secret, trusted = password(folder, node, bmc), trust(folder, node, bmc)
    try:
        connector = sushy.connector.Connector(
            f"{bmc.base}/redfish/v1/",
            verify=trusted,
            default_request_timeout=stretched(SECONDS),
            connect_timeout=stretched(CONNECT),
            server_side_retries=1,
        )
        login = sushy.auth.BasicAuth(username=bmc.username.encode(), password=secret.encode())
        service = sushy.Sushy(f"{bmc.base}/redfish/v1/", connector=connector, auth=login)
        yield service.get_system(bmc.system or None)
    except sushy.exceptions.SushyError as error:
        raise ToolError(_told(sushy, node, bmc, error)) from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        where, what = f"{node}: its BMC at {bmc.base}", f"{type(error).__name__} in the Redfish library"
        fix = "see that address in hosts.yaml is that of a BMC with Redfish"
        raise ToolError(f"{where} gives an answer of another form: {what}.\n    fix: {fix}") from None


def _told(sushy: Any, node: str, bmc: Bmc, error: Exception) -> str:
    where, kinds = f"{node}: its BMC at {bmc.base}", sushy.exceptions
    if isinstance(error, kinds.AccessError):
        fix = "correct username, or the file that passwordFile names, in hosts.yaml"
        return f"{where} refuses user {bmc.username}.\n    fix: {fix}"
    if isinstance(error, kinds.ConnectionError) and "CERTIFICATE_VERIFY_FAILED" in str(error):
        fix = "put its CA, or the certificate itself, into a file that trustBundle names in hosts.yaml; or use its name"
        return f"{where} shows a certificate that does not fit: {_why(error)}.\n    fix: {fix}"
    if isinstance(error, kinds.ConnectionError):
        fix = "see that it has power and a way to it, and correct address in hosts.yaml"
        return f"{where} does not answer.\n    fix: {fix}"
    if isinstance(error, kinds.UnknownDefaultError):
        fix = "name one in address, as in https://10.0.1.21/redfish/v1/Systems/1"
        return f"{where} has several systems, or none.\n    fix: {fix}"
    if isinstance(error, kinds.ResourceNotFoundError):
        fix = "correct address in hosts.yaml; without a path, the one system of the BMC is used"
        return f"{where} has no {bmc.system or 'Redfish service'}.\n    fix: {fix}"
    return f"{where} says: {one_line(' '.join(str(error).split()))[:LONGEST]}.\n    fix: look into the log of the BMC"


def _why(error: Exception) -> str:
    """The reason alone, such as `self-signed certificate`."""
    said = str(error).partition("verify failed: ")[2].partition(" (_ssl")[0].rstrip(".")
    return said or "it is not trusted here"
