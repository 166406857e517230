"""The tables as assets: for each row a key and a certificate, and the bundles made of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module

from hardway.graph.asset import Asset, Given
from hardway.model.cluster import Cluster, Node, is_address
from hardway.model.entropy import KeyKind
from hardway.model.errors import ToolError
from hardway.model.why import Why
from hardway.pki import bundles, families, keys
from hardway.pki.row import Cert, Family, Lifetime
from hardway.pki.spec import Spec

STAGE = "05"
FIRST_HOST, NOW = "{first-host}", "{now}"  # in a common name: the first of its names, and when it is issued
YEAR = 365 * 24
COSTS: dict[KeyKind, int] = {"rsa-4096": 2, "rsa-2048": 1, "ecdsa-p256": 1}
HOURS: dict[Lifetime, int] = {"1y": YEAR, "3y": 3 * YEAR, "5y": 5 * YEAR, "10y": 10 * YEAR}


def assets(cluster: Cluster) -> list[Asset]:
    rows = [(row, node) for row in families.rows(cluster) for node in nodes_of(row, cluster)]
    return [
        *(asset for row, node in rows for asset in _certificate(row, node, cluster)),
        *(asset for pair in keys.TABLE for asset in _key_pair(pair)),
        *(_bundle(bundle) for bundle in bundles.TABLE),
    ]


def of_family(family: Family, cluster: Cluster) -> list[str]:
    """Addresses: its certificates and keys, the bundles that have one of its signers, and its key pairs."""
    own = [row for row in families.rows(cluster) if row.family == family]
    names = [file_name(row, node) for row in own for node in nodes_of(row, cluster)]
    signers = {row.name for row in own if row.is_ca}
    pairs = [pair.name for pair in keys.TABLE if pair.family == family]
    return [
        *(f"{kind}/{name}" for name in names for kind in ("key", "cert")),
        *(f"{kind}/{name}" for name in pairs for kind in ("key", "pub")),
        *(f"bundle/{bundle.name}" for bundle in bundles.TABLE if signers.intersection(bundle.signers)),
    ]


def nodes_of(row: Cert, cluster: Cluster) -> tuple[Node | None, ...]:
    return cluster.control_plane if row.per_etcd_node else (None,)


def file_name(row: Cert, node: Node | None) -> str:
    return f"{row.name}-{node.name}" if node else row.name


def _key(name: str, kind: KeyKind, why: Why) -> Asset:
    return Asset(
        address=f"key/{name}",
        stage=STAGE,
        path=f"tls/{name}.key",
        mode=0o600,
        kind="origin",
        make=partial(_make_key, name),
        params=kind,
        cost=COSTS[kind],
        prepare=_import_keys,
        why=why,
    )


def _import_keys() -> object:
    return import_module("hardway.pki.private")


def _make_key(name: str, given: Given) -> bytes:
    from hardway.pki.private import private_pem

    return private_pem(given.entropy.key(f"key/{name}", given.params))


def _certificate(row: Cert, node: Node | None, cluster: Cluster) -> list[Asset]:
    name = file_name(row, node)
    needs = [f"key/{name}"] + ([f"key/{row.signer}", f"cert/{row.signer}"] if row.signer else [])
    return [
        _key(name, cluster.key_kind, row.key.reason(f"cert/{name}", row.why.source)),
        Asset(
            address=f"cert/{name}",
            stage=STAGE,
            path=f"tls/{name}.crt",
            mode=0o600,
            kind="issued",
            make=partial(_make_cert, name, row.signer),
            params=spec_of(row, node, cluster),
            needs=tuple(needs),
            why=row.why,
        ),
    ]


def spec_of(row: Cert, node: Node | None, cluster: Cluster) -> Spec:
    """All that the certificate is to say in this cluster."""
    names = row.sans(cluster, node)
    addresses = tuple(n for n in names if is_address(n))
    dns_names = tuple(n for n in names if n not in addresses)
    if row.per_etcd_node:
        dns_names += addresses  # etcd's operator repeats addresses as names, and so old clients find them
    return replace(
        row.says,
        common_name=row.says.common_name.replace(FIRST_HOST, min(names, default="")),
        ca=row.is_ca,
        hours=hours_of(row.lifetime, cluster),
        dns_names=dns_names,
        addresses=addresses,
    )


def hours_of(lifetime: Lifetime, cluster: Cluster) -> int:
    return {**HOURS, "short": cluster.short_lifetime_hours, "joining": cluster.joining_hours}[lifetime]


def _private(name: str, given: Given) -> bytes:
    """A key that can be read; one that was damaged on disk gets its own message."""
    from hardway.pki.private import load_private

    try:
        load_private(given[f"key/{name}"])
    except (ValueError, TypeError):
        fix = f"put the right one back, or replace it with `hardway build --rotate key/{name}`"
        raise ToolError(f"assets/tls/{name}.key is not a readable private key.\n    fix: {fix}") from None
    return given[f"key/{name}"]


def _make_cert(name: str, signer: str | None, given: Given) -> bytes:
    from hardway.pki import issue

    now, spec = given.entropy.now(), given.params
    return issue.issue(
        replace(spec, common_name=spec.common_name.replace(NOW, str(int(now.timestamp())))),
        key=_private(name, given),
        signer_key=_private(signer, given) if signer else None,
        signer_cert=given[f"cert/{signer}"] if signer else None,
        now=now,
        serial=1 + int.from_bytes(given.entropy.random(f"serial/{name}", 8)) % (2**63 - 1),
    )


def _key_pair(pair: keys.KeyPair) -> list[Asset]:
    return [
        _key(pair.name, pair.kind, pair.key.reason(f"pub/{pair.name}", pair.why.source)),
        Asset(
            address=f"pub/{pair.name}",
            stage=STAGE,
            path=f"tls/{pair.name}.pub",
            mode=0o600,
            kind="derived",
            make=partial(_make_public, pair),
            needs=(f"key/{pair.name}",),
            why=pair.why,
        ),
    ]


def _make_public(pair: keys.KeyPair, given: Given) -> bytes:
    from hardway.pki.private import public_pem, public_ssh

    private = _private(pair.name, given)
    return public_ssh(private) if pair.ssh else public_pem(private)


def _bundle(bundle: bundles.Bundle) -> Asset:
    return Asset(
        address=f"bundle/{bundle.name}",
        stage=STAGE,
        path=f"tls/{bundle.name}.crt",
        mode=0o600,
        kind="derived",
        make=partial(_make_bundle, bundle),
        needs=tuple(f"cert/{s}" for s in bundle.signers),
        why=bundle.why,
    )


def _make_bundle(bundle: bundles.Bundle, given: Given) -> bytes:
    return b"".join(given[f"cert/{signer}"] for signer in bundle.signers)
