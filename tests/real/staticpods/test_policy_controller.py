"""cluster-policy-controller as the bootstrap node runs it, beside a real API server that has nothing in it yet."""

from __future__ import annotations

from dataclasses import replace

import yaml

from hardway.drive.client import Trouble
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.controller_manager import policy
from hardway.staticpods.paths import KUBECONFIG, config_of
from tests.support.apiserver import CRDS, start_control_plane
from tests.support.crds import LOADER, files
from tests.support.netns import inside
from tests.support.node_roots import nodes
from tests.support.trees import built_now
from tests.support.waiting import until

WORKSPACE = built_now(keys="ecdsa-p256")
CLUSTER = WORKSPACE.loaded.cluster
ASSETS = WORKSPACE.store.root
TYPES = ("RangeAllocation", "SecurityContextConstraints")
NAMESPACES, RBAC = "/api/v1/namespaces", "/apis/rbac.authorization.k8s.io/v1"
RANGE = "openshift.io/sa.scc.uid-range"


def policy_pod():
    """Its container of the controller-manager's pod, and no other; the image is known from a release."""
    images = {**CLUSTER.release.images, policy.IMAGE: f"quay.io/example/policy@sha256:{'0' * 64}"}
    known = replace(CLUSTER, release=replace(CLUSTER.release, images=images))
    pod = controller_manager.pod(known, known.bootstrap)
    program = pod["spec"]["containers"][1]
    name, *words = program["command"]
    pod["spec"]["containers"] = [{**program, "command": [name], "args": [*words, *program["args"]]}]
    return pod


def create(api, collection, document):
    made = api.create(collection, document)
    assert not isinstance(made, Trouble), made


def test_it_stays_from_its_first_start_until_types_and_roles_come_and_then_gives_ranges(tmp_path):
    """Were it to exit, its lease would keep the next start waiting for 137 s."""
    with nodes(CLUSTER, tmp_path) as made, inside(made.hub):
        api, root = start_control_plane(WORKSPACE, made), made[CLUSTER.bootstrap.name]
        config = f"{config_of(CLUSTER.bootstrap)}/{policy.CONFIG_FILE}"
        sources = {KUBECONFIG: "auth/localhost.kubeconfig", config: f"bootstrap-configs/{policy.CONFIG_FILE}"}
        root.put({path: (0o600, (ASSETS / source).read_bytes()) for path, source in sources.items()})
        started = root.start(policy_pod())
        log = root.log(policy.NAME).read_text
        until(lambda: not isinstance(api.get(f"{NAMESPACES}/openshift-infra"), Trouble), log)
        for kind in TYPES:
            create(api, CRDS, yaml.load(files(kind)[0].read_text(), LOADER))
        for file in sorted((ASSETS / "manifests").glob("00_*-controller-clusterrole*.yaml")):
            document = yaml.safe_load(file.read_text())
            create(api, f"{RBAC}/{document['kind'].lower()}s", document)
        until(lambda: RANGE in str(api.get(f"{NAMESPACES}/default")), log)
        assert started.poll() is None, log()
