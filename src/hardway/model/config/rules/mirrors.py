"""Mirrors of image repositories."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.config.draft import Draft
from hardway.model.config.names import has_tag_or_digest, is_repository
from hardway.model.config.rules.rule import Flaw, Rule, error, warn

_LISTS = ("imageDigestSources", "imageContentSources")


def _repositories(draft: Draft) -> Iterator[Flaw]:
    for path in _LISTS:
        for entry in draft.sources(path):
            if entry.source:
                yield from _repository(f"{entry.path}.source", entry.source)
            for number, mirror in enumerate(entry.mirrors):
                yield from _repository(f"{entry.path}.mirrors[{number}]", mirror)


def _repository(path: str, name: str | None) -> Iterator[Flaw]:
    if name is None or is_repository(name):
        return
    why = "has a tag or a digest" if has_tag_or_digest(name) else "is not a repository with its registry in front"
    yield error(path, why, "write registry/path, such as quay.io/openshift-release-dev/ocp-release")


def _both(draft: Draft) -> Iterator[Flaw]:
    if all(draft.values.get(path) for path in _LISTS):
        message = "is given together with imageDigestSources, and only one of the two may be"
        yield error("imageContentSources", message, "move its entries to imageDigestSources")


def _empty(draft: Draft) -> Iterator[Flaw]:
    for path in _LISTS:
        for entry in draft.sources(path):
            if not entry.mirrors:
                yield warn(entry.path, "has no mirrors, so it changes nothing", "add mirrors or remove it")


RULES = (
    Rule("mirror.repository", (), _repositories),
    Rule("mirror.both", (), _both),
    Rule("mirror.empty", _LISTS, _empty),
)
