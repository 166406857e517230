"""The atlas: every row of every table under its address. A chart is drawn only when somebody asks for its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from hardway.explain.entry import Entry
from hardway.model.errors import ConfigError
from hardway.model.why import Why
from hardway.workspace.folder import Workspace

LIST = "`hardway explain --list` shows what there is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Addresses of one kind: `kind/…`."""

    what: str
    place: str  # module:function below hardway.explain.charts

    def draw(self, workspace: Workspace) -> Iterable[Entry]:
        module, function = self.place.split(":")
        drawn: Callable[[Workspace], Iterable[Entry]] = getattr(
            import_module(f"hardway.explain.charts.{module}"), function
        )
        return drawn(workspace)


def _asset(what: str) -> Chart:
    return Chart(what=what, place="artifacts:assets")


CHARTS: dict[str, Chart] = {
    "stage": Chart(what="the seventeen stages", place="way:stages"),
    "cert": _asset("certificates"),
    "key": _asset("private keys"),
    "pub": _asset("public keys"),
    "bundle": _asset("bundles of trusted certificates"),
    "id": _asset("ids of the cluster"),
    "password": _asset("passwords"),
    "hash": _asset("hashes of passwords"),
    "kubeconfig": _asset("kubeconfigs"),
    "plan": _asset("the plan and the map of everything that is made"),
    "metadata": _asset("the cluster's ids, as the installer writes them"),
    "pod": _asset("static pods and what they read"),
    "manifest": _asset("cluster manifests"),
    "ignition": _asset("Ignition files"),
    "flag": Chart(what="flags of the control plane's programs", place="artifacts:flags"),
    "field": Chart(what="fields of documents, and of the files that you write", place="artifacts:fields"),
    "file": Chart(what="files on the nodes", place="artifacts:node_files"),
    "unit": Chart(what="systemd units on the nodes", place="artifacts:node_files"),
    "check": Chart(what="checks of files, machine, network, lab, running cluster and logs", place="checks:checks"),
    "rule": Chart(what="rules for your own documents in manifests/", place="checks:rules"),
    "failure": Chart(what="known ways to fail", place="checks:failures"),
    "milestone": Chart(what="what a cluster reaches on its way, in order", place="way:milestones"),
    "bootkube": Chart(what="the steps of bootkube.sh", place="way:bootkube"),
    "csr": Chart(what="certificate requests of kubelets, and the rules for them", place="way:requests"),
    "order": Chart(what="the order in which machines are installed", place="way:order"),
    "console": Chart(what="messages on a machine's console", place="way:console"),
    "image": Chart(what="images of a release", place="release:images"),
    "component": Chart(what="components that the lab's release is compiled from", place="release:components"),
    "operator": Chart(what="operators that render for the bootstrap node, and their flags", place="release:operators"),
    "stall": Chart(what="what keeps an operator from converging, by its own words", place="release:stalls"),
    "clusteroperator": Chart(what="operators of a vendor's release at stage 16", place="release:cluster_operators"),
    "deviation": Chart(what="where the lab differs from RHCOS and from a vendor's release", place="release:deviations"),
    "difference": Chart(what="intended differences from the installer and the renders", place="release:differences"),
    "record": Chart(what="DNS records", place="infrastructure:records"),
    "port": Chart(what="ports of the load balancer", place="infrastructure:ports"),
    "program": Chart(what="programs that this machine needs", place="infrastructure:programs"),
    "libvirt": Chart(what="parts of libvirt's network, pool and machines", place="infrastructure:libvirt"),
    "size": Chart(what="sizes of machines", place="infrastructure:libvirt"),
    "term": Chart(what="the glossary", place="glossary:terms"),
}


def entries(workspace: Workspace, kinds: Iterable[str] = CHARTS) -> Iterator[Entry]:
    """Of these kinds, each address once. Several kinds may be on one chart, which is drawn once."""
    wanted = set(kinds)
    for chart in {CHARTS[kind].place: CHARTS[kind] for kind in kinds if kind in CHARTS}.values():
        yield from (entry for entry in chart.draw(workspace) if kind_of(entry.address) in wanted)


def kind_of(address: str) -> str:
    return address.partition("/")[0]


def reasons(workspace: Workspace) -> dict[str, Why]:
    """All of them, by address."""
    return {entry.address: entry.why for entry in entries(workspace)}


def listed(workspace: Workspace, prefix: str) -> list[Entry]:
    """The entries whose address begins so."""
    kind = kind_of(prefix)
    chosen = [kind] if "/" in prefix or kind in CHARTS else [k for k in CHARTS if k.startswith(kind)]
    found = [e for e in entries(workspace, chosen) if e.address.startswith(prefix)]
    if not found:
        near = get_close_matches(kind, CHARTS, n=1)
        hint = f"did you mean {near[0]}/? " if near and near[0] != kind else ""
        raise ConfigError(f"no address begins with {prefix}.\n    fix: {hint}{LIST}")
    return found


