"""What scripts and texts say that is different on purpose, and what a user list does not."""

from __future__ import annotations

from hardway.compare.installer.expected.stages import STAGES
from hardway.compare.row import ABSENT, Row
from hardway.compare.scripts import BOOTKUBE, KUBELET, SCRIPT, commands, stages

RECORDS = [".", "/usr/local/bin/bootstrap-service-record.sh"]


def _just_starts_it(script: str) -> bool:
    """Whether a script of the installer does nothing but start the kubelet; its flags are compared one by one."""
    said = [words for words in commands(script) if words != RECORDS]
    return [words[0] for words in said] == [KUBELET]


def _flag(name: str, flag: str, theirs: tuple[str, ...], why: str) -> Row:
    return Row(
        name=name,
        path=SCRIPT,
        aspect=f"flag {flag}",
        accept=lambda said, ours: said in theirs and ours != ABSENT,
        why=why,
    )


FLAGS: tuple[Row, ...] = (
    _flag(
        "kubelet-address",
        "--node-ip",
        (ABSENT, "::"),
        "The plan knows the address; the installer says nothing of it, or only that it be an IPv6 one.",
    ),
    _flag(
        "kubelet-pause-image",
        "--pod-infra-container-image",
        ("${MACHINE_CONFIG_INFRA_IMAGE}",),
        "Known by digest when the file is made; the installer's machine looks it up when it boots.",
    ),
    Row(
        name="kubelet-socket",
        path=SCRIPT,
        aspect="flag --container-runtime-endpoint",
        accept=lambda theirs, ours: ours == f"unix://{theirs}",
        why="The same socket as a URL, without which the kubelet warns.",
    ),
    Row(
        name="kubelet-read-only",
        path=SCRIPT,
        aspect="flag --read-only-port",
        accept=lambda theirs, ours: (theirs, ours) == (ABSENT, "0"),
        why="Without it the kubelet also serves on a port that asks nobody who they are.",
    ),
)

TEXTS: tuple[Row, ...] = (
    Row(
        name="motd",
        path="/etc/motd",
        aspect="content",
        accept=lambda theirs, ours: "bootkube" in theirs and "bootkube" in ours,
        why="Our own words, for our own way of looking.",
    ),
    Row(
        name="bootkube-script",
        path=BOOTKUBE,
        aspect="content",
        accept=lambda theirs, ours: stages(theirs) == STAGES,
        why="Our script renders nothing: it waits, creates and reports. What becomes of each stage of the installer's "
        "is said stage by stage.",
    ),
    Row(
        name="kubelet-script",
        path=SCRIPT,
        aspect="content",
        accept=lambda theirs, ours: _just_starts_it(theirs),
        why="The same standalone kubelet, written anew: what depends on the cluster comes from a file beside it.",
    ),
    Row(
        name="no-empty-login",
        path="passwd",
        aspect="core.sshAuthorizedKeys",
        accept=lambda theirs, ours: (
            isinstance(theirs, list) and "" in theirs and [key for key in theirs if key] == ours
        ),
        why="Without an sshKey there is no key to list; the installer lists an empty one.",
    ),
)
