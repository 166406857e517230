"""hardway.yaml: how this tool works, as opposed to what the cluster is. Every field is optional."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast, get_args

from hardway.lines.default import DEFAULT
from hardway.lines.sources import source
from hardway.model.cluster import Road
from hardway.model.config.kinds import check_word
from hardway.model.config.names import is_registry
from hardway.model.config.reader import read
from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind, shape_of
from hardway.model.entropy import KeyKind
from hardway.model.settings.infra import ROWS as INFRA
from hardway.model.settings.infra import InfraSettings, read_infra
from hardway.model.why import because

Comments = Literal["none", "short", "full"]
Crds = Literal["bootstrap", "all"]
UNMANAGED = tuple(row.name for row in DEFAULT.operators if row.pods)
"""The operators that make static pods: for these alone our tables have pods too."""

_INSTALLERS_HOURS = 24  # what the installer gives
_LONGEST_HOURS = 3650 * 24  # what it gives to the authorities that sign
_DURATION = r"(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    release: str = DEFAULT.release
    key_kind: KeyKind = "rsa-2048"
    short_lifetime_hours: int = 168
    joining_hours: int = 24
    comments: Comments = "short"
    mco: str = ""
    road: Road = "payload"
    unmanaged: tuple[str, ...] = ()
    kube_proxy: bool = False
    crds: Crds = "bootstrap"
    replace: tuple[str, ...] = ()
    plain_http: tuple[str, ...] = ()
    signature_key: str = ""
    signature: str = ""
    allow_unsigned: bool = False
    infra: InfraSettings = field(default_factory=InfraSettings)


def _row(path: str, kind: Kind, what: str, *, readers: str, breaks: str, source: str, **rest: Any) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source=source)
    return FieldRow(file="hardway.yaml", path=path, kind=kind, why=why, **rest)


ROWS = (
    _row(
        "release",
        "text",
        "the OpenShift release that the cluster is made of: a version, a pull spec, oci:FOLDER or oci-archive:FILE",
        readers="stage 04, which takes every image from it",
        breaks="images of another version do not fit the manifests",
        source=source("installer", "pkg/asset/releaseimage"),
        default=DEFAULT.release,
    ),
    _row(
        "keys",
        "text",
        "the kind of private keys",
        readers="every certificate's key; the service-account and SSH key pairs are RSA whatever it says",
        breaks="rsa-4096 makes a build several times slower; operators take over ecdsa-p256 signers but cannot sign "
        "with them",
        source=source("installer", "pkg/asset/tls (RSA 2048)"),
        values=get_args(KeyKind),
        default="rsa-2048",
    ),
    _row(
        "shortLived",
        "text",
        "how long the certificates live that the installer gives 24 hours, in days and hours: 7d, 168h, 1d12h",
        readers="kubelet-signer, both aggregator signers and their clients, and the API server's four serving "
        "certificates",
        breaks="a cluster that is not up within that time cannot start: renew the certificates",
        source=source("installer", "pkg/asset/tls (ValidityOneDay)"),
        default="168h",
    ),
    _row(
        "joining",
        "text",
        "the lifetime of the identity that new nodes use to request their first certificate, in days and hours",
        readers="kubelet-client, which is in every node's Ignition file",
        breaks="a node that boots for the first time after that is refused with 401: build, and install it again",
        source="kubeadm's bootstrap tokens (24 h); the installer gives ten years",
        default="24h",
    ),
    _row(
        "comments",
        "text",
        "how many comments the written files have",
        readers="the YAML writer",
        breaks="no effect on the cluster: comments are for people",
        source="this tool",
        values=get_args(Comments),
        default="short",
    ),
    _row(
        "mco",
        "text",
        "a folder with the rendered MachineConfigs of the release, when you have them",
        readers="stage 08, which joins them with the nodes' own files",
        breaks="if it is left out, stage 04 renders them with podman",
        source=source("machine-config-operator", "bootstrap"),
    ),
    _row(
        "road",
        "text",
        "who makes the control plane. `payload`: the release's operators make the masters' static pods, hardway makes "
        "those that have no operator. `hand`: hardway makes all of them. `operators`: as `payload`, and verify "
        "requires the operators. `rendered`: the bootstrap node's pods are those that the operators render",
        readers="stage 08, which leaves out of the bootstrap node's file what bootkube's steps bring, and stage 12",
        breaks="two components write the same static pod in turn: `hand` is refused where the release has operators "
        "that `unmanagedOperators` does not name",
        source=source("installer", "bootkube.sh (the rendered road); this tool"),
        values=get_args(Road),
        default="payload",
    ),
    _row(
        "unmanagedOperators",
        "list",
        "operators of the release that are not deployed: CVO gets an override for each, and its part is made by hand",
        readers="stage 07, which writes the overrides, and stage 12, which lays the static pods onto the masters",
        breaks="the override stays, and CVO refuses every update: ClusterVersionOverridesSet",
        source=source("cluster-version-operator", "pkg/cvo/upgradeable.go"),
    ),
    _row(
        "unmanagedOperators[]",
        "text",
        "one such operator, by the name of its ClusterOperator",
        readers="as above",
        breaks="as above",
        source=source("cluster-version-operator", "pkg/cvo/sync_worker.go"),
        values=UNMANAGED,
    ),
    _row(
        "kubeProxy",
        "boolean",
        "run kube-proxy on masters although the release has a network operator, until that one is Available; where the "
        "release has none, masters run it anyway",
        readers="stage 05 to 08, which make its certificate, kubeconfig and pod, and stage 16, which removes it",
        breaks="with true, each master has two programs for ClusterIPs until stage 16, and one more certificate exists",
        source=source("cluster-network-operator", "manifests (host network, apiserver-url.env)"),
        default=False,
    ),
    _row(
        "crds",
        "text",
        "which of the release's CRDs the bootstrap node applies: those that the bootstrap needs, or all",
        readers="stage 04, which selects them, and bootkube.sh, which applies them",
        breaks="with `bootstrap` the rest comes later, from the cluster-version operator: objects of those kinds wait",
        source=source("api", "payload-command/render (bootstrap-required)"),
        values=get_args(Crds),
        default="bootstrap",
    ),
    _row(
        "replace",
        "list",
        "manifests of hardway's, as manifest/NAME, that documents in your folder manifests/ stand in for",
        readers="every build, as --replace of `hardway build`",
        breaks="a document of yours that names an object of hardway's is refused",
        source="this tool",
    ),
    _row(
        "replace[]",
        "text",
        "one such manifest",
        readers="as above",
        breaks="as above",
        source="this tool",
    ),
    _row(
        "signatureKey",
        "text",
        "a file with the public key that the release must be signed with",
        readers="stage 04, before anything of the release is kept",
        breaks="if it is left out, a release by tag is taken only if its digest is known",
        source=source("cluster-version-operator", "(release verification)"),
    ),
    _row(
        "signature",
        "text",
        "where the release's signature is: a file, a store's folder, or its https address; Red Hat's unless given",
        readers="stage 04, together with signatureKey",
        breaks="a release without a valid signature is refused",
        source=source("cluster-version-operator", "(release verification)"),
    ),
    _row(
        "allowUnsigned",
        "boolean",
        "accept a release without proof: no digest in its name, no known digest, no signature",
        readers="stage 04, as --allow-unsigned of `hardway build`",
        breaks="with true, anyone who can change the tag or the registry can run programs as root on this machine",
        source="this tool; for a registry of your own",
        default=False,
    ),
    _row(
        "insecureRegistries",
        "list",
        "registries, as HOST:PORT, that are reached over plain HTTP",
        readers="stage 04, when it reads the release and runs its images",
        breaks="a registry without TLS answers the TLS handshake with plain text, and nothing can be read from it",
        source="this tool; for a registry on your own machine only",
    ),
    _row(
        "insecureRegistries[]",
        "text",
        "one such registry",
        readers="as above",
        breaks="as above",
        source="this tool",
    ),
    _row(
        "plainHTTP",
        "list",
        "the old name of insecureRegistries, still read",
        readers="as insecureRegistries",
        breaks="as insecureRegistries",
        source="this tool, 0.1.0",
    ),
    _row(
        "plainHTTP[]",
        "text",
        "one such registry",
        readers="as insecureRegistries",
        breaks="as insecureRegistries",
        source="this tool, 0.1.0",
    ),
    *INFRA,
)
_SHAPE = shape_of(ROWS)


class Options(NamedTuple):
    """What the command line says instead of the file."""

    keys: str | None = None
    short_lived: str | None = None
    comments: str | None = None
    allow_unsigned: bool = False


def read_settings(text: str | None, file: str, options: Options) -> tuple[Settings, Reading]:
    """The settings, and where the file says them; problems of the options are among the reading's."""
    reading = read(text or "", file, _SHAPE, strict=True)
    line = Reading(file="")
    values = reading.values
    hours = _hours(reading, "shortLived", values.get("shortLived"))
    hours = _hours(line, "--short-lived", options.short_lived) or hours
    joining = _hours(reading, "joining", values.get("joining"), 1, "1h", "24h")
    keys = _choice(line, "keys", options.keys) or values.get("keys")
    comments = _choice(line, "comments", options.comments) or values.get("comments")
    _check_texts(reading, values)
    _check_registries(reading)
    reading.problems.extend(line.problems)
    settings = Settings(
        release=values.get("release") or Settings().release,
        key_kind=cast(KeyKind, keys or Settings().key_kind),
        short_lifetime_hours=hours or Settings().short_lifetime_hours,
        joining_hours=joining or Settings().joining_hours,
        comments=cast(Comments, comments or Settings().comments),
        mco=values.get("mco", ""),
        road=cast(Road, values.get("road") or Settings().road),
        unmanaged=tuple(dict.fromkeys(values.get("unmanagedOperators") or ())),
        kube_proxy=bool(values.get("kubeProxy")),
        crds=cast(Crds, values.get("crds") or Settings().crds),
        replace=tuple(values.get("replace") or ()),
        plain_http=(*(values.get("insecureRegistries") or ()), *(values.get("plainHTTP") or ())),
        signature_key=values.get("signatureKey", ""),
        signature=values.get("signature", ""),
        allow_unsigned=options.allow_unsigned or bool(values.get("allowUnsigned")),
        infra=read_infra(reading),
    )
    return settings, reading


