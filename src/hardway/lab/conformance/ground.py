"""The rights that the tests' pods need, for as long as the tests run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hardway.drive.client import Trouble
from hardway.lab import owner
from hardway.lab.finish import kubectl
from hardway.lab.prepared import Prepared
from hardway.lab.up import live_cluster
from hardway.model.errors import ToolError
from hardway.tools.run import Done, explain

NAME = "hardway-conformance"
GROUP, VERSION = "rbac.authorization.k8s.io", "rbac.authorization.k8s.io/v1"
CONSTRAINTS = ("anyuid", "privileged")
"""As OpenShift runs these tests: pods get the user that their image names, and the privileges that they ask for."""
FRAMEWORK = "e2e-framework"  # the label of every namespace that a test makes
TIMEOUT = "--timeout=100s"

Object = dict[str, Any]
Kubectl = Callable[[Sequence[str]], Done]


def objects() -> list[Object]:
    """Every service account may use the constraints."""
    rule = {
        "apiGroups": ["security.openshift.io"],
        "resources": ["securitycontextconstraints"],
        "resourceNames": list(CONSTRAINTS),
        "verbs": ["use"],
    }
    metadata = {"name": NAME}
    reference = {"apiGroup": GROUP, "kind": "ClusterRole", "name": NAME}
    accounts = {"apiGroup": GROUP, "kind": "Group", "name": "system:serviceaccounts"}
    return [
        {"apiVersion": VERSION, "kind": "ClusterRole", "metadata": metadata, "rules": [rule]},
        {
            "apiVersion": VERSION,
            "kind": "ClusterRoleBinding",
            "metadata": metadata,
            "roleRef": reference,
            "subjects": [accounts],
        },
    ]


def demand_up(prepared: Prepared) -> None:
    """Before anything is compiled or changed."""
    up = owner.marked(prepared.paths) is not None
    answer = live_cluster(prepared).api.text("/readyz") if up else "it has no network"
    if not up or isinstance(answer, Trouble):
        raise ToolError(
            f"lab {prepared.paths.name}: is not up: {answer}.\n    fix: bring the lab up with `hardway lab up`"
        )


@contextmanager
def laid(prepared: Prepared) -> Iterator[None]:
    """For the length of the block. What an interrupted run left goes with the rest."""
    run = kubectl(prepared)
    with TemporaryDirectory(prefix="hardway-conformance-") as scratch:
        file = Path(scratch, "objects.json")
        file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
        try:
            done = run(["apply", "--filename", str(file)])
            if not done.ok:
                raise ToolError(
                    f"the cluster does not take the rights that the tests need.\n{explain(done)}\n"
                    "    fix: bring the lab up with `hardway lab up`, then run the command again"
                )
            yield
        finally:
            _remove(run, file)


def _remove(run: Kubectl, file: Path) -> None:
    """Namespaces of tests that were interrupted go too."""
    run(["delete", "namespaces", f"--selector={FRAMEWORK}", TIMEOUT])
    run(["delete", "--filename", str(file), "--ignore-not-found", TIMEOUT])
