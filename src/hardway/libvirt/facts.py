"""An XML document as facts, a path and a value each, so that what is wanted and what libvirt has can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from xml.etree.ElementTree import Element, fromstring, indent, tostring

KEYS: dict[str, Callable[[Element], str | None]] = {
    "ip": lambda e: e.get("address"),
    "host": lambda e: e.get("mac") or e.get("ip"),
    "srv": lambda e: e.get("target"),
    "option": lambda e: e.get("value"),
    "vip": lambda e: e.get("address"),
    "rule": lambda e: e.get("text"),
    "gone": lambda e: e.get("node"),
    "disk": lambda e: (e.get("device") == "disk" and _below(e, "source", "volume")) or _below(e, "target", "dev"),
    "interface": lambda e: _below(e, "source", "network"),
    "feature": lambda e: e.get("name"),
}
"""Elements that come more than once, and what tells one from the next."""

OWNED = {"ip", "host", "srv", "option", "vip", "rule", "gone"}
"""Of these the cluster says everything: one that is not wanted is removed. Other additions are the user's, and stay."""

WHOLE = {"os", "cpu", "forward"}
"""Their parts depend on each other: a change replaces all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    path: str
    seen: str | None
    wanted: str | None

    def __str__(self) -> str:
        if self.seen is None:
            return f"{self.path} {self.wanted}".rstrip() + " is missing"
        if self.wanted is None:
            return f"{self.path} is not in the plan"
        return f"{self.path} is {self.seen or '(empty)'}, should be {self.wanted}"


def facts(root: Element) -> dict[str, str]:
    return dict(_facts(root, ""))


def _facts(element: Element, path: str) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        yield f"{path}@{name}", _normal(name, value)
    names = [c.text or "" for c in element if tag(c) == "hostname"]
    text = " ".join(names) or (element.text or "").strip()
    if tag(element) in ("memory", "currentMemory"):
        text = f"{int(text) / 1048576:g} GiB"
    if text or not (element.attrib or len(element)):
        yield path.removesuffix("/"), text
    for child in element:
        if tag(child) != "hostname":  # their order is the reverse record: one fact together
            yield from _facts(child, f"{path}{_step(child)}/")


def differences(wanted: Element, seen: Element) -> list[Difference]:
    new, old = facts(wanted), facts(seen)
    found = [Difference(path=p, seen=old.get(p), wanted=v) for p, v in new.items() if old.get(p) != v]
    extra = dict.fromkeys(p for p in _owned(seen, "") if p not in set(_owned(wanted, "")))
    return found + [Difference(path=p, seen="", wanted=None) for p in extra]


def _owned(element: Element, path: str) -> Iterator[str]:
    for child in element:
        step = f"{path}{_step(child)}"
        if tag(child) in OWNED:
            yield step
        yield from _owned(child, f"{step}/")


def merged(wanted: Element, seen: Element) -> Element:
    """What libvirt has, brought to what is wanted; what the user or libvirt added stays."""
    if _below(wanted, "forward", "mode") != _below(seen, "forward", "mode"):
        return wanted  # a bridge's network has no place for what a NAT network has
    result = deepcopy(seen)
    _merge(wanted, result)
    return result


def _merge(wanted: Element, into: Element) -> None:
    into.attrib.update(wanted.attrib)
    into.text = wanted.text or into.text
    steps = {_step(c): c for c in into}
    for child in wanted:
        old = steps.get(_step(child))
        if old is None:
            into.append(deepcopy(child))
        elif tag(child) in WHOLE or tag(child) == "host":
            into[list(into).index(old)] = deepcopy(child)
        else:
            _merge(child, old)
    for step, old in steps.items():
        if tag(old) in OWNED and step not in {_step(c) for c in wanted}:
            into.remove(old)


def tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def text_of(root: Element) -> str:
    """The same bytes for the same content."""
    copy = deepcopy(root)
    indent(copy)
    return tostring(copy, encoding="unicode") + "\n"


def parse(text: str) -> Element:
    """What virsh printed; it comes from libvirt, which has parsed it itself."""
    return fromstring(text)  # noqa: S314


def _step(element: Element) -> str:
    name = tag(element)
    key = KEYS[name](element) if name in KEYS else None
    return f"{name}[{key}]" if key else name


def _below(element: Element, child: str, attribute: str) -> str | None:
    found = element.find(child)
    return None if found is None else found.get(attribute)


def _normal(name: str, value: str) -> str:
    """libvirt resolves the machine type to its newest version."""
    return "q35" if name == "machine" and "q35" in value else value
