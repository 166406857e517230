"""`--source NAME=DIR`: which component, from which folder. All problems of all of them are told at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from hardway.io import plain
from hardway.labrelease.checkouts import described, manifests
from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.images.table import Set
from hardway.model.errors import ConfigError
from hardway.model.problem import Problem

OPTION = "--source"
_MAJOR = re.compile(r"/v\d+$")
_MODULE = re.compile(r'^module\s+"?([^\s"]+)"?', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    kit: Kit
    folder: Path

    @property
    def name(self) -> str:
        return self.kit.name

    @property
    def vendored(self) -> bool:
        """A folder with nothing but the list of what would be vendored is what a module proxy leaves of it."""
        vendor = self.folder / "vendor"
        return (vendor / "modules.txt").is_file() and any(path.is_dir() for path in vendor.iterdir())

    @property
    def workspace(self) -> Path | None:
        """Kubernetes has one: its parts are modules of their own in the same checkout."""
        file = self.folder / "go.work"
        return file if file.is_file() else None


def read(texts: Sequence[str], files: Sequence[Path] = (), option: str = OPTION) -> tuple[Checkout, ...]:
    """In the order given."""
    kits: dict[str, Kit] = {**BY_NAME, **{kit.name: kit for kit in map(described.load, files)}}
    problems: list[Problem] = []
    found: dict[str, Checkout] = {}
    for text in texts:
        name, sign, place = text.partition("=")
        folder = Path(place).absolute()
        wrong = list(_wrong(text, sign, kits.get(name), folder, kits, option))
        if name in found:
            wrong.append(_problem(f"{option} {text}", f"{name} is named twice", "name each component once"))
        problems += wrong
        if not wrong:
            found[name] = Checkout(kit=kits[name], folder=folder)
    unused = set(kits) - set(BY_NAME) - {text.partition("=")[0] for text in texts}
    for name in sorted(unused):
        problems.append(
            _problem("--component", f"describes {name}, which no {option} names", f"add {option} {name}=DIR")
        )
    if problems:
        raise ConfigError(problems)
    return tuple(found.values())


def chosen_set(checkouts: Sequence[Checkout], asked: Set | None) -> Set:
    """The set asked for; without one, the smallest that has all of them."""
    if asked is None:
        return "core" if all("core" in checkout.kit.sets for checkout in checkouts) else "operators"
    for checkout in checkouts:
        if asked not in checkout.kit.sets:
            raise ConfigError(
                f"--set {asked}: {checkout.name} is no component of this set.\n    fix: give --set operators"
            )
    return asked


def _wrong(
    text: str, sign: str, kit: Kit | None, folder: Path, kits: Mapping[str, Kit], option: str
) -> Iterator[Problem]:
    place = f"{option} {text}"
    if not sign:
        yield _problem(place, "has no folder", "write NAME=DIR, as in service-ca-operator=../service-ca-operator")
        return
    if kit is None:
        name = text.partition("=")[0]
        near = get_close_matches(name, kits, n=1)
        known = f"did you mean {near[0]}?" if near else f"name one of {', '.join(kits)}."
        fix = f"{known} Any other component can be described in a file: --component FILE"
        yield _problem(place, f"no component is called {name!r}", fix)
        return
    if not folder.is_dir():
        yield _problem(place, "there is no such folder", "name the top folder of the checkout")
        return
    yield from _module(place, kit, folder)
    yield from _packages(place, kit, folder)
    yield from manifests.problems(kit, folder)


def _module(place: str, kit: Kit, folder: Path) -> Iterator[Problem]:
    file = folder / "go.mod"
    try:
        found = _MODULE.search(plain.read(file, largest=16 << 20).decode(errors="replace"))
    except OSError as error:
        fix = "name the top folder of the checkout, where go.mod is"
        yield _problem(place, f"this is no Go module: {file}: {error.strerror}", fix)
        return
    wanted = kit.component.top or kit.component.module
    if found is None or (wanted and found[1] != wanted):
        message = f"{file} is of the module {found[1] if found else '(none)'}, and {kit.name} is {wanted}"
        yield _problem(place, message, "name the checkout of this component, or another component")


def _packages(place: str, kit: Kit, folder: Path) -> Iterator[Problem]:
    if not (folder / "go.mod").is_file():
        return
    top = _MAJOR.sub("", kit.component.top or kit.component.module)
    for program in kit.component.programs:
        package = _MAJOR.sub("", program.package).removeprefix(top).strip("./")
        if not any((folder / package).glob("*.go")):
            message = f"{folder / package} has no Go files, and {program.file} is compiled from there"
            yield _problem(place, message, "name a complete checkout, on a branch that has this program")


def _problem(place: str, message: str, fix: str) -> Problem:
    return Problem(file="", line=1, column=1, path=place, message=message, fix=fix, rule="source.checkout")
