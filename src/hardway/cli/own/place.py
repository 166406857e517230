"""Which cluster a command is about, where it runs, and the load balancer that it has there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    pass

NO_SOCKET = "none"
socket_option = click.option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The admin socket of an HAProxy on this machine. It is remembered; `none` forgets it. "
    "[default: the remembered one, else you change the load balancer when asked]",
)


def lab_does(folder: Path, command: click.Command, **given: Any) -> bool:
    """Whether the cluster runs in the lab: then the lab's own command has done it."""
    from hardway.lab.owner import has_lab
    from hardway.workspace.folder import planned

    if not has_lab(planned(folder).name, folder):
        return False
    click.get_current_context().invoke(command, **given)
    return True


def socket_of(folder: Path, given: Path | None) -> Path | None:
    """The one of the command line, or else the remembered one."""
    from hardway.places.remembered import read

    if given is not None:
        return None if str(given) == NO_SOCKET else given.absolute()
    known = read(folder)
    return Path(known.socket) if known and known.socket else None


def remember_socket(folder: Path, socket: Path | None) -> None:
    """For later commands, and with it that the machines are the owner's, unless libvirt has them. A socket that
    nobody answers at is refused, and not remembered."""
    from hardway.network.haproxy.runtime import servers
    from hardway.places.remembered import Place, read, remember

    if socket is not None:
        servers(socket)
    remember(folder, replace(read(folder) or Place(kind="own"), socket=str(socket or "")))
