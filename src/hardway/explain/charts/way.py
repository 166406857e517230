"""The way to a running cluster: stages, milestones, bootkube's steps, certificate requests, the order of machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardway.explain.entry import Entry
from hardway.workspace.folder import Workspace


def stages(workspace: Workspace) -> Iterator[Entry]:
    from hardway.stages.table import TABLE

    for row in TABLE:
        facts = (
            ("run with", row.machines),
            ("in the lab", row.lab),
            ("makes", ", ".join(f"{kind}/" for kind in row.makes)),
            ("reaches", ", ".join(f"milestone/{milestone.name}" for milestone in row.reaches)),
            ("verified by", f"hardway verify {row.number}" if row.work == "build" else ""),
            ("chapter", f"hardway guide {row.number}"),
        )
        yield Entry(address=row.address, why=row.why, facts=facts)


def milestones(workspace: Workspace) -> Iterator[Entry]:
    from hardway.drive.milestones.table import TABLE

    for row in TABLE:
        facts = (
            ("stage", row.stage),
            ("made by", row.who),
            ("seen by", row.observed),
            ("time limit", row.normal),
            ("failures", ", ".join(row.failures)),
        )
        yield Entry(address=f"milestone/{row.name}", why=row.why, facts=facts)


def bootkube(workspace: Workspace) -> Iterator[Entry]:
    from hardway.bootkube.operators.row import SOURCE
    from hardway.bootkube.table import TABLE

    for row in TABLE:
        facts = (
            ("waits for", row.waits),
            ("reads", ", ".join(row.reads)),
            ("writes", ", ".join(row.writes)),
            ("in the lab", row.lab),
        )
        why = replace(row.why, source=row.why.source or SOURCE)
        yield Entry(address=f"bootkube/{row.name}", why=why, facts=facts)


def requests(workspace: Workspace) -> Iterator[Entry]:
    """Certificate signing requests: the two kinds, and the rules that they are judged by."""
    from hardway.drive.csr.kinds import KINDS
    from hardway.drive.csr.rules import FIRST, RULES

    for kind in KINDS:
        yield Entry(address=f"csr/{kind.what}", why=kind.why, facts=(("signer", kind.signer), ("use", kind.use)))
    rules = FIRST | {rule.name: rule.why for rule in RULES}
    yield from (Entry(address=f"csr/rule/{name}", why=why) for name, why in rules.items())


def order(workspace: Workspace) -> Iterator[Entry]:
    from hardway.rhcos.order import ORDER

    return (Entry(address=f"order/{wave.role}", why=wave.why) for wave in ORDER)


def console(workspace: Workspace) -> Iterator[Entry]:
    """What a machine says on its console while it is installed."""
    from hardway.model.why import because
    from hardway.rhcos.console.read import TROUBLES
    from hardway.rhcos.console.row import MILESTONES

    said = "the machine's own messages; `hardway install` reads the console"
    for phase in MILESTONES:
        yield Entry(address=f"console/{phase.phase}", why=because(f"Milestone: {phase.told}.", source=said))
    for row in TROUBLES:
        weight = "the machine stops" if row.weight == "fatal" else "the machine tries again"
        facts = (("then", weight), ("fix", row.fix), ("failure", f"failure/{row.failure}" if row.failure else ""))
        yield Entry(address=f"console/{row.name}", why=because(row.meaning, source=said), facts=facts)
