"""Findings put in order: the roots first, and under each what follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from hardway.checks.all import SYMPTOMS, tables
from hardway.doctor.causes.row import Leads, leads
from hardway.doctor.causes.table import way
from hardway.model.check import Finding, Report

OUTDATED = "the file was made from the configuration as it was before it changed"
RECORDED = "the record of the build"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One thing that is wrong, with all findings that show it: a defect that a check has found, or the symptoms of one
    failure mode."""

    id: str
    findings: tuple[Finding, ...]
    symptom: bool

    @property
    def checks(self) -> frozenset[str]:
        return frozenset(f.check for f in self.findings)

    @property
    def failures(self) -> frozenset[str]:
        return frozenset(f.failure for f in self.findings if f.failure)

    @property
    def candidates(self) -> frozenset[str]:
        return frozenset(name for f in self.findings for name in f.candidates)

    @property
    def mild(self) -> bool:
        return all(f.severity == "warning" for f in self.findings)

    @property
    def failing(self) -> bool:
        return any(f.severity == "error" and not f.ignored for f in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    case: Case
    by: str  # the id of the case that it follows from
    way: tuple[Leads, ...]  # from there; empty if both are the same failure mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    case: Case
    effects: tuple[Effect, ...]

    @property
    def failing(self) -> bool:
        return self.case.failing or any(effect.case.failing for effect in self.effects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    report: Report
    roots: tuple[Root, ...]


Explained = tuple[Case, tuple[Leads, ...]]
"""The cause of a case, and the way from it."""


def diagnose(report: Report) -> Diagnosis:
    cases = _cases(report.findings)
    parents = _parents(cases)
    found: dict[str, list[Effect]] = defaultdict(list)
    for case in cases:
        if case.id in parents:
            by, steps = parents[case.id]
            found[_line(by.id, parents)[-1]].append(Effect(case=case, by=by.id, way=steps))
    roots = [Root(case=case, effects=tuple(found[case.id])) for case in cases if case.id not in parents]
    roots.sort(key=lambda root: (not root.failing, -len(root.effects)))
    return Diagnosis(report=report, roots=tuple(roots))


def _cases(findings: Iterable[Finding]) -> list[Case]:
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[_id(finding)].append(finding)
    return [
        Case(id=name, findings=tuple(group), symptom=all(is_symptom(f.check) for f in group))
        for name, group in groups.items()
    ]


def _id(finding: Finding) -> str:
    return finding.failure if finding.failure and is_symptom(finding.check) else finding.check


@cache
def _kinds() -> dict[str, bool]:
    return {check.name: kind in SYMPTOMS for kind, rows in tables().items() for check in rows}


def is_symptom(check: str) -> bool:
    return _kinds().get(check, False)


def _parents(cases: Sequence[Case]) -> dict[str, Explained]:
    """By the case's id. Two cases may explain each other: the one that comes first is taken for the effect, and never
    for the cause of its own cause."""
    parents: dict[str, Explained] = {}
    for case in cases:
        others = [other for other in cases if case.id not in _line(other.id, parents)]
        if parent := _parent(case, others):
            parents[case.id] = parent
    return parents


def _line(name: str, parents: Mapping[str, Explained]) -> list[str]:
    """The case itself, its cause, and so on to the root."""
    line = [name]
    while line[-1] in parents:
        line.append(parents[line[-1]][0].id)
    return line


def _parent(case: Case, cases: Sequence[Case]) -> Explained | None:
    """The nearest case that explains this one."""
    found = [(other, steps) for other in cases if (steps := explains(other, case)) is not None]
    return min(found, key=lambda pair: len(pair[1]), default=None)


def explains(cause: Case, effect: Case) -> tuple[Leads, ...] | None:
    """The way from one to the other, if there is one. What names the same failure mode explains a symptom of it, if it
    is a defect, or a symptom that may have several causes."""
    if cause.id == effect.id:
        return None
    if effect.symptom and cause.mild and not (cause.symptom and effect.mild):
        return None  # what may well be right explains nothing that goes wrong
    if all(finding.cause == cause.id for finding in effect.findings):
        return leads(cause.id, effect.id, OUTDATED, RECORDED)
    ends = effect.checks | (effect.failures | effect.candidates if effect.symptom else frozenset())
    ways = [steps for start in sorted(cause.checks | cause.failures) if (steps := way(start, ends)) is not None]
    known = not cause.symptom or (effect.candidates and not cause.candidates)
    return min((steps for steps in ways if steps or known), key=len, default=None)
