"""Runs an operator's render through podman, and keeps what it wrote below assets/rendered/NAME."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from hardway.bootkube.operators.row import ASSETS, Facts, Operator
from hardway.graph.asset import digest
from hardway.io.folder import beside, fill, make_private, put, remove
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.registry import podman
from hardway.registry.access import Access
from hardway.render import record
from hardway.render.failures import explain
from hardway.tools.run import Done

RENDERED = "rendered"  # below assets
REWRITTEN = "rewritten"  # inside a render: inputs that the program changed in place
NO_PROGRAM = (126, 127)  # podman's codes: what the image should run is not in it
State = Literal["made", "kept", "absent"]
Say = Callable[[str], None]
_ALONE = 'ip link set lo up && ip address add "$0" dev lo && exec "$@"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One render to make."""

    operator: Operator
    facts: Facts
    files: Mapping[str, bytes] = field(repr=False)  # below /opt/openshift
    access: Access
    cluster: Cluster

    @property
    def image(self) -> str:
        return self.facts.image(self.operator.image)

    @property
    def key(self) -> str:
        stamp = {name: digest(content) for name, content in sorted(self.files.items())}
        node = self.cluster.bootstrap
        machine = [node.name, *node.addresses] if self.operator.on_machine else []
        said = [self.image, self.operator.program, *self.operator.argv(self.facts), *machine]
        return digest(json.dumps([stamp, said]).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of it. Flags that the program did not know were left out."""

    operator: Operator
    state: State
    call: str
    why_not: str = ""
    files: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def call(operator: Operator, facts: Facts, folder: str = "/opt/openshift", *, without: tuple[str, ...] = ()) -> str:
    """As bootkube makes it on the bootstrap node; to read, and to paste."""
    words = ["podman", "run", "--quiet", "--net=host", "--rm", "--user=0", f"--volume={folder}:{ASSETS}:z"]
    words += [facts.image(operator.image), *([operator.program] if operator.program else [])]
    return " ".join(map(_quoted, [*words, *operator.argv(facts, without=without)]))


def _quoted(word: str) -> str:
    """For a shell, but for bootkube's own question for an image, which is meant to be one."""
    return word if re.fullmatch(r"[\w./=:-]*\$\(image_for [a-z0-9-]+\)", word) else shlex.quote(word)


def planned_machine(cluster: Cluster) -> podman.Machine:
    """A network of its own in which the bootstrap node's planned address is, and nothing else."""
    node = cluster.bootstrap
    network = next(n for n in cluster.machine_networks if ip_address(node.address) in n)
    place = f"{node.address}/{network.prefixlen}"
    return podman.Machine(name=node.name, enter=("unshare", "--net", "--", "sh", "-c", _ALONE, place))


def render(job: Job, folder: Path, say: Say) -> Outcome:
    """Make it anew if something that it is made from has changed, or somebody has touched it."""
    operator, place = job.operator, folder / job.operator.name
    if missing := job.facts.missing(operator):
        return _absent(job, missing, place)
    if kept := _current(job, place):
        return kept
    say(f"{operator.name}: {operator.what} ({job.image})")
    with beside(place) as scratch:
        source = scratch / "assets"
        fill(source, job.files)
        machine = planned_machine(job.cluster) if operator.on_machine else None
        done, left_out = execute(operator, job.facts, source, job.access, machine)
        if done.code in NO_PROGRAM:
            return _absent(job, _no_program(job), place)
        if not done.ok:
            raise ToolError(explain(f"the render of {operator.name}", done, kept=_keep(source, place)))
        made = _taken(job, source, scratch / "made", left_out)
        put(made, place)
    remove(_failed(place))
    return _outcome(job, "made", place, left_out)


def execute(
    operator: Operator, facts: Facts, source: Path, access: Access, machine: podman.Machine | None
) -> tuple[Done, tuple[str, ...]]:
    """The call itself; again without a flag that came late, if the program says that it does not know it."""
    mounts = [podman.Mount(source=source, target=ASSETS, writable=True)]
    left_out: tuple[str, ...] = ()
    while True:
        argv = operator.argv(facts, without=left_out)
        done = podman.run_program(
            facts.image(operator.image), operator.program, argv, mounts=mounts, access=access, machine=machine
        )
        unknown = [f.name for f in operator.flags if f.late and f"unknown flag: {f.name}" in done.errors]
        if done.ok or not unknown or set(unknown) <= set(left_out):
            return done, left_out
        left_out += tuple(unknown)


def _absent(job: Job, why_not: str, place: Path) -> Outcome:
    """What another release's operator has rendered goes: it is not this cluster's."""
    remove(place)
    return Outcome(operator=job.operator, state="absent", call=call(job.operator, job.facts), why_not=why_not)


def _no_program(job: Job) -> str:
    what = job.operator.program or f"{job.operator.verb} as its entry point"
    return f"the image {job.operator.image} of release {job.facts.release.version} has no {what}"


def _failed(place: Path) -> Path:
    return place.with_name(f"{place.name}-failed")


def _keep(source: Path, place: Path) -> Path:
    """The failed program's input stays, so that the command can be pasted and tried."""
    kept = _failed(place)
    remove(kept)
    shutil.copytree(source, kept / source.name)
    make_private(kept)
    return kept


def _taken(job: Job, source: Path, made: Path, left_out: tuple[str, ...]) -> Path:
    """What it wrote below its output folder, as it is, and the inputs that it changed."""
    output = source / job.operator.output
    shutil.copytree(output, made) if output.is_dir() else made.mkdir()
    for name in changed(source, job.files, job.operator.output):
        (made / REWRITTEN / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, made / REWRITTEN / name)
    record.keep(made, job.key, image=job.image, leftOut=list(left_out))
    make_private(made)
    return made


def changed(source: Path, files: Mapping[str, bytes], output: str) -> list[str]:
    found = (p.relative_to(source) for p in sorted(source.rglob("*")) if p.is_file())
    outside = [str(p) for p in found if p.parts[0] != output]
    return [name for name in outside if files.get(name) != (source / name).read_bytes()]


def _current(job: Job, place: Path) -> Outcome | None:
    known = record.current(place, job.key)
    return None if known is None else _outcome(job, "kept", place, tuple(known.get("leftOut", ())))


def _outcome(job: Job, state: State, place: Path, left_out: tuple[str, ...]) -> Outcome:
    files = tuple(record.digests(place))
    text = call(job.operator, job.facts, without=left_out)
    return Outcome(operator=job.operator, state=state, call=text, files=files, left_out=left_out)
