"""What a release brings: images, the lab's components, what operators render, and where the lab differs."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.entry import Entry
from hardway.model.why import because
from hardway.workspace.folder import Workspace


def images(workspace: Workspace) -> Iterator[Entry]:
    from hardway.release.components.table import TABLE

    for row in TABLE:
        facts = (("family", row.family), ("without all", row.family_breaks))
        yield Entry(address=f"image/{row.name}", why=row.why, facts=facts)


def components(workspace: Workspace) -> Iterator[Entry]:
    """What the lab's release is compiled from, and what else can come from a checkout."""
    from hardway.labrelease.checkouts.table import TABLE
    from hardway.labrelease.components.table import COMPONENTS

    pinned = {row.name for row in COMPONENTS}
    for row in (*COMPONENTS, *(kit.component for kit in TABLE if kit.name not in pinned)):
        programs = ", ".join([p.file for p in row.programs] + [p.file for p in row.native])
        facts = (
            ("version", row.version),
            ("module", row.module),
            ("programs", programs),
            ("sets", ", ".join(row.sets)),
        )
        yield Entry(address=f"component/{row.name}", why=row.why, facts=facts)


def cluster_operators(workspace: Workspace) -> Iterator[Entry]:
    """Those of a vendor's release, and how they converge."""
    from hardway.release.convergence import TABLE

    for row in TABLE:
        facts = (
            ("capability", row.capability),
            ("waits for", row.waits),
            ("operators", ", ".join(f"clusteroperator/{name}" for name in row.needs)),
            ("is normal", row.normal),
            ("if it stays", row.do),
        )
        yield Entry(address=f"clusteroperator/{row.name}", why=row.why, facts=facts)


def stalls(workspace: Workspace) -> Iterator[Entry]:
    """What an operator that does not converge is known to say."""
    from hardway.release.stalls import TABLE

    for row in TABLE:
        facts = (
            ("says", row.words.pattern),
            ("operators", ", ".join(f"clusteroperator/{name}" for name in row.operators)),
            ("failures", ", ".join(f"failure/{name}" for name in row.failures)),
            ("fix", row.fix),
        )
        yield Entry(address=f"stall/{row.name}", why=row.why, facts=facts)


def operators(workspace: Workspace) -> Iterator[Entry]:
    """The calls that bootkube makes of operators, and their flags."""
    from hardway.bootkube.operators.table import TABLE

    for row in TABLE:
        facts = (("image", row.image), ("call", row.what), ("writes", row.output), ("step", f"bootkube/{row.stage}"))
        yield Entry(address=f"operator/{row.name}", why=row.why, facts=facts)
        for flag in row.flags:
            yield Entry(address=f"operator/{row.name}/{flag.name}", why=flag.why.within(row.why))


def deviations(workspace: Workspace) -> Iterator[Entry]:
    """Where the lab's nodes differ from RHCOS, and its release from a vendor's."""
    from hardway.lab.deviations.table import TABLE
    from hardway.labrelease.deviations import RELEASE, STAND_INS, stand_in

    for row in TABLE:
        facts = (("because", row.why), ("where", row.where), ("files", ", ".join(placed.path for placed in row.files)))
        yield Entry(address=row.address, why=because(row.what, source=LAB), facts=facts)
    for other in (*RELEASE, *(stand_in(name, other_set=False) for name in STAND_INS)):
        place = f"the release's {other.subject}" if other.kind == "release" else f"{other.kind} {other.subject}"
        what = because(f"The lab differs from a vendor's release in {place}: {other.why}.", source=LAB)
        yield Entry(address=other.address, why=what)


LAB = "hardway lab status --deviations"


def differences(workspace: Workspace) -> Iterator[Entry]:
    """Differences from openshift-install and from the operators' renders that are meant."""
    from hardway.compare.installer.expected.table import EXPECTED as INSTALLER
    from hardway.compare.rendered.expected.table import EXPECTED as RENDERED

    tables = (("installer", INSTALLER, "hardway compare-installer"), ("rendered", RENDERED, "hardway compare"))
    for side, rows, command in tables:
        for row in rows:
            facts = (("where", f"{row.thing} {row.aspect}"),)
            why = row.why.within(because("", source=command))
            yield Entry(address=f"difference/{side}/{row.name}", why=why, facts=facts)
