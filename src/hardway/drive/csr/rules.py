"""The rules that a certificate request of a planned node must keep, one row each. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from hardway.drive.csr.kinds import Kind
from hardway.drive.csr.parse import Request
from hardway.drive.csr.pkcs10 import Asked
from hardway.drive.csr.plan import Joining
from hardway.lines.sources import source
from hardway.model.cluster import Node
from hardway.model.why import Why, because
from hardway.pki import families

MACHINE_APPROVER = source("cluster-machine-approver", "pkg/controller/csr_check.go")
AUTHENTICATED = "system:authenticated"
NODES = "system:nodes"
NODE_USER = "system:node:"
LONGEST = 720 * 3600  # the controller-manager signs for no longer: its --cluster-signing-duration
_BOOTSTRAPPER = next(row.says for row in families.TABLE if row.name == "kubelet-client")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of the cluster besides the request: the plan, how far it has come, who has joined."""

    plan: Joining
    expected: frozenset[str]  # nodes whose time has come
    joined: frozenset[str]  # nodes that have registered
    keys: frozenset[tuple[str, str]]  # node and key of first requests that were approved earlier
    replaced: frozenset[str] = frozenset()  # nodes that may have another key, by the operator's word
    rivals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # requests of several keys for one node


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A request that is one of a kind, and names a node of the plan."""

    request: Request
    asked: Asked
    kind: Kind
    node: Node
    known: Known

    @property
    def own(self) -> bool:
        """Whether the node itself asks, with a certificate that it has already."""
        return self.request.user == f"{NODE_USER}{self.node.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    name: str
    flaw: Callable[[Case], str]  # why the request breaks the rule; empty if it does not
    why: Why


def listed(values: Iterable[str]) -> str:
    return ", ".join(sorted(values)) or "none"


def _requester(case: Case) -> str:
    user, groups = case.request.user, case.request.groups
    if case.own:
        return "" if groups == {NODES, AUTHENTICATED} else f"the groups of {user} are not a node's: {listed(groups)}"
    if case.kind.what == "serving":
        return f"only the node itself may request its serving certificate, and this is {user}"
    if user != _BOOTSTRAPPER.common_name:
        return f"{user} is neither the node nor the account that new nodes start with"
    return "" if groups == {*_BOOTSTRAPPER.organizations, AUTHENTICATED} else "the groups are not the account's own"


def _subject(case: Case) -> str:
    if case.asked.organizations != (NODES,):
        return f"the organisation is {listed(case.asked.organizations)}, not {NODES}"
    return f"the subject has more: {listed(case.asked.other_subject)}" if case.asked.other_subject else ""


def _names(case: Case) -> str:
    asked, planned = case.asked, case.kind.what == "serving"
    dns = frozenset({case.node.name}) if planned else frozenset[str]()
    addresses = frozenset(case.node.addresses) if planned else frozenset[str]()
    if asked.other_names:
        return f"names of a kind that a node does not have: {listed(asked.other_names)}"
    if asked.dns_names != dns:
        return f"the DNS names are {listed(asked.dns_names)}; the plan has {listed(dns)}"
    return (
        ""
        if asked.addresses == addresses
        else (f"the addresses are {listed(asked.addresses)}; the plan has {listed(addresses)}")
    )


def _extensions(case: Case) -> str:
    return f"it asks for more: {listed(case.asked.other_extensions)}" if case.asked.other_extensions else ""


def _usages(case: Case) -> str:
    needed = {"digital signature", case.kind.use}
    extra = case.request.usages - needed - {"key encipherment"}
    missing = needed - case.request.usages
    if extra:
        return f"it asks for uses that a kubelet's certificate has not: {listed(extra)}"
    return f"it does not ask for: {listed(missing)}" if missing else ""


def _lifetime(case: Case) -> str:
    seconds = case.request.seconds
    return f"it asks for {seconds} s; the longest is {LONGEST} s" if seconds is not None and seconds > LONGEST else ""


def _time(case: Case) -> str:
    node = case.node
    return "" if node.name in case.known.expected else f"{node.name} is a {node.role}, and its stage has not come yet"


def _first(case: Case) -> str:
    if case.own or case.kind.what != "client":
        return ""
    name = case.node.name
    if name in case.known.replaced:
        return ""
    if name in case.known.joined:
        return f"{name} has joined already, and a node renews with its own certificate; {_anew(name)}"
    other = {key for node, key in case.known.keys if node == name} - {case.asked.key}
    return f"another key was approved for {name} already; {_anew(name)}" if other else ""


def _anew(name: str) -> str:
    return (
        f"if you reinstalled {name}, run this again with `--replace {name}`; if not, another client uses the "
        "identity of new nodes"
    )


def _rivals(case: Case) -> str:
    if case.own or case.kind.what != "client":
        return ""
    name, names = case.node.name, case.known.rivals.get(case.node.name, ())
    if not names:
        return ""
    return (
        f"{len(names)} different keys request the identity of {name}: {listed(names)}. None is approved. Delete all of "
        f"them with `kubectl delete csr NAME` and restart the kubelet on {name}. If two appear again, another machine "
        "has the identity of new nodes. `hardway status` shows when it expires; after that, run `hardway build` and "
        f"install {name} again"
    )


def _why(what: str, breaks: str) -> Why:
    return because(what, readers="the person or program that approves requests", breaks=breaks, source=MACHINE_APPROVER)


def _rule(name: str, flaw: Callable[[Case], str], what: str, breaks: str) -> Rule:
    return Rule(name=name, flaw=flaw, why=_why(what, breaks))


FIRST: dict[str, Why] = {
    "signer": _why(
        "The request is for one of the two signers of kubelets. A request for another signer is left to those "
        "who know it.",
        "a request that another operator raised would be approved or refused by rules that are not its own",
    ),
    "request": _why(
        "The request inside can be read, and its signature is right.",
        "a certificate would be issued for a key that the requester does not have",
    ),
    "node": _why(
        "The common name is that of a master or worker of the plan.",
        "a machine that nobody planned would become a node",
    ),
}
"""What must hold before the rules can be asked: they speak of a node of the plan."""

RULES: tuple[Rule, ...] = (
    _rule(
        "requester",
        _requester,
        "A node's first request comes from the account of new nodes, with exactly its groups; every later one from "
        "the node itself.",
        "any service account that may create requests could become a node",
    ),
    _rule(
        "subject",
        _subject,
        "The organisation is system:nodes and nothing else.",
        "a request for system:masters asks for every permission",
    ),
    _rule(
        "names",
        _names,
        "A serving certificate has the node's own name and addresses, all of them and no others; a client "
        "certificate has none.",
        "one node could pose as another, or as the API server",
    ),
    _rule(
        "extensions",
        _extensions,
        "The request asks for no constraints or uses beyond those of its kind.",
        "a request could ask for a CA certificate, and sign other certificates with it",
    ),
    _rule(
        "usages",
        _usages,
        "The requested uses are digital signature, optionally key encipherment, and the one extended use of its kind.",
        "one stolen key would work for every purpose",
    ),
    _rule(
        "lifetime",
        _lifetime,
        "The requested lifetime is not longer than the controller-manager's limit.",
        "a certificate could outlive the planned rotation",
    ),
    _rule(
        "time",
        _time,
        "Requests of masters are approved from stage 11 on, those of workers from stage 14 on.",
        "a stranger could get the name of a machine that has not been started yet",
    ),
    _rule(
        "first",
        _first,
        "With the shared identity a node asks once, and its key is recorded in the cluster's folder. A reinstalled "
        "machine gets another certificate when an administrator allows it with --replace.",
        "anyone who reads one node's Ignition could become any other node",
    ),
    _rule(
        "rivals",
        _rivals,
        "Two keys must not ask for one name at the same time: one of them is not the node, and it cannot be decided "
        "which. A node's own requests, with its current certificate, may be several: a restarted kubelet makes a new "
        "key.",
        "the client whose request sorts first, or comes first, becomes the node",
    ),
)
