"""Certificates: what is different about the same certificate made here and made by the etcd operator."""

from __future__ import annotations

from functools import partial
from ipaddress import ip_address
from typing import Any

from hardway.compare.certificates import bare, enciphers_no_key, is_an_hour_more, is_of_other_kind
from hardway.compare.row import Row, both_differ, ours_alone, theirs_alone
from hardway.lines.sources import source

LIBRARY = source("library-go", "pkg/crypto/crypto.go")
CEO = source("cluster-etcd-operator", "pkg/operator/etcdcertsigner")
RFC = "RFC 5280, sections 4.2.1.1 and 4.2.1.2"
AUTHORITY, SUBJECT = "authorityKeyIdentifier", "subjectKeyIdentifier"


def _without(name: str, theirs: Any, ours: Any) -> bool:
    """Whether one side has this extension, and nothing else is different."""
    return isinstance(theirs, tuple) and isinstance(ours, tuple) and set(theirs) - {name} == set(ours) - {name}


def _one_address_more(theirs: Any, ours: Any) -> bool:
    """Whether ours names one address besides, in both of the forms that every address is named in."""
    more = set(ours) - set(theirs)
    try:
        return set(theirs) < set(ours) and len({ip_address(bare(name)) for name in more}) == 1 and len(more) == 2
    except ValueError:
        return False


_theirs, _ours, _both = (partial(kind, operator="etcd") for kind in (theirs_alone, ours_alone, both_differ))

CERTIFICATES: tuple[Row, ...] = (
    _both(
        name="minted",
        aspect="*[*].digest",
        accept=lambda theirs, ours: len(str(theirs)) == len(str(ours)) == 64,
        what="The render makes its own signers each time it runs. Rendered certificates must be used together with "
        "the rendered signers, pod and objects.",
        breaks="a member with one side's certificate and a client with the other's refuse each other: certificate "
        "signed by unknown authority",
        source=CEO,
    ),
    _ours(
        name="backdated",
        aspect="*[*].lifetime_hours",
        accept=is_an_hour_more,
        what="Valid since an hour before it was made; the operator's since a second before.",
        breaks="a machine whose clock is behind refuses it as not yet valid (F02)",
        source=LIBRARY,
    ),
    _theirs(
        name="signers-own-id",
        aspect="*[*].extensions",
        accept=lambda theirs, ours: AUTHORITY in theirs and AUTHORITY not in ours and _without(AUTHORITY, theirs, ours),
        what="A self-signed authority repeats its own key's id as its issuer's. Allowed, and of no use: the two are "
        "the same key.",
        breaks="no effect: chains are found by the subject and the subject's id",
        source=f"{LIBRARY}; {RFC}",
    ),
    _ours(
        name="clients-id",
        aspect="*[0].extensions",
        accept=lambda theirs, ours: SUBJECT in ours and SUBJECT not in theirs and _without(SUBJECT, theirs, ours),
        what="Our client certificates have their key's id like all others.",
        breaks="no effect: it only makes the certificate easier to distinguish from its successor",
        source=f"{LIBRARY}; {RFC}",
    ),
    _ours(
        name="second-address",
        aspect="*[0].sans",
        accept=_one_address_more,
        what="With two address families ours has both addresses of the machine; the render has only the one it "
        "announces, and both for masters only.",
        breaks="clients that reach the bootstrap member over the second family refuse it",
        source=CEO,
    ),
    _both(
        name="key-kind",
        aspect="*[*].key|*.kind|kind",
        accept=is_of_other_kind,
        what="The kind of keys is a setting here; the operator makes RSA 2048. All programs read either kind.",
        breaks="with elliptic-curve keys the running operators take over the signers but cannot issue certificates: "
        "they require SHA256 with RSA",
        source=LIBRARY,
    ),
    _both(
        name="key-usage",
        aspect="*[*].key_usage",
        accept=enciphers_no_key,
        what="Only an RSA key can encipher another key, so a certificate for an elliptic-curve key does not say so.",
        breaks="no effect",
        source="RFC 5480, section 3",
    ),
)
