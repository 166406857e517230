"""The stage cb-bootstrap: what the program cluster-bootstrap does until every manifest is created."""

from __future__ import annotations

import shutil

from hardway.bootkube.context import Context, copy
from hardway.model.errors import ToolError
from hardway.render.operators.row import OPT

SECRETS = "/etc/kubernetes/bootstrap-secrets"
MANIFESTS = "/etc/kubernetes/manifests"
APPLIED = f"{OPT}/.bootkube/manifests"  # bootkube.service's own marker
UNIT = "bootkube.service"
LOCAL = "https://localhost:6443/readyz"
LONGEST = 160  # of what a program says, in a line of progress
START, STALL = 1200.0, 1800.0  # seconds: the installer's patience with the API, cluster-bootstrap's with its pods


def cluster_bootstrap(ctx: Context) -> None:
    place(ctx)
    ctx.wait("any answer of the API server", lambda: _silent(ctx), seconds=START)
    ctx.wait("the types to be created", lambda: _untyped(ctx), seconds=START)
    done = ctx.run(["systemctl", "start", UNIT])
    if not done.ok:
        raise ToolError(f"{UNIT} on {ctx.machine.name}: {done.errors.strip()}")
    ctx.wait("every manifest to be created", lambda: _unapplied(ctx), seconds=STALL)


def place(ctx: Context) -> None:
    """Secrets, and then all pods at once: the kubelet starts them now."""
    secrets = ctx.on_node(SECRETS)
    if not ctx.on_node(f"{MANIFESTS}/kube-apiserver-pod.yaml").exists():  # who would lose them meanwhile
        shutil.rmtree(secrets, ignore_errors=True)
    copy(ctx.below("tls"), secrets)
    copy(ctx.below("auth/kubeconfig-loopback"), secrets / "kubeconfig")
    for path in (secrets, *(path for path in secrets.iterdir() if not path.is_symlink())):
        path.chmod(0o700 if path.is_dir() else 0o600)
    copy(ctx.below("bootstrap-manifests"), ctx.on_node(MANIFESTS))


def _silent(ctx: Context) -> str:
    """Any answer will do. It becomes ready only once somebody has created its types: one of its own admission plugins
    lists RoleBindingRestrictions before it lets the first roles in."""
    done = ctx.run(["curl", "--silent", "--show-error", "--insecure", "--max-time", "10", LOCAL])
    return "" if done.ok else done.errors.strip()[:LONGEST]


def _untyped(ctx: Context) -> str:
    """The CRDs among the manifests, in one call; those that are there stay as they are."""
    files = sorted(f"--filename={OPT}/manifests/{path.name}" for path in ctx.below("manifests").glob("*.crd.yaml"))
    done = ctx.run(["oc", f"--kubeconfig={OPT}/auth/kubeconfig-loopback", "create", *files])
    errors = [line for line in done.errors.splitlines() if "AlreadyExists" not in line]
    return "" if done.ok or not errors else errors[0][:LONGEST]


def _unapplied(ctx: Context) -> str:
    if ctx.on_node(APPLIED).exists():
        return ""
    said = ctx.run(["journalctl", f"--unit={UNIT}", "--no-pager", "--output=cat", "--lines=1"])
    return said.output.strip().removeprefix("bootkube: ")[:LONGEST] or f"{UNIT} has logged nothing yet"
