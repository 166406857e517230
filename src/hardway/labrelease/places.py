"""Where the lab keeps what it makes: in the user's cache, outside the tree."""

from __future__ import annotations

from pathlib import Path

from hardway.io.cache import cache_home

COMPONENTS = Path(__file__).parent / "modules"
CONFORMANCE = "conformance"  # in the cache: images that conformance tests run


def cache() -> Path:
    """The lab's folder in the user's cache."""
    return cache_home() / "lab"


def programs() -> Path:
    """Compiled components, one folder each, named after what it was made from."""
    return cache() / "programs"


def unpacked() -> Path:
    """Images that every lab's nodes run, as a container runtime stores them."""
    return cache() / "unpacked"


def build_cache() -> Path:
    """Go's build cache while components are compiled: many GB, gone when they are done."""
    return cache() / "go-build"


def checkouts() -> Path:
    """Of components that come from checkouts: Go's build cache, which stays, and the programs as last linked."""
    return cache() / "checkouts"


def toolchain() -> Path:
    """Go, on a machine that has none."""
    return cache() / "go"
