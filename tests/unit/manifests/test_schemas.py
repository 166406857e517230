"""Every manifest before the schemas it will meet: Kubernetes 1.31's, and OpenShift's own CRDs."""

from __future__ import annotations

import kubernetes_validate
import pytest

from tests.support import crds
from tests.support.manifests import CONFIGURATIONS, configured

BUILT_IN = ("v1", "rbac.authorization.k8s.io/v1")


def bodies(name):
    made = configured(name)
    return [(document.file, made.body(document.file)) for document in made.documents]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_kubernetes_accepts_every_built_in_kind(name):
    checked = 0
    for _, body in bodies(name):
        if body["apiVersion"] in BUILT_IN:
            kubernetes_validate.validate(crds.without_nulls(body), "1.31", strict=True)
            checked += 1
    assert checked > 40
