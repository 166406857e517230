"""THE TABLE of rights that a lab node goes without: its programs need none of them, and they reach beyond the node."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    name: str
    why: str  # what it would be on the machine that the node is a guest of


TABLE: tuple[Right, ...] = (
    Right(
        name="CAP_DAC_READ_SEARCH", why="every file of the file system that the lab is on, by number and not by name"
    ),
    Right(name="CAP_SYS_MODULE", why="code in this machine's kernel"),
    Right(name="CAP_SYS_RAWIO", why="this machine's memory and ports"),
    Right(name="CAP_SYS_BOOT", why="another kernel for this machine (kexec); a node that is told to reboot goes off"),
    Right(name="CAP_SYS_TIME", why="the one clock that all nodes and this machine have"),
    Right(name="CAP_SYS_PACCT", why="accounting of every process of this machine"),
    Right(name="CAP_SYS_TTY_CONFIG", why="this machine's consoles"),
    Right(name="CAP_SYSLOG", why="this machine's kernel log, and addresses in its kernel"),
    Right(name="CAP_LINUX_IMMUTABLE", why="files that not even the removal of the lab could delete"),
    Right(name="CAP_MAC_ADMIN", why="the rules of this machine's SELinux or AppArmor"),
    Right(name="CAP_MAC_OVERRIDE", why="exceptions from those rules"),
    Right(name="CAP_AUDIT_CONTROL", why="the rules of this machine's audit"),
    Right(name="CAP_AUDIT_READ", why="what this machine's audit has recorded"),
    Right(name="CAP_WAKE_ALARM", why="waking this machine up"),
    Right(name="CAP_BLOCK_SUSPEND", why="keeping this machine awake"),
    Right(name="CAP_PERFMON", why="counters of every process of this machine"),
    Right(name="CAP_CHECKPOINT_RESTORE", why="process numbers of one's choice"),
)


def without(command: list[str]) -> list[str]:
    """The command, without these rights from its first instruction on."""
    names = ",".join(f"-{row.name.removeprefix('CAP_').lower()}" for row in TABLE)
    return ["setpriv", "--inh-caps=-all", f"--bounding-set={names}", "--", *command]