def _check_texts(reading: Reading, value: Any, path: str = "") -> None:
    """Names of files, programs and hosts: none has a control character, and a zero byte ends a name."""
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_texts(reading, inner, f"{path}.{name}" if path else name)
    elif isinstance(value, str) and not value.isprintable():
        message = "has a character that cannot be printed, such as a line break or a zero byte"
        reading.error("settings.text", path, message, "remove it, or type the value again")


def _check_registries(reading: Reading) -> None:
    for path in ("insecureRegistries", "plainHTTP"):
        for index, registry in enumerate(reading.values.get(path) or ()):
            if not is_registry(registry or ""):
                message, fix = "is not the name of a registry", "write HOST:PORT, such as localhost:5000"
                reading.error("settings.registry", f"{path}[{index}]", message, fix)


def _choice(line: Reading, name: str, value: str | None) -> str | None:
    return check_word(line, value, _SHAPE.children[name], f"--{name}") if value else None


def _hours(
    reading: Reading,
    path: str,
    text: str | None,
    least: int = _INSTALLERS_HOURS,
    said: str = "24h (the installer's)",
    usual: str = "168h",
) -> int:
    match = re.fullmatch(_DURATION, text or "")
    hours = int(match[1] or 0) * 24 + int(match[2] or 0) if match else 0
    if text and not match:
        reading.error("settings.duration", path, "is not a duration", "write days and hours, such as 7d or 168h")
    elif text and not least <= hours <= _LONGEST_HOURS:
        message = f"is {hours} hours; it must be {said} to 3650d (when the authorities end)"
        reading.error("settings.duration", path, message, f"write {usual}")
    return hours
