"""What a document of the user's must be before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from hardway.lines.line import Line
from hardway.model.own import machine_config
from hardway.model.own.document import CRD, MACHINE_CONFIG, POOL, Identity, Own
from hardway.model.own.names import wrong_name, wrong_namespace
from hardway.model.own.read import Source
from hardway.model.own.reasons import Rule
from hardway.model.problem import Problem

ROLES = ("master", "worker")
MCO_NAMES = re.compile(
    r"00-(master|worker)|01-(master|worker)-(container-runtime|kubelet)|9[789]-.+-generated-.+|rendered-.+"
)
"""MachineConfigs that the machine-config operator makes itself."""
MCO_FILES = ("machineconfigcontroller-controllerconfig.yaml", *(f"{role}.machineconfigpool.yaml" for role in ROLES))
"""What the operator writes into the folder that its controller reads."""
Shown = Mapping[str, Source]


def judge(documents: Sequence[Own], line: Line, shown: Shown) -> Iterator[Problem]:
    """Everything that is wrong with the documents themselves."""
    if not documents:
        return
    pools = {*ROLES, *(own.name for own in documents if own.type == POOL)}
    known, unscoped = _known(documents, line), line.cluster_scoped | set(_cluster_scoped(documents))
    for own in documents:
        yield from _kind(own, known, shown)
        yield from _name(own, shown)
        yield from _scope(own, unscoped, shown)
        yield from _taken_by_mco(own, shown)
        if own.type == MACHINE_CONFIG:
            yield from (_problem(own, shown, *flaw) for flaw in machine_config.flaws(own, pools, line))
    yield from _twice(documents, shown)


def _problem(own: Own, shown: Shown, rule: Rule, path: str, message: str, fix: str) -> Problem:
    return shown[own.file].problem(rule, own.place(path), path, message, fix)


def _known(documents: Iterable[Own], line: Line) -> set[tuple[str, str]]:
    """The line's types, and those that the user's own CRDs define."""
    known = set(line.kinds)
    for own in documents:
        group, kind, versions = own.at("spec.group"), own.at("spec.names.kind"), own.at("spec.versions")
        if own.type == CRD and isinstance(versions, list):
            known |= {(f"{group}/{v.get('name')}", str(kind)) for v in versions if isinstance(v, dict)}
    return known


def _cluster_scoped(documents: Iterable[Own]) -> Iterator[tuple[str, str]]:
    for own in documents:
        if own.type == CRD and own.at("spec.scope") == "Cluster":
            yield str(own.at("spec.group")), str(own.at("spec.names.kind"))


def _kind(own: Own, known: set[tuple[str, str]], shown: Shown) -> Iterator[Problem]:
    if (own.api, own.kind) in known:
        return
    from difflib import get_close_matches

    elsewhere = sorted(api for api, kind in known if kind == own.kind)
    near = get_close_matches(own.kind, sorted({kind for _, kind in known}), n=1, cutoff=0.8)
    if elsewhere:
        fix = f"{own.kind} is of {' or '.join(elsewhere[:3])}"
    elif near:
        fix = f"did you mean {near[0]}?"
    else:
        fix = "correct apiVersion and kind, or put the CustomResourceDefinition into the folder too"
    message = f"{own.kind[:80]!r} of {own.api[:80]!r} is no type of this release, and no CRD of yours defines it"
    yield _problem(own, shown, "kind", "kind", message, fix)


def _taken_by_mco(own: Own, shown: Shown) -> Iterator[Problem]:
    """What the machine-config operator makes cannot be given to it."""
    if own.type == POOL and own.name in ROLES:
        message = f"the machine-config operator makes the pool {own.name} itself"
        yield _problem(own, shown, "pool", "metadata.name", message, "change it in the cluster, once it runs")
    if own.path.rpartition("/")[2] in MCO_FILES:
        message = "the machine-config operator writes a file of this name for its own render"
        yield _problem(own, shown, "file-name", "", message, "give the file another name")
    if own.type == MACHINE_CONFIG and MCO_NAMES.fullmatch(own.name):
        message = f"{own.name[:80]!r} is a name of the machine-config operator's own MachineConfigs"
        fix = "give it another name, such as 50-NAME: a later name wins where two write the same file"
        yield _problem(own, shown, "machine-config-name", "metadata.name", message, fix)


def _name(own: Own, shown: Shown) -> Iterator[Problem]:
    for path, must in (("metadata.name", wrong_name(own)), ("metadata.namespace", wrong_namespace(own))):
        if must:
            kind = "Namespace" if path == "metadata.namespace" else own.kind[:80]
            message = f"{str(own.at(path))[:80]!r} is not a name that the API server accepts for a {kind}"
            yield _problem(own, shown, "name", path, message, f"write {must}")


def _scope(own: Own, unscoped: Collection[tuple[str, str]], shown: Shown) -> Iterator[Problem]:
    """The namespace would be dropped: the object is the one of the same name without it."""
    if own.type in unscoped and own.at("metadata.namespace"):
        message = f"{own.kind} is cluster-scoped: its objects are in no namespace"
        yield _problem(own, shown, "scope", "metadata.namespace", message, "remove metadata.namespace")


def _twice(documents: Iterable[Own], shown: Shown) -> Iterator[Problem]:
    objects: dict[Identity, Own] = {}
    files: dict[str, Own] = {}
    for own in documents:
        if (first := objects.setdefault(own.identity, own)) is not own:
            message = f"{own.title} is in {first.file}:{first.first} too"
            yield _problem(own, shown, "twice", "metadata.name", message, "keep one of the two")
        if (other := files.setdefault(own.path, own)) is not own:
            message = f"its file would be {own.path}, which {other.file}:{other.first} is made into"
            yield _problem(own, shown, "file-name", "", message, "rename one of the files")
