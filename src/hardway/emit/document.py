"""A document: a plain dict made by a function, and beside it the reason of each of its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from textwrap import wrap
from typing import Any, Literal

from hardway.emit import yaml
from hardway.graph.asset import Asset, Given
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

Comments = Literal["none", "short", "full"]
WIDTH = 100

OBJECT = ("apiVersion", "kind")
CLUSTER_SCOPED = (*OBJECT, "metadata.name")
NAMESPACED = (*CLUSTER_SCOPED, "metadata.namespace")
UNSET_TIME = ("metadata.creationTimestamp",)

COMMON: dict[str, Why] = {
    "apiVersion": because("The API group and version this document is written in."),
    "kind": because("The type of the object."),
    "metadata.name": because("The name its readers look it up by."),
    "metadata.namespace": because("The namespace its readers look in."),
    "metadata.creationTimestamp": because("Go writes an unset time as null; the API server fills it in."),
}
"""Fields that mean the same in every document. A document names those it has; its readers are theirs."""


def always(cluster: Cluster) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`reasons` is keyed by field: `spec.dnsPolicy`, `spec.containers[].name`, `data["ca.crt"]`, `data.*`.
    A reason on a mapping or list covers all below it. `flags` are reasons of command-line flags, by flag name.
    `common` are the keys of COMMON that the file has."""

    path: str  # below the assets folder
    address: str = ""  # pod/NAME, kubeconfig/NAME; unless given, manifest/FILE
    why: Why
    body: Callable[[Given], dict[str, Any]]
    reasons: Mapping[str, Why]
    flags: Mapping[str, Why] = field(default_factory=dict)
    common: tuple[str, ...] = NAMESPACED
    needs: tuple[str, ...] = ()
    mode: int = 0o600
    when: Callable[[Cluster], bool] = always
    open: bool = field(init=False)  # whether a reason leaves a key open, with a star

    def __post_init__(self) -> None:
        object.__setattr__(self, "open", any("*" in key for key in self.reasons))
        object.__setattr__(self, "address", self.address or f"manifest/{self.file}")

    @property
    def file(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def fields(self) -> dict[str, Why]:
        """Every field with a reason, the common ones first."""
        return {**{name: COMMON[name] for name in self.common}, **self.reasons}

    def reason(self, path: yaml.Path, value: Any) -> tuple[str, Why] | None:
        """The reason that stands at exactly this place, and its address."""
        found = self.own_reason(path, value)
        if found is None:
            return None
        key, why = found
        name = f"flag/{self.address.rsplit('/', 1)[-1]}/{key}" if key in self.flags else f"field/{self.file}#{key}"
        return name, why.within(self.why)

    def own_reason(self, path: yaml.Path, value: Any) -> tuple[str, Why] | None:
        """The flag or field, and its reason as the table has it, without what it takes from the document's."""
        if self.flags and isinstance(value, str) and (name := flag_name(value)) in self.flags:
            return name, self.flags[name]
        keys = chain((path_text(path),), _with_stars(path)) if self.open else (path_text(path),)
        for key in keys:
            if found := self.reasons.get(key) or (COMMON[key] if key in self.common else None):
                return key, found
        return None

    def covering(self, path: yaml.Path, value: Any) -> tuple[str, Why] | None:
        """The nearest reason at this place or around it."""
        found = self.reason(path, value)
        while found is None and path:
            path = path[:-1]
            found = self.reason(path, None) if path else None
        return found


def flag_name(value: str) -> str:
    return value.split("=", 1)[0] if value.startswith("-") else ""


@lru_cache(maxsize=4096)
def path_text(path: yaml.Path) -> str:
    text = ""
    for part in path:
        if isinstance(part, int):
            text += "[]"
        elif re.fullmatch(r"[\w/*-]+", part):
            text += f".{part}" if text else part
        else:
            text += f'["{part}"]'
    return text


def _with_stars(path: yaml.Path) -> Iterator[str]:
    """The same place with one key left open: a reason for every key of a mapping."""
    for index in reversed(range(len(path))):
        if isinstance(path[index], str):
            yield path_text((*path[:index], "*", *path[index + 1 :]))


def leaves(value: Any, path: yaml.Path = ()) -> Iterator[tuple[yaml.Path, Any]]:
    """Every scalar and every empty container of a document, with its place."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list | tuple) and value:
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


@lru_cache(maxsize=4096)
def comment_lines(why: Why, comments: Comments) -> Sequence[str]:
    if comments == "none":
        return ()
    if comments == "short":
        return _wrapped(why.what)
    rows = (("", why.what), ("read by: ", why.readers), ("without it: ", why.breaks), ("source: ", why.source))
    return [line for lead, text in rows if text for line in _wrapped(lead + text, "  ")]


def _wrapped(text: str, indent: str = "") -> list[str]:
    """Most reasons are one short line."""
    if 0 < len(text) <= WIDTH and text.isprintable() and text == text.strip():
        return [text]
    return wrap(text, WIDTH, subsequent_indent=indent)


def render(document: Document, body: Mapping[str, Any], comments: Comments) -> bytes:
    """The document as YAML, each field under its reason."""

    def remark(path: yaml.Path, value: Any) -> Sequence[str]:
        if not path:
            return comment_lines(document.why, comments)
        found = document.own_reason(path, value)
        if found is None or (
            comments == "short" and path_text(path) in document.common and path_text(path) not in document.reasons
        ):
            return ()
        return comment_lines(found[1].within(document.why) if comments == "full" else found[1], comments)

    return yaml.dump(body, remark).encode()


def asset(document: Document, *, stage: str, comments: Comments) -> Asset:
    return Asset(
        address=document.address,
        stage=stage,
        path=document.path,
        mode=document.mode,
        kind="derived",
        make=partial(_make, document),
        why=document.why,
        needs=document.needs,
        params=comments,
    )


def _make(document: Document, given: Given) -> bytes:
    return render(document, document.body(given), given.params)
