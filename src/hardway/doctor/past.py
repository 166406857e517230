"""What logs tell of a cluster that can be seen: causes of what is wrong with it now. All else is past or harmless."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hardway.doctor.diagnosis import diagnose
from hardway.model.check import Finding, Report

NOW_WELL = "Nothing is wrong with the cluster now, so this is past or harmless."
NO_EFFECT = "Nothing that is wrong now follows from it, so this is past or harmless."
LOG = "log."
SHOWN_BY: dict[str, str] = {
    **dict.fromkeys(("F11", "F12", "F13", "F38", "F45", "F48", "F49"), "cluster.pods"),
    **dict.fromkeys(("F15", "F27", "F28"), "cluster.requests"),
    **dict.fromkeys(("F23", "F24"), "nodes.units"),
    **dict.fromkeys(("F03", "F55"), "nodes.resolvers"),
    "F04": "dns.balancer",
    "F10": "cluster.extensions",
    "F25": "lb.api",
    "F26": "lb.listens",
    "F29": "final.joining",
    "F32": "cluster.nodes",
    "F34": "dns.catch-all",
    "F41": "cluster.features",
    "F44": "dns.api",
    "F46": "final.addresses",
    "F47": "nodes.ports",
    "F56": "final.nodes",
}
"""The check that would see a failure mode as long as it lasts. If it has run and sees nothing of it, the log tells of
something that was corrected: a journal keeps the lines of a pod that was deleted long ago."""


def past(logs: Report, why: str = NOW_WELL) -> Report:
    """Without findings; which failure modes they had is a note."""
    modes = sorted({f.failure or " or ".join(f.candidates) or f.check for f in logs.findings})
    note = f"Logs have words of {', '.join(modes)}. {why}"
    return replace(logs, findings=(), notes=(*logs.notes, note) if modes else logs.notes)


def explained(state: Report, logs: Iterable[Report]) -> Report:
    """The state, and of the logs what explains a part of it."""
    told = Report.merge(logs)
    if state.ok:
        return Report.merge([state, past(told)])
    lasting = [f for f in told.findings if not _over(f, state)]
    roots = diagnose(Report.merge([state, replace(told, findings=tuple(lasting))])).roots
    useful = {id(f) for root in roots for f in _of(root.case.findings, *(e.case.findings for e in root.effects))}
    kept, rest = (tuple(f for f in told.findings if (id(f) in useful) is wanted) for wanted in (True, False))
    return Report.merge([state, replace(past(replace(told, findings=rest), NO_EFFECT), findings=kept)])


def _over(finding: Finding, state: Report) -> bool:
    return all(_unseen(mode, state) for mode in ((finding.failure,) if finding.failure else finding.candidates))


def _unseen(mode: str, state: Report) -> bool:
    """The check has run, and finds neither this nor anything that it cannot name."""
    check = SHOWN_BY.get(mode, "")
    return check in state.ran and not any(f.check == check and f.failure in ("", mode) for f in state.findings)


def _of(*cases: tuple[Finding, ...]) -> Iterable[Finding]:
    """All findings of a root and its effects, if the state has one among them."""
    findings = [finding for case in cases for finding in case]
    return findings if any(not f.check.startswith(LOG) for f in findings) else ()
