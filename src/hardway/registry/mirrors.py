"""The places where an image may be had: the mirrors that imageDigestSources name, then the source itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from hardway.model.cluster import ImageSource
from hardway.registry.access import Progress
from hardway.registry.errors import RegistryError, Unreachable, with_notes
from hardway.release.reference import Reference

Place = TypeVar("Place")
Result = TypeVar("Result")


def places(reference: Reference, sources: Iterable[ImageSource]) -> tuple[Reference, ...]:
    """Mirrors serve digests alone: a tag could mean something else there. The most specific source counts."""
    covering = [s for s in sources if _covers(s.source, reference.name)]
    if not reference.digest or not covering:
        return (reference,)
    longest = max(len(s.source) for s in covering)
    names = [
        mirror + reference.name[len(row.source) :]
        for row in covering
        if len(row.source) == longest
        for mirror in row.mirrors
    ]
    mirrored = [Reference.parse(f"{name}@{reference.digest}") for name in dict.fromkeys(names)]
    return (*(m for m in mirrored if m.name != reference.name), reference.at(reference.digest))


def mirrored(name: str, sources: Iterable[ImageSource]) -> bool:
    return any(_covers(s.source, name) and s.mirrors for s in sources)


def first(several: Sequence[Place], action: Callable[[Place], Result], progress: Progress) -> Result:
    """The first place where it succeeds. One that fails is named, and the next is tried."""
    errors: list[RegistryError] = []
    for place in several:
        try:
            return action(place)
        except RegistryError as error:
            errors.append(error)
            if place is not several[-1]:
                progress(f"{error.what}; trying the next place", 0, 0)
    raise _telling(errors)


def _telling(errors: list[RegistryError]) -> RegistryError:
    """Unreachable only if every place was: a mirror that answers wrongly is to be mended, not passed over."""
    told = next((e for e in reversed(errors) if not isinstance(e, Unreachable)), errors[-1])
    return with_notes(told, [e.what for e in errors if e is not told])


def _covers(source: str, name: str) -> bool:
    return name == source or name.startswith(f"{source}/")
