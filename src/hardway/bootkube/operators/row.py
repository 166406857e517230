"""What a row of the operators' table says: the call that bootkube makes of one operator, word for word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hardway.lines.sources import source
from hardway.model.cluster import Release
from hardway.model.why import Why, because

SOURCE = source("installer", "data/data/bootstrap/files/usr/local/bin/bootkube.sh.template")
RELEASE = "release"  # in place of an image-for name: the release image itself
ASSETS = "/assets"  # what a container sees of /opt/openshift
OPT = "/opt/openshift"
_NAME = re.compile(r"\$\{([\w-]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One argument. A value may name things of the release: ${release}, ${version}, ${kubernetes}, or an image."""

    name: str
    why: Why
    value: str = ""
    late: bool = False  # came into the program late: one that does not know it is called without


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Where bootkube puts what was rendered: from a pattern below the output folder to a folder, or a file."""

    pattern: str
    target: str  # ends in a slash: a folder. Without a leading slash it is below /opt/openshift
    why: str
    source: str = ""  # another folder below /opt/openshift that is copied from


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    name: str
    image: str  # image-for name
    program: str  # empty: the image's entry point
    verb: str
    output: str  # below /assets
    flags: tuple[Flag, ...]
    copies: tuple[Copy, ...]
    why: Why
    stage: str  # bootkube's name for it: the marker without .done
    on_machine: bool = False  # reads the name and the address of the machine that it runs on

    @property
    def what(self) -> str:
        """The program and its verb, in short."""
        return " ".join(word for word in (self.program.rpartition("/")[2] or "the image's own", self.verb) if word)

    def argv(self, facts: Facts, *, without: Sequence[str] = ()) -> list[str]:
        flags = [flag for flag in self.flags if flag.name not in without]
        words = [f"{f.name}={facts.fill(f.value)}" if f.value else f.name for f in flags]
        return [self.verb, *words] if self.verb else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What of a release a call is made from."""

    release: Release

    def image(self, name: str) -> str:
        """The pull spec, or where there is none of the real one what bootkube would ask."""
        known = {} if name in self.release.stands_in else self.release.images
        return self.release.image if name == RELEASE else known.get(name, f"$(image_for {name})")

    def fill(self, value: str) -> str:
        known = {RELEASE: self.release.image, "version": self.release.version, "kubernetes": self.release.kubernetes}
        return _NAME.sub(lambda match: known.get(match[1]) or self.image(match[1]), value)

    def missing(self, operator: Operator) -> str:
        """Why the operator cannot be run from this release; empty if nothing is known against it."""
        if operator.image == RELEASE:
            return ""
        if operator.image not in self.release.images:
            return f"release {self.release.version} has no image {operator.image}"
        if other := self.release.stands_in.get(operator.image):
            return f"in release {self.release.version} the image {other} stands in for {operator.image}"
        return ""


def flag(name: str, value: str, what: str, breaks: str, *, late: bool = False) -> Flag:
    return Flag(name=name, value=value, why=because(what, breaks=breaks, source=SOURCE), late=late)


def copy(pattern: str, target: str, why: str, *, source: str = "") -> Copy:
    return Copy(pattern=pattern, target=target, why=why, source=source)


def output_flag(name: str, folder: str) -> Flag:
    return flag(name, f"{ASSETS}/{folder}", "Where it writes.", "it renders nothing")


def version_flag() -> Flag:
    return flag(
        "--payload-version",
        "${version}",
        "Which entry of FeatureGate's status counts: the one of this version.",
        'missing desired version "…" in featuregates: nothing is rendered',
    )
