"""What all pages are made from: a cluster's folder, read once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from posixpath import dirname
from urllib.parse import quote

from hardway.compare.report import Report
from hardway.emit.document import Document
from hardway.explain.entry import Explanation
from hardway.explain.explanation import explain_all
from hardway.explain.fields import has_field
from hardway.explain.origin.known import found as tried
from hardway.explain.origin.known import recalled
from hardway.explain.origin.trial import Trial
from hardway.explain.place import INPUTS, input_address
from hardway.gather.secrets import Secrets, cluster_secrets
from hardway.io import plain
from hardway.lab.owner import has_lab
from hardway.lab.stages import stages
from hardway.page.frame import link
from hardway.page.html import Html, code, join, prose, tag
from hardway.page.values import Origins, changed
from hardway.pipeline.status import StageStatus
from hardway.workspace.catalogue import documents
from hardway.workspace.folder import Workspace, example_cluster, open_workspace

WORDS = re.compile(r"(\bF\d\d\b|`[^`]+`|\b[a-z]+/[\w.#:/\[\]*@-]*\w)")
"""What may be the name of something: a failure id, code, an address."""
MANY = 12
"""Addresses in a row that are seen at once."""


@dataclass(frozen=True, kw_only=True)
class Site:
    workspace: Workspace
    lab: bool = field(default=False)  # whether this machine has a lab of the cluster
    installer: Report | None = None  # the comparison with what openshift-install wrote, if a file of it was named

    @cached_property
    def explanations(self) -> dict[str, Explanation]:
        return {found.address: found for found in explain_all(self.workspace)}

    @cached_property
    def stages(self) -> list[StageStatus]:
        return stages(self.workspace)

    @cached_property
    def documents(self) -> dict[str, Document]:
        return {document.address: document for document in documents(self.workspace.loaded.cluster)}

    @cached_property
    def secrets(self) -> Secrets:
        return cluster_secrets(self.workspace.store.root, self.workspace.loaded.cluster)

    @cached_property
    def origins(self) -> Origins:
        return Origins(self.workspace.loaded.cluster)

    @cached_property
    def trials(self) -> Sequence[Trial]:
        """The values of the user's files, each with what it decides."""
        folder = self.workspace.folder
        return recalled(folder) or tried(self.workspace, folder)

    @cached_property
    def deciding(self) -> dict[str, list[Trial]]:
        """The values that decide each address; those that are written first."""
        found: dict[str, list[Trial]] = defaultdict(list)
        for trial in sorted(self.trials, key=lambda one: not one.line):
            for address in trial.changes:
                found[address].append(trial)
        return dict(found)

    @cached_property
    def own_values(self) -> dict[str, str]:
        """The sample's values that are others here."""
        return changed(example_cluster().cluster, self.workspace.loaded.cluster)

    def target(self, address: str) -> str:
        """The page of an address; empty if it has none."""
        if address not in self.explanations:
            return ""
        kind, _, name = address.partition("/")
        if address in self.workspace.graph:
            return artifact(address)
        return f"explain/{kind}.html#{anchor(name)}"

    def address(self, path: str, address: str) -> Html:
        """A link from the page at `path`, if there is something to link to."""
        target = self.target(address)
        return tag("a", code(address), href=link(path, target)) if target else code(address)

    def addresses(self, path: str, several: tuple[str, ...]) -> Html:
        """Many of them are folded: what follows is not far away then."""
        shown = join((self.address(path, one) for one in several), ", ")
        if len(several) <= MANY:
            return shown
        kinds = Counter(one.partition("/")[0] for one in several)
        said = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        return tag("details", tag("summary", f"{len(several)}: {said}"), shown)

    @cached_property
    def written(self) -> dict[str, str]:
        """Where each field of the user's files stands: by its address, `FILE:LINE` of the first one."""
        found: dict[str, str] = {}
        for name in INPUTS:
            file = self.workspace.folder / name
            lines = plain.text(file).splitlines() if file.is_file() else []
            for number in (number for number, line in enumerate(lines, 1) if has_field(line)):
                found.setdefault(input_address(file, number), f"{name}:{number}")
        return found

    def places(self, path: str, several: Iterable[Trial]) -> Html:
        """Links to the lines where values are written."""
        return join((self._place(path, f"{one.file}:{one.line}") for one in several), ", ")

    def _place(self, path: str, place: str) -> Html:
        return tag("a", place, href=link(path, yours(*place.split(":"))))

    def decider(self, path: str, fields: tuple[str, ...]) -> Html:
        """The lines of the user's files that decide a value; else the fields that could, which have a default."""
        places = [self.written[one] for one in fields if one in self.written]
        if not places:
            return join((self.address(path, fields[-1]), ", which has a default"))
        return join((self._place(path, place) for place in places), " and ")

    def prose(self, path: str, words: str) -> Html:
        """A sentence of a table: addresses and failure ids in it are links. Pages of one folder often share it."""
        place = dirname(path), words
        if place not in self._sentences:
            self._sentences[place] = join([self._word(path, piece) for piece in WORDS.split(words)])
        return self._sentences[place]

    @cached_property
    def _sentences(self) -> dict[tuple[str, str], Html]:
        return {}

    def _word(self, path: str, piece: str) -> Html:
        name = piece.strip("`")
        target = self.target(f"failure/{name}" if re.fullmatch(r"F\d\d", name) else name)
        return tag("a", name, href=link(path, target)) if target else prose(piece)


def open_site(folder: Path, installer: Report | None = None) -> Site:
    workspace = open_workspace(folder)
    return Site(workspace=workspace, lab=has_lab(workspace.loaded.cluster.name, folder), installer=installer)


def yours(file: str, line: str = "") -> str:
    """The page of a file that the user writes."""
    return f"yours/{file}.html{f'#L{line}' if line else ''}"


def artifact(address: str) -> str:
    kind, _, name = address.partition("/")
    return f"artifact/{kind}/{quote(name, safe='').replace('%', '~')}.html"


def anchor(name: str) -> str:
    """For an id; no two names have the same."""
    return quote(name, safe="").replace("%", "~")
