"""Layers on top of each other, the newest first: which files there are in the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardway.registry.errors import Damaged, TooLarge
from hardway.registry.layer import LARGEST_SUM, Layer, parents

_MOST_LINKS = 8


@dataclass(slots=True)
class Merged:
    """What the layers so far say. `_settled` are names about which an older layer has nothing more to say."""

    where: str
    files: dict[str, bytes] = field(default_factory=dict)
    _links: dict[str, str] = field(default_factory=dict)
    _settled: set[str] = field(default_factory=set)
    _folders: set[str] = field(default_factory=set)
    _opaque: set[str] = field(default_factory=set)

    def add(self, older: Layer) -> None:
        """A layer's own whiteouts hide what is beneath it, not what it brings itself. Where it has a file and a newer
        layer a folder, that folder starts anew: nothing older was left in it."""
        files = {name: content for name, content in older.files.items() if self._open(name)}
        links = {name: target for name, target in older.links.items() if self._open(name)}
        folders = {name for name in older.folders if self._open(name, folder=True)}
        self.files |= files
        self._links |= links
        self._folders |= folders
        self._settled |= {*files, *links, *older.gone}
        self._opaque |= older.opaque | (self._folders & {*older.files, *older.links})

    @property
    def closed(self) -> bool:
        """Nothing older can be seen any more."""
        return "" in self._opaque

    def result(self) -> dict[str, bytes]:
        """Each link with the content of its file, which counts like a copy."""
        found = {**self.files, **{name: self._followed(name) for name in self._links}}
        if sum(map(len, found.values())) > LARGEST_SUM:
            said = f"its files and links have more than {LARGEST_SUM} bytes"
            raise TooLarge(f"{self.where}: {said}", fix="do not use this image; ask its publisher")
        return found

    def _open(self, name: str, *, folder: bool = False) -> bool:
        """Hidden by a whiteout, replaced by something newer, or in a folder that starts anew?"""
        if name in self._settled or (not folder and name in self._folders) or self.closed:
            return False
        return not any(parent in self._settled or parent in self._opaque for parent in parents(name))

    def _followed(self, name: str) -> bytes:
        target = name
        for _ in range(_MOST_LINKS):
            target = self._links.get(target, target)
            if target in self.files:
                return self.files[target]
        raise Damaged(f"{self.where}: the link {name!r} leads to no file", fix="have the image built again")
