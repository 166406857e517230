"""Who the cluster is: its two identifiers, the first administrator's password, and the note that keeps them."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator

from hardway.graph.asset import Asset, Given
from hardway.lines.sources import source
from hardway.manifests.features import custom_gates
from hardway.model.cluster import Cluster
from hardway.model.why import because

STAGE = "03"

SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"  # nothing that spells a word or looks like another character
INFRA_ID_LENGTH = 27
SUFFIX_LENGTH = 5

PASSWORD_ALPHABET = "abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789"  # noqa: S105
PASSWORD_GROUPS = (5, 5, 5, 5)
BCRYPT_PREFIX = b"$2a$10$"
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BCRYPT64 = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

INSTALLER = source("installer", "pkg/asset/")


def assets(cluster: Cluster) -> list[Asset]:
    return [_cluster_id(), _infra_id(cluster), _password(), _hash(), _metadata()]


def _chosen(alphabet: str, source: bytes) -> Iterator[str]:
    """Characters drawn evenly: bytes above the last whole multiple of the alphabet are passed over."""
    limit = 256 - 256 % len(alphabet)
    return (alphabet[byte % len(alphabet)] for byte in source if byte < limit)


def _draw(alphabet: str, count: int, given: Given, label: str) -> str:
    characters = _chosen(alphabet, given.entropy.random(label, 16 * count))
    return "".join(next(characters) for _ in range(count))


def _cluster_id() -> Asset:
    return Asset(
        address="id/cluster",
        stage=STAGE,
        path="plan/cluster-id",
        mode=0o600,
        kind="origin",
        make=_make_cluster_id,
        why=because(
            "A random UUID that identifies this installation permanently.",
            readers="ClusterVersion spec.clusterID, and through it updates, telemetry and support",
            breaks="the cluster-version operator generates another one, which does not match metadata.json",
            source=INSTALLER + "installconfig/clusterid.go",
        ),
    )


def _make_cluster_id(given: Given) -> bytes:
    from uuid import UUID

    return str(UUID(bytes=given.entropy.random("id/cluster", 16), version=4)).encode()


def infra_base(name: str) -> str:
    """A cluster name as the beginning of an infrastructure name: no dots, no double dashes, cut to size."""
    plain = re.sub(r"-{2,}", "-", re.sub(r"[^A-Za-z0-9-]", "-", name))
    return plain[: INFRA_ID_LENGTH - SUFFIX_LENGTH - 1].rstrip("-")


def _infra_id(cluster: Cluster) -> Asset:
    """Issued and not origin: under another cluster name it has to be another one."""
    return Asset(
        address="id/infra",
        stage=STAGE,
        path="plan/infra-id",
        mode=0o600,
        kind="issued",
        make=lambda given: f"{given.params}-{_draw(SUFFIX_ALPHABET, SUFFIX_LENGTH, given, 'id/infra')}".encode(),
        params=infra_base(cluster.name),
        why=because(
            "The cluster's name in front of five random characters: unique, and still readable.",
            readers="Infrastructure status.infrastructureName; operators that name or label what they create",
            breaks="resources that operators name or label after it have no name",
            source=INSTALLER + "installconfig/clusterid.go",
        ),
    )


def _make_password(given: Given) -> bytes:
    letters = _draw(PASSWORD_ALPHABET, sum(PASSWORD_GROUPS), given, "password/kubeadmin")
    ends = [sum(PASSWORD_GROUPS[: n + 1]) for n in range(len(PASSWORD_GROUPS))]
    return "-".join(letters[end - size : end] for size, end in zip(PASSWORD_GROUPS, ends, strict=True)).encode()


def _password() -> Asset:
    return Asset(
        address="password/kubeadmin",
        stage=STAGE,
        path="auth/kubeadmin-password",
        mode=0o600,
        kind="origin",
        make=_make_password,
        why=because(
            "What you type as kubeadmin in the web console: four groups of five, without letters that look alike.",
            readers="you; the OAuth server knows only its hash",
            breaks="nobody can log in to the console before an identity provider is configured",
            source=INSTALLER + "password/password.go",
        ),
    )


def _make_hash(given: Given) -> bytes:
    import bcrypt

    raw = b64encode(given.entropy.random("hash/kubeadmin", 16)).rstrip(b"=")
    salt = BCRYPT_PREFIX + raw.translate(bytes.maketrans(_BASE64, _BCRYPT64))
    return bcrypt.hashpw(given["password/kubeadmin"], salt)


def _hash() -> Asset:
    return Asset(
        address="hash/kubeadmin",
        stage=STAGE,
        path="auth/kubeadmin-password.bcrypt",
        mode=0o600,
        kind="issued",
        make=_make_hash,
        needs=("password/kubeadmin",),
        why=because(
            "The password under bcrypt, cost 10. Kept, because its salt is random and a second build must not differ.",
            readers="Secret kube-system/kubeadmin, and there the OAuth server",
            breaks="the kubeadmin login is refused",
            source=INSTALLER + "password/password.go",
        ),
    )


def _make_metadata(given: Given) -> bytes:
    cluster = given.cluster
    custom = custom_gates(cluster.feature_gates) if cluster.feature_set == "CustomNoUpgrade" else None
    metadata = {
        "clusterName": cluster.name,
        "clusterID": given.text("id/cluster"),
        "infraID": given.text("id/infra"),
        "featureSet": cluster.feature_set,
        "customFeatureSet": custom,
    }
    return json.dumps(metadata, separators=(",", ":")).encode()


def _metadata() -> Asset:
    return Asset(
        address="metadata/cluster",
        stage=STAGE,
        path="metadata.json",
        mode=0o600,
        kind="derived",
        make=_make_metadata,
        needs=("id/cluster", "id/infra"),
        why=because(
            "The cluster's names in one small file, for tools that find or remove its resources later.",
            readers="openshift-install destroy and gather, hive, scripts",
            breaks="such tools do not recognise the folder as a cluster's",
            source=INSTALLER + "cluster/metadata.go",
        ),
    )
