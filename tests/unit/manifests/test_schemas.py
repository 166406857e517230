"""Every manifest of a built-in kind before Kubernetes' own schemas."""

from __future__ import annotations

import json
from functools import cache

import pytest

from tests.support import crds, schemas
from tests.support.manifests import CONFIGURATIONS, configured

BUILT_IN = ("v1", "rbac.authorization.k8s.io/v1")


def bodies(name):
    made = configured(name)
    return [(document.file, made.body(document.file)) for document in made.documents]


@cache
def accepted(text):
    """Most documents are the same in every configuration, and are asked about once."""
    schemas.validate(json.loads(text))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_kubernetes_accepts_every_built_in_kind(name):
    found = [json.dumps(crds.without_nulls(body)) for _, body in bodies(name) if body["apiVersion"] in BUILT_IN]
    assert len(found) > 40
    for text in found:
        accepted(text)
