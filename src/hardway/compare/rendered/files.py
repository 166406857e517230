"""Files that an operator's render lays on the bootstrap machine, beside those that our Ignition config lays there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hardway.compare.places import SECRETS, TLS
from hardway.compare.rendered import certificates
from hardway.compare.rendered.host import Host
from hardway.compare.rendered.reading import LAID
from hardway.compare.row import ABSENT, PRESENT, Difference, presence
from hardway.compare.values import pairs

PEM = b"-----BEGIN "
KUBERNETES = "/etc/kubernetes/"
PLACES = dict(zip(LAID, (KUBERNETES, TLS), strict=True))
"""Where bootkube copies what is in these folders of the render."""


def differences(theirs: Mapping[str, bytes], ours: Mapping[str, bytes], host: Host) -> Iterator[Difference]:
    """Only where we have an Ignition config that lays pods: on the road where operators render on the machine it does
    not, and everything there is theirs."""
    if not any(path.startswith(f"{KUBERNETES}manifests/") for path in ours):
        return
    laid = {host.renamed(_place(path)): text for path, text in theirs.items() if _place(path)}
    own = {_tls(path): text for path, text in ours.items() if _is_etcd(_tls(path))}
    for path in sorted({*laid} | {*own}):
        if path not in laid or path not in own:
            yield Difference(path, "file", *presence(path, laid, own), "files")
    both = [{p: t for p, t in side.items() if p in laid and p in own and t.startswith(PEM)} for side in (laid, own)]
    for aspect, first, second in pairs(host.renamed(certificates.described(both[0])), certificates.described(both[1])):
        yield Difference(*_split(aspect, both[1]), first, second, "certificates")


def leftover(files: Iterable[str]) -> Iterator[Difference]:
    """Whatever else was rendered: nothing of it may go by unseen."""
    return (Difference(path, "file", PRESENT, ABSENT, "files") for path in files)


def _place(path: str) -> str:
    return next((to + path.removeprefix(start) for start, to in PLACES.items() if path.startswith(start)), "")


def _tls(path: str) -> str:
    """Ours are where the pods read them; bootkube puts them into a folder and copies them from there later."""
    return path.replace(SECRETS, TLS) if path.startswith(f"{SECRETS}etcd-") else path


def _is_etcd(path: str) -> bool:
    return path.startswith((f"{KUBERNETES}static-pod-resources/etcd", f"{TLS}etcd-")) or path.endswith(
        "etcd-member-pod.yaml"
    )


def _split(aspect: str, known: Mapping[str, bytes]) -> tuple[str, str]:
    place = max((path for path in known if aspect.startswith(path)), key=len, default=aspect)
    return place, aspect.removeprefix(place).lstrip(".: ") or "file"
