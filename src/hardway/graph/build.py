"""Walks the graph: makes what is missing or stale, keeps the rest, and says why for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

from hardway.graph.asset import Asset, Given, Graph, digest
from hardway.graph.inputs import CLUSTER, CODE, NEED, PARAMS, in_words
from hardway.graph.store import Entry, Store
from hardway.graph.workers import Forked
from hardway.model.cluster import Cluster
from hardway.model.entropy import Entropy
from hardway.model.errors import ToolError

ASIDE = "edited"  # where files that were changed by hand are put before they are made again
ROTATED = "rotated on request"
EDITED = "its file was changed by hand"
UNRECORDED = "no record says what its file was made from"
EXPIRED = "it has expired"
BY_HAND = "it had been changed by hand"
DIFFERS = "it differs from what was built, and no record says why"
REISSUED = "without a record, certificates and what contains them are made again"

Progress = Callable[[str, int, int], None]
"""`keys: ADDRESS` or `files: ADDRESS`, how many of them are there, and how many there will be."""


def silent(what: str, done: int, total: int) -> None:
    """For whoever shows nothing."""


@dataclass(slots=True)
class Outcome:
    """What a build did."""

    made: dict[str, str] = field(default_factory=dict)  # address -> the reason it was made
    kept: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)  # paths
    saved: dict[str, str] = field(default_factory=dict)  # files that were put aside, and why
    fault: str = ""  # what is wrong with the record, where there are files that it should know
    seconds: dict[str, float] = field(default_factory=dict)  # stage -> time


class Builder:
    def __init__(
        self,
        *,
        graph: Graph,
        cluster: Cluster,
        store: Store,
        entropy: Entropy,
        code: str = "",
        spared: Callable[[str], bool] = lambda address: False,
        expired: frozenset[str] = frozenset(),
    ) -> None:
        """`code` stands for the program that makes derived files. `spared` says of an address whether its file
        stays although the graph does not have it. `expired`: what is made anew without being asked for."""
        self._graph = graph
        self._code = code
        self._spared = spared
        self._expired = expired
        self._cluster = cluster
        self._store = store
        self._entropy = entropy
        self._facts: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        self._apart: Forked | None = None
        self._content: dict[str, bytes] = {}
        self._progress: Progress = silent
        self._keys = (0, 0)  # made, of how many
        self._replaced: set[str] = set()  # whose file was there with another content

    # -- what is stale, and why ---------------------------------------------------------------------------

    def reason(self, asset: Asset, rotate: frozenset[str] = frozenset()) -> str | None:
        """Why an asset has to be made; None if it can stay."""
        entry = self._store.entry(asset.address)
        if asset.address in rotate:
            return ROTATED
        content = self._store.read(asset.path)
        if content is not None and asset.address in self._expired:
            return EXPIRED
        if asset.kind == "origin":
            return "missing" if content is None else None
        if entry is None:
            return "not built yet" if content is None else UNRECORDED
        if content is None:
            return "its file is missing"
        if digest(content) != entry.content:
            interrupted = self._store.superseded(asset.address, digest(content))
            return "a build was interrupted before it was in place" if interrupted else EDITED
        return self._changed(asset, entry)

    def _changed(self, asset: Asset, entry: Entry) -> str | None:
        for name, value in self._fixed_inputs(asset).items():
            if entry.stamp.get(name) != value:
                return in_words(name)
        for name, value in entry.stamp.items():
            if name.startswith(CLUSTER) and self._fact(name.removeprefix(CLUSTER)) != value:
                return in_words(name)
            if name.startswith(NEED) and name.removeprefix(NEED) not in asset.needs:
                return in_words(name)
        return None

    def _fixed_inputs(self, asset: Asset) -> dict[str, str]:
        inputs = {PARAMS: digest(repr(asset.params).encode())}
        if asset.kind == "derived":
            inputs[CODE] = self._code
        for need in asset.needs:
            inputs[NEED + need] = self._digest_of(need)
        return inputs

    def _fact(self, name: str) -> str:
        if name not in self._facts:
            self._facts[name] = digest(repr(getattr(self._cluster, name, None)).encode())
        return self._facts[name]

    def _digest_of(self, address: str) -> str:
        if address not in self._digests:
            self._digests[address] = digest(self._content_of(address))
        return self._digests[address]

    def _content_of(self, address: str) -> bytes:
        if address not in self._content:
            if self._apart and address in self._apart:
                self._content[address] = self._apart.result(address)
            else:
                self._content[address] = self._store.read(self._graph[address].path) or b""
        return self._content[address]

    def plan(self, wanted: Iterable[str], *, rotate: frozenset[str] = frozenset()) -> dict[str, str]:
        """What a build would make and why. What is derived from something that will be made is due as well."""
        chosen = self._graph.closure(list(wanted))
        due: dict[str, str] = {}
        for address, asset in self._graph.items():
            if address in chosen:
                changing = next((n for n in asset.needs if n in due), None)
                reason = f"made from {changing}, which would be made too" if changing else self.reason(asset, rotate)
                if reason and not (changing and asset.kind == "origin"):
                    due[address] = reason
        return due

    # -- making -------------------------------------------------------------------------------------------

    def build(
        self,
        wanted: Iterable[str],
        *,
        rotate: frozenset[str] = frozenset(),
        progress: Progress = silent,
    ) -> Outcome:
        """Bring the wanted assets, and all they need, up to date."""
        self._progress = progress
        chosen = self._graph.closure(list(wanted))
        todo = _costless_first([asset for address, asset in self._graph.items() if address in chosen])
        outcome = Outcome()
        with self._store.alone():
            self._refuse_lost(todo, rotate)
            outcome.fault = self.fault()
            self._apart = self._start_costly(todo, rotate)
            try:
                self._make_all(todo, rotate, outcome)
            finally:
                if self._apart:
                    self._apart.close()
            self._drop_what_left_the_plan(outcome)
            self._store.compact()
        return outcome

    def _refuse_lost(self, todo: list[Asset], rotate: frozenset[str]) -> None:
        """A key that was there and is gone is not replaced by another one just like that."""
        lost = [a for a in self.lost(todo) if a.address not in rotate]
        if lost:
            paths = "\n".join(f"    {self._store.root / a.path}" for a in lost)
            raise ToolError(
                "made by an earlier build, and missing now:\n"
                f"{paths}\n"
                "    fix: put them back, or replace them and everything derived from them with `hardway build "
                "--rotate missing`"
            )

    def lost(self, assets: Iterable[Asset]) -> list[Asset]:
        """What comes from randomness, was made, and is no longer there."""
        gone = [a for a in assets if a.kind == "origin" and self._store.read(a.path) is None]
        return [a for a in gone if self._store.entry(a.address) or self._was_used(a)]

    def _was_used(self, asset: Asset) -> bool:
        """Whether a file that is in no record was made from it: then it was there too."""
        users = (self._graph[address] for address in self._graph.users([asset.address]))
        return any(self._is_unrecorded(user) for user in users)

    def _is_unrecorded(self, asset: Asset) -> bool:
        return self._store.entry(asset.address) is None and self._store.read(asset.path) is not None

    def fault(self) -> str:
        """What is wrong with the record, if it should know any of the files; empty before a first build."""
        known = self._store.fault and any(self._store.read(asset.path) is not None for asset in self._graph.values())
        return self._store.fault if known else ""

    def _make_all(self, todo: list[Asset], rotate: frozenset[str], outcome: Outcome) -> None:
        needed = {need for asset in todo for need in asset.needs}
        for number, asset in enumerate(todo, 1):
            started = perf_counter()
            self._bring_up_to_date(asset, rotate, outcome)
            self._progress(f"files: {asset.address}", number, len(todo))
            if asset.address not in needed:
                self._content.pop(asset.address, None)
            outcome.seconds[asset.stage] = outcome.seconds.get(asset.stage, 0.0) + perf_counter() - started

    def _start_costly(self, todo: list[Asset], rotate: frozenset[str]) -> Forked | None:
        """All costly ones at once, on all cores; each is put in place as it arrives. They need nothing else: what
        they were given is what they were forked with."""
        due = [a for a in todo if a.cost and self.reason(a, rotate)]
        due.sort(key=lambda asset: -asset.cost)
        for prepare in {asset.prepare for asset in due if asset.prepare}:
            prepare()
        jobs = {asset.address: partial(asset.make, self._given(asset)) for asset in due}
        self._keys = (0, len(jobs))
        return Forked(jobs, arrived=self._put) if jobs else None

    def _put(self, address: str, content: bytes) -> None:
        asset = self._graph[address]
        self._store.write(asset.path, content, asset.mode)
        done, total = self._keys
        self._keys = (done + 1, total)
        self._progress(f"keys: {address}", *self._keys)

    def _given(self, asset: Asset) -> Given:
        return Given(asset=asset, cluster=self._cluster, content=self._content_of, entropy=self._entropy)

    def _bring_up_to_date(self, asset: Asset, rotate: frozenset[str], outcome: Outcome) -> None:
        apart = self._apart if self._apart and asset.address in self._apart else None
        reason = self.reason(asset, rotate) if apart is None else self._apart_reason(asset, rotate)
        if reason is None:
            outcome.kept.append(asset.address)
            if self._store.entry(asset.address) is None:
                self._note(asset, self._content_of(asset.address), frozenset())  # an origin whose note was lost
            return
        given = self._given(asset)
        content = apart.result(asset.address) if apart else asset.make(given)
        if reason in (EDITED, UNRECORDED):
            self._save_other(asset, content, reason, outcome)
        self._content[asset.address] = content
        self._digests[asset.address] = digest(content)
        if asset.kind == "origin" and apart is None:  # noted when it is there: what is noted and gone was lost
            self._store.write(asset.path, content, asset.mode)
        self._note(asset, content, given.read)
        if asset.kind != "origin":
            self._store.write(asset.path, content, asset.mode)
        outcome.made[asset.address] = reason

    def _apart_reason(self, asset: Asset, rotate: frozenset[str]) -> str:
        """Its file is in place already, so it can no longer be told from the folder."""
        return ROTATED if asset.address in rotate else EXPIRED if asset.address in self._expired else "missing"

    def _note(self, asset: Asset, content: bytes, read: frozenset[str]) -> None:
        stamp = self._fixed_inputs(asset) | {CLUSTER + name: self._fact(name) for name in sorted(read)}
        entry = Entry(address=asset.address, path=asset.path, content=digest(content), stamp=stamp)
        self._store.note(entry)

    def _save_other(self, asset: Asset, content: bytes, reason: str, outcome: Outcome) -> None:
        """Put aside what is there and is not what is built now."""
        present = self._store.read(asset.path)
        if present is None or present == content:
            return
        self._replaced.add(asset.address)
        aside = f"{ASIDE}/{asset.path}"
        self._store.write(aside, present, asset.mode)
        follows = asset.kind == "issued" or not self._replaced.isdisjoint(asset.needs)
        outcome.saved[aside] = BY_HAND if reason == EDITED else REISSUED if follows else DIFFERS

    def _drop_what_left_the_plan(self, outcome: Outcome) -> None:
        """Remove files of ours that the configuration no longer asks for."""
        for entry in self._store.entries():
            if entry.address in self._graph or self._spared(entry.address):
                continue
            if self._store.intact(entry):
                self._store.remove(entry.path)
                outcome.removed.append(entry.path)
            self._store.forget(entry.address)


def _costless_first(assets: list[Asset]) -> list[Asset]:
    """What depends on nothing costly can be made while the costly assets are being made."""
    later: set[str] = set()
    for asset in assets:
        if asset.cost or not later.isdisjoint(asset.needs):
            later.add(asset.address)
    return sorted(assets, key=lambda asset: asset.address in later)
