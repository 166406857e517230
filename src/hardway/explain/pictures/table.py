"""All pictures, by the names of their files."""

from __future__ import annotations

from collections.abc import Callable

from hardway.explain.pictures import etcd, packages, recording, release, requests, stages, trust, ways
from hardway.model.cluster import Cluster

PICTURES: dict[str, Callable[[Cluster], str]] = {
    "stages": stages.picture,
    "trust": trust.picture,
    "ways": ways.picture,
    "etcd": etcd.picture,
    "requests": requests.picture,
    "release": release.picture,
    "lab-up": lambda cluster: recording.picture(),
    "packages": lambda cluster: packages.picture(),
}
