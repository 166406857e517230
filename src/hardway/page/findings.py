"""What verification and the doctor find in the folder's files: causes first, under each what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hardway.doctor.diagnosis import Case, Diagnosis, Effect, Root, diagnose
from hardway.doctor.folder import files
from hardway.doctor.told import affected, because, cause, command
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, prose, rows, tag
from hardway.page.site import Site

PATH = "findings.html"


def pages(site: Site) -> Iterator[Page]:
    diagnosis = diagnose(files(site.workspace))
    roots = (_root(site, root) for root in diagnosis.roots)
    yield Page(path=PATH, title="Findings", body=join((_summary(diagnosis), *roots, _skipped(site, diagnosis))))


def _summary(diagnosis: Diagnosis) -> Html:
    report = diagnosis.report
    count = len(report.findings)
    said = f"Checks that ran: {len(report.ran)}. Skipped: {len(report.skipped)}. Findings: {count}."
    notes = (tag("p", prose(note), class_="note") for note in report.notes)
    weight = "lead bad" if not report.ok else "lead"
    how = tag("p", "As ", code("hardway verify"), " and ", code("hardway doctor"), " see the files of this folder.")
    return join((tag("p", said, class_=weight), how, *notes))


def _root(site: Site, root: Root) -> Html:
    effects = [_effect(site, effect) for effect in root.effects]
    follows = join((tag("h3", "What follows from it"), items(effects))) if effects else None
    return tag("section", _case(site, root.case), follows, class_="finding")


def _case(site: Site, case: Case) -> Html:
    first = case.findings[0]
    evidence = items(_shown(site, f"{finding.subject}: {finding.message}") for finding in case.findings)
    pairs = (
        ("cause" if first.failure else "expected", site.prose(PATH, cause(case))),
        ("effect", site.prose(PATH, first.breaks)),
        ("affected", site.prose(PATH, affected(first))),
        ("decide", site.prose(PATH, first.decide)),
        ("fix", site.prose(PATH, first.fix)),
        ("command", code(command(first))),
    )
    names = join((site.address(PATH, name) for name in _names(case)), " ")
    return join(
        (tag("h2", tag("span", first.label, class_=f"state {_weight(case)}"), " ", names), evidence, rows(pairs))
    )


def _names(case: Case) -> list[str]:
    return [*(f"check/{name}" for name in sorted(case.checks)), *(f"failure/{name}" for name in sorted(case.failures))]


def _weight(case: Case) -> str:
    return "bad" if case.failing else "soon"


def _shown(site: Site, evidence: str) -> Html:
    return site.prose(PATH, site.secrets.without(evidence.encode()).decode())


def _effect(site: Site, effect: Effect) -> Html:
    lines = (_shown(site, f"{finding.subject}: {finding.message}") for finding in effect.case.findings)
    return join((items(lines), tag("p", "because ", site.prose(PATH, because(effect)))))


def _skipped(site: Site, diagnosis: Diagnosis) -> Html | None:
    reasons = Counter(diagnosis.report.skipped.values())
    counts = {reason: f"{number} {'check' if number == 1 else 'checks'}: " for reason, number in reasons.items()}
    lines = (join((count, site.prose(PATH, reason))) for reason, count in counts.items())
    return tag("details", tag("summary", "Skipped checks"), items(lines)) if reasons else None
