"""The images that Kubernetes' conformance tests run in their pods: one row an image, under the name that tests ask for.

They come from the same modules as the rest of the lab, and from Debian: nothing is fetched from a registry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardway.labrelease.images.base import PACKAGES
from hardway.labrelease.images.table import Data, Image, Own, Part, Program
from hardway.model.why import Why, because

Below = Literal["nothing", "tools"]

TOOLS = (*PACKAGES, "bind9-dnsutils", "netcat-openbsd")
"""Debian packages below test programs: tests run dig, nc and curl in their pods."""

_TESTS = "kubernetes-tests"
_AGNHOST: tuple[Part, ...] = (Program(component=_TESTS, name="agnhost"), Own(name="agnhost"))
_SERVE = ("/bin/busybox", "httpd", "-f", "-p", "80", "-h", "/usr/local/apache2/htdocs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """An image, and the tags that tests ask for it under."""

    name: str
    tags: tuple[str, ...]
    parts: tuple[Part, ...]
    why: Why
    below: Below = "tools"
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def image(self) -> Image:
        return Image(
            name=self.name,
            parts=self.parts,
            on_base=self.below == "tools",
            entrypoint=self.entrypoint,
            command=self.command,
            sets=(),
            why=self.why,
        )


def _picture(name: str) -> Pulled:
    return Pulled(
        name=name,
        tags=("1.7",),
        parts=(*_AGNHOST, Data(component=_TESTS, folder=f"test/images/{name}/html", target="")),
        entrypoint=("/agnhost",),
        command=("test-webserver",),
        why=because("agnhost with a picture, which a test of replication controllers fetches and compares."),
    )


def _pages(name: str, *tags: str) -> Pulled:
    return Pulled(
        name=name,
        tags=tags,
        parts=(Own(name="busybox"), Own(name="htdocs")),
        below="nothing",
        entrypoint=_SERVE,
        why=because(
            f"Serves one page on port 80. busybox does that, and {name} itself is not needed: tests ask for the page, "
            "for two versions of an image, and for a shell that moves the page away."
        ),
    )


TABLE: tuple[Pulled, ...] = (
    Pulled(
        name="agnhost",
        tags=("2.52",),
        parts=_AGNHOST,
        entrypoint=("/agnhost",),
        command=("pause",),
        why=because("What most tests run in their pods: servers, clients, webhooks and probes in one program."),
    ),
    Pulled(
        name="busybox",
        tags=("1.36.1-1",),
        parts=(Own(name="busybox"),),
        below="nothing",
        command=("sh",),
        why=because("A shell with its commands, for pods that only print, wait or write a file."),
    ),
    _pages("httpd", "2.4.38-4", "2.4.39-4"),
    _pages("nginx", "1.14-4", "1.15-4"),
    Pulled(
        name="pause",
        tags=("3.10",),
        parts=(Own(name="pod"),),
        below="nothing",
        entrypoint=("/usr/bin/pod",),
        why=because("A pod that only exists, for tests of the scheduler and of quotas."),
    ),
    Pulled(
        name="jessie-dnsutils",
        tags=("1.7",),
        parts=_AGNHOST,
        why=because("A second system that looks names up, with dig and getent of Debian."),
    ),
    _picture("kitten"),
    _picture("nautilus"),
    Pulled(
        name="sample-apiserver",
        tags=("1.29.2",),
        parts=(Program(component=_TESTS, name="sample-apiserver"),),
        entrypoint=("/usr/bin/sample-apiserver",),
        why=because("An API server of another group, which a test adds to the cluster's API."),
    ),
    Pulled(
        name="etcd",
        tags=("3.5.15-0",),
        parts=(Program(component="etcd", name="etcd"), Own(name="member")),
        why=because("The store of the sample API server: the lab's etcd, which the test calls at /usr/local/bin/etcd."),
    ),
)


def components() -> tuple[str, ...]:
    """What they are made of."""
    parts = [part for row in TABLE for part in row.parts if not isinstance(part, Own)]
    return tuple(sorted({part.component for part in parts}))
