"""The trees of trust as they are on disk: who signed what, until when it holds, and who trusts it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from hardway.checks.files.shapes import certificates
from hardway.graph.asset import Asset
from hardway.kubeconfigs.table import TABLE as KUBECONFIGS
from hardway.model.entropy import SystemEntropy
from hardway.page.frame import Page, link
from hardway.page.html import Html, items, join, rows, tag
from hardway.page.pictures import Pictures
from hardway.page.site import Site, anchor
from hardway.pki.bundles import TABLE as BUNDLES

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

PATH = "certificates.html"
USES = {"1.3.6.1.5.5.7.3.1": "serve", "1.3.6.1.5.5.7.3.2": "dial"}
SAID = "The 13 signers, the certificates that each signs, and the bundles that trust it"


def pages(site: Site) -> Iterator[Page]:
    signed = _signed(site)
    roots = [address for address in _all(site) if not _signer(site, address)]
    trees = (_tree(site, address, signed) for address in roots)
    picture = Pictures(site.workspace.loaded.cluster).figure("trust", SAID)
    lead = tag("p", f"{len(roots)} signers sign themselves; each is the root of a tree. Dates are read from the files.")
    yield Page(path=PATH, title="Certificates", body=join((lead, tag("ul", *trees, class_="tree"), picture)))


def _all(site: Site) -> list[str]:
    return [address for address in site.workspace.graph if address.startswith("cert/")]


def _signer(site: Site, address: str) -> str:
    """The certificate that signed it; nothing, if it signed itself."""
    needs = site.workspace.graph[address].needs
    return next((need for need in needs if need.startswith("cert/")), "")


def _signed(site: Site) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for address in _all(site):
        found[_signer(site, address)].append(address)
    return found


def _tree(site: Site, address: str, signed: dict[str, list[str]]) -> Html:
    below = [_tree(site, one, signed) for one in signed[address]]
    name = site.address(PATH, address)
    return tag("li", name, " ", deadline(site, address), tag("ul", *below) if below else None, id=anchor(address))


def loaded(site: Site, asset: Asset) -> Certificate | None:
    """None, if it is not built or damaged; the latter is verification's business."""
    return next(iter(certificates(site.workspace.store.read(asset.path) or b"")), None)


def deadline(site: Site, address: str) -> Html:
    found = loaded(site, site.workspace.graph[address])
    if found is None:
        return tag("small", "not built")
    return ends(found.not_valid_after_utc, SystemEntropy().now())


def ends(when: datetime, now: datetime) -> Html:
    text = f"until {when:%Y-%m-%d %H:%M} UTC"
    return tag("small", f"expired {text.removeprefix('until ')}" if when <= now else text, class_=_weight(when, now))


def _weight(when: datetime, now: datetime) -> str:
    return "bad" if when <= now else "soon" if (when - now).days < 8 else ""


def facts(site: Site, path: str, asset: Asset) -> Html | None:
    """Of a certificate or a bundle, besides its reason."""
    kind, _, name = asset.address.partition("/")
    if kind == "bundle":
        clients = _kubeconfigs(site, (name,))
        return rows((("trusted by", items(site.address(path, one) for one in clients) if clients else None),))
    found = loaded(site, asset)
    signer = _signer(site, asset.address)
    below = tuple(_signed(site)[asset.address])
    pairs = (
        ("ends", deadline(site, asset.address)),
        *(_said(found) if found else ()),
        ("signed by", site.address(path, signer) if signer else "itself: it is the root of a tree"),
        ("signs", site.addresses(path, below)),
        ("trusted by", site.addresses(path, trusted_by(site, name, signer))),
    )
    return join((tag("h2", "The certificate"), rows(pairs), tag("p", _place(path, asset.address))))


def _place(path: str, address: str) -> Html:
    return tag("a", "Its place in the trees", href=link(path, f"{PATH}#{anchor(address)}"))


def trusted_by(site: Site, name: str, signer: str) -> tuple[str, ...]:
    """Bundles with its root, and the kubeconfigs that have such a bundle."""
    root = signer.partition("/")[2] or name
    bundles = tuple(row.name for row in BUNDLES if root in row.signers)
    return (*(f"bundle/{one}" for one in bundles), *_kubeconfigs(site, bundles))


def _kubeconfigs(site: Site, bundles: tuple[str, ...]) -> tuple[str, ...]:
    found = (f"kubeconfig/{row.name}" for row in KUBECONFIGS if row.trust in bundles)
    return tuple(address for address in found if address in site.workspace.graph)


def _said(found: Certificate) -> Iterator[tuple[str, str]]:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.x509 import ExtendedKeyUsage, ExtensionNotFound, SubjectAlternativeName

    yield "subject", found.subject.rfc4514_string()
    yield "issuer", found.issuer.rfc4514_string()
    yield "begins", f"{found.not_valid_before_utc:%Y-%m-%d %H:%M} UTC"
    with suppress(ExtensionNotFound):
        names = found.extensions.get_extension_for_class(SubjectAlternativeName).value
        yield "valid for", ", ".join(str(name.value) for name in names)
    with suppress(ExtensionNotFound):
        uses = found.extensions.get_extension_for_class(ExtendedKeyUsage).value
        yield "may", " and ".join(USES.get(use.dotted_string, use.dotted_string) for use in uses)
    yield "fingerprint", found.fingerprint(SHA256()).hex(":")
