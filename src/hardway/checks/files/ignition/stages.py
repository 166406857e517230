"""Stage 08: bootkube's stages in the bootstrap node's file, on the road `rendered`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.bootkube.script import PATH
from hardway.bootkube.table import TABLE
from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import REBUILD, Ign, bootstrap
from hardway.checks.files.shapes import text
from hardway.model.check import Flaw

UNIT = "bootkube.service"
SHARED = ("masters_carry",)  # functions of bootkube.sh
_STAGE = re.compile(r"^ +stage (\S+) '(\S+)' (\S+) (\S+)", re.M)
_RENDER = re.compile(r"^ +render (\S+) \S+ (\S+) ", re.M)


def stages(artifacts: Artifacts) -> Iterator[Flaw]:
    """As the machine would run them: the unit starts the script, it has every stage, and renders with this release."""
    ign = bootstrap(artifacts)
    if ign is None or artifacts.cluster.road != "rendered":  # on the other roads bootkube.sh is all
        return
    content = (ign.file(PATH) or b"").decode(errors="replace")
    if not content:
        yield Flaw(subject=ign.path, message=f"{PATH} is missing, so nothing renders", fix=REBUILD)
        return
    yield from _started(ign)
    yield from _in_order(ign, content)
    yield from _images(artifacts, ign, content)


def _started(ign: Ign) -> Iterator[Flaw]:
    if f"ExecStart={PATH}\n" not in text(ign.unit(UNIT) or {}, "contents"):
        yield Flaw(subject=ign.path, message=f"{UNIT} does not start {PATH}", fix=REBUILD)


def _in_order(ign: Ign, content: str) -> Iterator[Flaw]:
    found = [(number, name, marker.strip("'")) for number, name, marker, _ in _STAGE.findall(content)]
    wanted = [(row.number, row.name, row.marker) for row in TABLE]
    for row in wanted:
        if row not in found:
            message = (
                f"{PATH}: the stage {row[0]} {row[1]} is missing, or leaves another marker than {row[2] or 'none'}"
            )
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)
    if sorted(found) == sorted(wanted) and found != wanted:
        yield Flaw(subject=ign.path, message=f"{PATH}: its stages are not in bootkube's order", fix=REBUILD)
    for _, name, _, command in _STAGE.findall(content):
        if not re.search(rf"^{re.escape(command)}\(\)", content, re.M) and command not in SHARED:
            message = f"{PATH}: the stage {name} calls {command}, which is not there"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def _images(artifacts: Artifacts, ign: Ign, content: str) -> Iterator[Flaw]:
    release = artifacts.cluster.release
    known = {release.image, *release.images.values()}
    for output, image in _RENDER.findall(content):
        if image not in known:
            message = f"{PATH}: {output} is rendered by {image}, which is no image of release {release.version}"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)
