"""What a check is, how checks run, and what they report. Every table of checks has these rows, whatever it looks at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from hardway.model.errors import ToolError
from hardway.model.why import Why

Severity = Literal["error", "warning"]
Command = tuple[str, ...]
Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A defect as a check sees it; the runner adds what all defects of the check have in common."""

    subject: str
    message: str
    fix: str = ""  # empty: the check's
    failure: str = ""  # empty: the check's
    breaks: str = ""  # what it leads to; empty: as the check says
    severity: Severity = "error"
    origin: str = ""  # the file that the subject was compared with, if that may be the defect
    package: str = ""  # a safe remedy: a package of the distribution
    commands: tuple[Command, ...] = ()  # safe remedies: commands, in order
    candidates: tuple[str, ...] = ()  # failure modes, one of which it is
    decide: str = ""  # what would tell which, with the command that shows it


def never(subject: Any) -> str:
    """Of a check that can always run."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Generic[Subject]):
    name: str
    stage: str
    why: Why  # `breaks` is what its defects lead to
    run: Callable[[Subject], Iterable[Flaw]]
    failure: str = ""  # the failure mode that it finds
    fix: str = ""  # of all defects that do not name their own
    skip: Callable[[Subject], str] = never  # why it cannot run; empty if it can
    general: bool = False  # it looks at whole files, and is silent on those that another check has found

    @property
    def address(self) -> str:
        return f"check/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One defect: which check saw it, where, what it means and what to do."""

    check: str
    subject: str
    message: str
    fix: str
    failure: str = ""
    breaks: str = ""
    severity: Severity = "error"
    ignored: bool = False  # the user asked not to fail for it
    package: str = ""
    commands: tuple[Command, ...] = ()
    candidates: tuple[str, ...] = ()
    decide: str = ""
    cause: str = ""  # the check whose finding explains this one, where the record of the build says so

    @property
    def label(self) -> str:
        return "ignored" if self.ignored else self.severity

    @property
    def line(self) -> str:
        return f"{self.subject}: {self.message} [{self.check}]{f' ({self.failure})' if self.failure else ''}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "check": self.check,
            "severity": "warning" if self.ignored else self.severity,
            "ignored": self.ignored,
            "subject": self.subject,
            "message": self.message,
            "fix": self.fix,
            "failure": self.failure,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The checks that ran, those that could not and why, and what was found."""

    ran: tuple[str, ...]
    findings: tuple[Finding, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)  # the reason, by the check's name
    notes: tuple[str, ...] = ()  # what a report without findings does not mean

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "error" and not f.ignored)

    @property
    def ignored(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.ignored)

    @property
    def ok(self) -> bool:
        return not self.errors

    def ignoring(self, ids: Collection[str]) -> Report:
        """The same, where findings of these checks and failure modes are shown and do not count."""
        findings = (replace(f, ignored=f.check in ids or f.failure in ids) for f in self.findings)
        return replace(self, findings=tuple(findings))

    def as_dict(self) -> dict[str, Any]:
        return {
            "ran": list(self.ran),
            "skipped": [{"check": name, "reason": reason} for name, reason in self.skipped.items()],
            "findings": [f.as_dict() for f in self.findings],
            "ok": self.ok,
        }

    @staticmethod
    def merge(reports: Iterable[Report]) -> Report:
        several = list(reports)
        return Report(
            ran=tuple(dict.fromkeys(name for r in several for name in r.ran)),
            findings=tuple(f for r in several for f in r.findings),
            skipped={name: reason for r in several for name, reason in r.skipped.items()},
            notes=tuple(note for r in several for note in r.notes),
        )


def run(checks: Iterable[Check[Subject]], subject: Subject) -> Report:
    """Run all of them; a defect never stops the next check. General ones come last: what another check has found in
    a file, with its reason, is not said again as a mere difference, neither there nor where the file is carried."""
    chosen = tuple(checks)
    skipped = {check.name: reason for check in chosen if (reason := check.skip(subject))}
    found: dict[str, list[Flaw]] = {}
    spoken: set[str] = set()
    for check in sorted((c for c in chosen if c.name not in skipped), key=lambda c: c.general):
        found[check.name] = [
            f for f in _flaws(check, subject) if not (check.general and spoken & {f.subject, f.origin})
        ]
        spoken |= {flaw.subject for flaw in found[check.name]}
    ran = [check for check in chosen if check.name in found]
    findings = tuple(_finding(check, flaw) for check in ran for flaw in found[check.name])
    return Report(ran=tuple(check.name for check in ran), findings=findings, skipped=skipped)


def _flaws(check: Check[Subject], subject: Subject) -> Iterator[Flaw]:
    """A program or a machine that fails while a check uses it is a defect that the check has found."""
    try:
        yield from check.run(subject)
    except ToolError as error:
        message, _, fix = str(error).partition("\n    fix: ")
        yield Flaw(subject=check.name, message=" ".join(message.split()), fix=fix)


def _finding(check: Check[Subject], flaw: Flaw) -> Finding:
    return Finding(
        check=check.name,
        subject=flaw.subject,
        message=_printable(flaw.message),
        fix=flaw.fix or check.fix,
        failure=flaw.failure or check.failure,
        breaks=flaw.breaks or check.why.breaks,
        severity=flaw.severity,
        package=flaw.package,
        commands=flaw.commands,
        candidates=flaw.candidates,
        decide=flaw.decide,
    )


def _printable(message: str) -> str:
    """Values from files are quoted in messages; none may end the line or speak to the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
