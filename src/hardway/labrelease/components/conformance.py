"""What `hardway lab conformance` needs besides the lab's release. Nothing of it is compiled for a lab."""

from __future__ import annotations

from hardway.labrelease.components.kubernetes import MODULE, STAMPS
from hardway.labrelease.components.row import Component, Program, Suite
from hardway.lines.default import DEFAULT
from hardway.model.why import because

_GINKGO = "github.com/onsi/ginkgo/v2/ginkgo"
_SAMPLE = "k8s.io/sample-apiserver"
_E2E = (
    "apimachinery",
    "apps",
    "architecture",
    "auth",
    "autoscaling",
    "cloud",
    "common",
    "dra",
    "feature",
    "framework/debug/init",
    "framework/metrics/init",
    "framework/node/init",
    "instrumentation",
    "kubectl",
    "lifecycle",
    "lifecycle/bootstrap",
    "network",
    "node",
    "nodefeature",
    "scheduling",
    "storage",
    "storage/csimock",
    "storage/external",
    "testing-manifests",
    "windows",
)
_TEST = ("conformance/testdata", "fixtures", "utils/format", *(f"e2e/{name}" for name in _E2E))

TABLE: tuple[Component, ...] = (
    Component(
        name="kubernetes-tests",
        version=DEFAULT.lab_kubernetes,
        module=MODULE,
        programs=(
            Program(package=f"{MODULE}/test/images/agnhost", file="agnhost"),
            Program(package=_SAMPLE, file="sample-apiserver"),
            Program(package=_GINKGO, file="ginkgo"),
        ),
        suites=(
            Suite(
                package=f"{MODULE}/test/e2e", file="e2e.test", parts=tuple(f"{MODULE}/test/{name}" for name in _TEST)
            ),
        ),
        stamps=STAMPS,
        data=("test/images/kitten/html", "test/images/nautilus/html"),
        sets=("conformance",),
        why=because(
            "The tests of Kubernetes, from the same commit of OpenShift's fork as the programs that they test; ginkgo, "
            "which runs several of them at a time; agnhost and the sample API server, which run in their pods. The "
            "version is stamped in, because tests compare it with the API server's.",
            breaks="`hardway lab conformance` has nothing to run",
        ),
    ),
)
