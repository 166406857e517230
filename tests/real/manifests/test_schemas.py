"""OpenShift's own kinds, under the real schemas of its API."""

from __future__ import annotations

import pytest

from tests.support import crds
from tests.support.manifests import CONFIGURATIONS, configured

BUILT_IN = ("v1", "rbac.authorization.k8s.io/v1")
GATED = {
    "cluster-scheduler-02-config.yml": [
        "$.spec: Additional properties are not allowed ('profileCustomizations' was unexpected)"
    ]
}
"""Written by openshift-install too, though the default feature set does not know the field: the API server drops it,
and whoever creates the object must not ask for strict validation."""


def bodies(name):
    made = configured(name)
    return [(document.file, made.body(document.file)) for document in made.documents]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_openshift_accepts_every_kind_of_its_own(name):
    found = {file: crds.problems(body) for file, body in bodies(name) if body["apiVersion"] not in BUILT_IN}
    assert len(found) >= 9
    assert {file: problems for file, problems in found.items() if problems} == GATED


def test_the_internal_url_of_the_notes_is_refused():
    body = configured("default").body("cluster-infrastructure-02-config.yml")
    body["status"]["apiServerInternalURL"] = body["status"].pop("apiServerInternalURI")
    [problem] = crds.problems(body)
    assert "apiServerInternalURL" in problem
    assert "unexpected" in problem


@pytest.mark.parametrize(
    ("file", "path", "value"),
    [
        ("cluster-infrastructure-02-config.yml", ("status", "controlPlaneTopology"), "Double"),
        ("cluster-network-02-config.yml", ("spec", "clusterNetwork"), "10.128.0.0/14"),
        ("99_feature-gate.yaml", ("status", "featureGates", 0, "enabled", 0, "name"), "not a name"),
        ("cvo-overrides.yaml", ("spec", "overrides", 0, "unmanged"), True),
    ],
)
def test_the_schemas_notice_what_is_wrong(file, path, value):
    body = configured("default").body(file)
    part = body
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    assert crds.problems(body)
