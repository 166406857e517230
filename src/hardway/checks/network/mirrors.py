"""The checks of mirrors: each speaks TLS, under its own name, with a certificate that the nodes trust."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.checks.failures import BY_ID
from hardway.model.check import Check, Flaw, Report, run
from hardway.model.cluster import Cluster
from hardway.model.why import because
from hardway.network.mirrors import Shown, look, mirrors

Seen = tuple[Shown, ...]
READERS = "CRI-O and podman on every node, and the first-boot pivot"


def silent(seen: Seen) -> Iterator[Flaw]:
    """The nodes may have another way to it than this machine."""
    for shown in seen:
        if shown.silent:
            message = f"there is no connection from here: {shown.silent}"
            yield Flaw(subject=str(shown.mirror), message=message, severity="warning")
        elif shown.broken and not shown.plain:
            yield Flaw(subject=str(shown.mirror), message=f"the TLS handshake fails: {shown.broken}")


def plain(seen: Seen) -> Iterator[Flaw]:
    for shown in seen:
        if shown.plain:
            yield Flaw(subject=str(shown.mirror), message="it answers in plain HTTP, and clients use TLS")


def unnamed(seen: Seen) -> Iterator[Flaw]:
    for shown in seen:
        if shown.names is not None and not shown.named:
            known = ", ".join(shown.names[:5])
            message = f"its certificate is for {known}" if known else "its certificate has no subject alternative name"
            yield Flaw(subject=str(shown.mirror), message=f"{message}, and not for {shown.mirror.host}")


def untrusted(seen: Seen) -> Iterator[Flaw]:
    for shown in seen:
        if shown.distrust:
            message = f"its certificate is not trusted with additionalTrustBundle: {shown.distrust}"
            yield Flaw(subject=str(shown.mirror), message=message)


TABLE: tuple[Check[Seen], ...] = (
    Check(
        name="mirror.answers",
        stage="02",
        run=silent,
        fix="start the mirror, or run the command on a machine in the nodes' network",
        why=because(
            "Every mirror of install-config.yaml answers.",
            readers=READERS,
            breaks="no image can be pulled from it",
            source="the plan",
        ),
    ),
    Check(
        name="mirror.tls",
        stage="02",
        failure="F49",
        run=plain,
        fix=BY_ID["F49"].fix,
        why=because(
            "Every mirror of install-config.yaml answers over TLS.",
            readers=READERS,
            breaks=BY_ID["F49"].symptom,
            source=BY_ID["F49"].why.source,
        ),
    ),
    Check(
        name="mirror.names",
        stage="02",
        failure="F48",
        run=unnamed,
        fix=BY_ID["F48"].fix,
        why=because(
            "The certificate of every mirror has the mirror's name as subject alternative name.",
            readers=READERS,
            breaks=BY_ID["F48"].symptom,
            source=BY_ID["F48"].why.source,
        ),
    ),
    Check(
        name="mirror.trust",
        stage="02",
        failure="F12",
        run=untrusted,
        fix=BY_ID["F12"].fix,
        why=because(
            "The certificate of every mirror is signed by an authority of additionalTrustBundle or of the system.",
            readers=READERS,
            breaks=BY_ID["F12"].symptom,
            source=BY_ID["F12"].why.source,
        ),
    ),
)


def examine(cluster: Cluster) -> Report:
    """Nothing, if the cluster has no mirror."""
    return run(TABLE, tuple(look(cluster))) if mirrors(cluster) else Report(ran=(), findings=())
