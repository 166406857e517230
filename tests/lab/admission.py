"""What an API server of a lab makes of pods that an ordinary account asks for; nothing is created but a namespace."""

from __future__ import annotations

import json
from pathlib import Path

from hardway.lab import finish
from hardway.tools.run import Done
from tests.lab.wholes import Whole
from tests.support.waiting import until

SPACE = "users"
RANGE = "openshift.io/sa.scc.uid-range"
REFUSED = "unable to validate against any security context constraint"


def users(lab: Whole) -> range:
    """Of a namespace as a user makes it, whose account may create pods: the range of user ids that it was given."""
    lab.kubectl("create", "namespace", SPACE)
    account = f"--serviceaccount={SPACE}:default"
    lab.kubectl("create", "rolebinding", "edits", "--clusterrole=edit", account, f"--namespace={SPACE}")
    until(lambda: RANGE in lab.kubectl("get", "namespace", SPACE, "--output=json"), lambda: "no range of user ids")
    found = json.loads(lab.kubectl("get", "namespace", SPACE, "--output=json"))
    start, _, size = found["metadata"]["annotations"][RANGE].partition("/")
    return range(int(start), int(start) + int(size))


def asked(lab: Whole, folder: Path, *words: str, **context: bool) -> Done:
    """The pod as it was admitted, or why it was not; `words` say which API server is asked."""
    container = {"name": "some", "image": "example.com/some", "securityContext": context}
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "some"}, "spec": {"containers": [container]}}
    file = folder / "pod.json"
    file.write_text(json.dumps(body))
    create = ["create", "--dry-run=server", "--output=json", f"--filename={file}", f"--namespace={SPACE}"]
    return finish.kubectl(lab.prepared)([*create, f"--as=system:serviceaccount:{SPACE}:default", *words])


def chooses_and_refuses(lab: Whole, given: range, folder: Path, *words: str) -> None:
    """A user of the namespace for a pod that names none, and no privileges for an account without the right."""
    done = asked(lab, folder, *words, runAsNonRoot=True)
    assert done.ok, done.errors
    pod = json.loads(done.output)
    assert pod["metadata"]["annotations"]["openshift.io/scc"] == "restricted-v2"
    assert pod["spec"]["containers"][0]["securityContext"]["runAsUser"] in given
    refused = asked(lab, folder, *words, privileged=True)
    assert not refused.ok
    assert REFUSED in refused.errors
