"""The emitted documents, read back from their YAML."""

from __future__ import annotations

from functools import cache

import pytest
import yaml

from tests.support.clusters import VARIANTS
from tests.support.manifests import made


@cache
def _tree(variant):
    return made(**VARIANTS[variant])


@cache
def _text(address, variant):
    return _tree(variant).content(address).decode()


@pytest.fixture(scope="session")
def tree():
    """tree(variant): everything that a configuration asks for, made when it is read."""
    return _tree


@pytest.fixture(scope="session")
def pod():
    """pod(name, variant): a static pod as a reader of its YAML sees it; each call gives a new one."""
    return lambda name, variant="default": yaml.load(_text(f"pod/{name}", variant), yaml.CSafeLoader)


@pytest.fixture(scope="session")
def flags(pod):
    """flags(name, variant): a pod's flags, each with the list of its values."""

    def of(name, variant="default"):
        found = {}
        for word in pod(name, variant)["spec"]["containers"][0]["args"]:
            name_, _, value = word.partition("=")
            found.setdefault(name_, []).append(value)
        return found

    return of