def find(workspace: Workspace, name: str) -> Entry | None:
    """The entry of this address, or of the one that the name must mean; None if the name can only be a file's."""
    address = in_full(name)
    exact = {e.address: e for e in entries(workspace, [kind_of(address)])}
    if address in exact:
        return exact[address]
    if (workspace.folder / name).exists():
        return None
    everything = {e.address: e for e in entries(workspace)}
    meant = meant_by(address, everything)
    if len(meant) == 1:
        return everything[meant[0]]
    if not meant and kind_of(address) not in CHARTS and re.search(r"[./]", name):
        if re.search(r"\.\w+(:\d+)?$|^[./~]", name) or not re.fullmatch(r"[a-z]+/[\w.-]+", name):
            return None  # a file's name
        raise ConfigError(no_kind(name, everything))
    raise ConfigError(unknown(name, address, meant, everything))


def in_full(name: str) -> str:
    """An address from a short form: F08, f8, 05, stage/5, port/6443."""
    if found := re.fullmatch(r"(?:failure/)?[fF](\d{1,3})", name):
        return f"failure/F{int(found[1]):02}"
    if found := re.fullmatch(r"(?:stage/)?(\d{1,2})", name):
        from hardway.stages.table import BY_NUMBER

        stage = BY_NUMBER.get(f"{int(found[1]):02}")
        return stage.address if stage else name
    if found := re.fullmatch(r"port/(\d+)", name):
        from hardway.network.frontends import TABLE

        return next((f"port/{row.name}" for row in TABLE if row.port == int(found[1])), name)
    return name


def similar(workspace: Workspace, name: str) -> str:
    """The address that was mistyped, with its kind or without it; nothing if none is near."""
    addresses = [entry.address for entry in entries(workspace)]
    names = {a.partition("/")[2]: a for a in reversed(addresses)} | {a: a for a in addresses}
    near = get_close_matches(name, names, n=1, cutoff=0.8)
    return names[near[0]] if near else ""


def meant_by(address: str, known: Iterable[str]) -> list[str]:
    """Addresses that are the same but for case, or end with what was named."""
    wanted = address.lower()
    same = [a for a in known if a.lower() == wanted]
    return same or [a for a in known if a.lower().endswith((f"/{wanted}", f"#{wanted}"))]


def unknown(
    name: str,
    address: str,
    meant: list[str],
    known: Iterable[str],
    *,
    command: str = "hardway explain",
    complete: str = LIST,
) -> str:
    """What to say of a name that is no address; `command` takes an address, and lists those that begin with one."""
    if meant:
        several = ", ".join(meant[:8])
        return f"{name} is the name of several things.\n    fix: name one of them: {several}"
    if any(a.startswith(f"{address}/") for a in known):
        return f"{name} is the beginning of addresses.\n    fix: `{command} {address}/` lists them"
    folder = address.rpartition("/")[0]
    below = {a.removeprefix(f"{folder}/"): a for a in known if folder and a.startswith(f"{folder}/")}
    near = _nearest(address.removeprefix(f"{folder}/"), below or {a.rpartition("/")[2]: a for a in reversed([*known])})
    if not folder and name:
        near = (_ending(name, known) or near)[:3]
    here = f"`{command} {folder}/` lists what there is" if below else complete
    hint = f"did you mean {' or '.join(near)}? {here}" if near else here
    return f"there is nothing called {name}.\n    fix: {hint}"


def no_kind(name: str, known: Iterable[str]) -> str:
    """What to say of `scc/restricted-v2`: it has the form of an address, and no address begins so."""
    kind, _, rest = name.partition("/")
    addresses = [*known]
    near = [*dict.fromkeys([*get_close_matches(name, addresses, n=1, cutoff=0.8), *_ending(rest, addresses)])][:3]
    hint = f"did you mean {' or '.join(near)}?" if near else LIST
    return f"{name}: no address begins with {kind}/, and there is no such file.\n    fix: {hint}"


def _ending(name: str, known: Iterable[str]) -> list[str]:
    """Up to three addresses that end with this name, or whose file does; the shortest first."""
    wanted = re.compile(rf"[/_-]{re.escape(name)}(\.\w+)?", re.IGNORECASE)
    found = (a for a in known if (at := a.lower().rfind(name.lower())) > 0 and wanted.fullmatch(a, at - 1))
    return sorted(found, key=lambda a: (len(a), a))[:3]


def _nearest(name: str, known: Mapping[str, str]) -> list[str]:
    """Up to three addresses: those whose name begins so, or is spelt almost so. The dashes of a flag say nothing."""
    names = {short.lstrip("-").lower(): address for short, address in known.items()}
    wanted = name.lstrip("-").lower()
    near = get_close_matches(wanted, names, n=3, cutoff=0.7)
    return [names[one] for one in near or [n for n in names if wanted and n.startswith(wanted)][:3]]
