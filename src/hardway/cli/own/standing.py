"""How a cluster on libvirt or on machines of your own stands, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardway.cli.options import counted
from hardway.cli.terminal.text import show

if TYPE_CHECKING:
    from hardway.places.own.status import NodeRow, Status


def print_standing(found: Status, command: str) -> None:
    """`command` is the one that continues."""
    for node in found.nodes:
        show(f"node      {node.name:<14} {node.role:<10} {node.address:<16} {_power(node):<10} {node.ready}".rstrip())
    reached = [row for row in found.milestones if row.reached or row.before]
    show(f"reached   {len(reached)} of {counted(len(found.milestones), 'milestone')}")
    for row in reached:
        show(f"          {row.stage} {row.name}")
    if (coming := found.next) and found.waiting:
        show(f"next      {coming.stage} {coming.name}: waits for {found.waiting.missing}; `{command}` continues")
    elif found.waiting:
        show(f"finished  but {found.waiting.name} waits for {found.waiting.missing}; `{command}` continues")
    for cause in found.known:
        show(f"cause     {cause.text}")
        if cause.normal:
            show(f"          normal: {cause.normal}")
        show(f"          fix: {cause.fix}")
    for text in found.causes:
        show(f"cause     {text}")
    if found.causes:
        show("          `hardway doctor` shows what follows from it, and what to do")
    for text in dict.fromkeys(found.troubles.values()):
        show(text)


def _power(node: NodeRow) -> str:
    return "on" if node.answers else "no answer" if node.on else "off"
