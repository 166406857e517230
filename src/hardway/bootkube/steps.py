"""Each stage's work. All of it can be done twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping

from hardway.bootkube.cluster_bootstrap import MANIFESTS, STALL, START, cluster_bootstrap
from hardway.bootkube.context import Context, copy, shown, write
from hardway.bootkube.stand_ins import stand_in
from hardway.model.errors import ToolError
from hardway.registry import podman
from hardway.render.failures import explain
from hardway.render.operators import table
from hardway.render.operators.inputs import REFERENCES
from hardway.render.operators.row import OPT, Copy, Operator
from hardway.render.operators.run import NO_PROGRAM, execute

MCO_POD = f"{MANIFESTS}/machineconfigoperator-bootstrap-pod.yaml"
FOLDERS = (MANIFESTS, "/etc/kubernetes/bootstrap-configs", f"{OPT}/bootstrap-manifests", f"{OPT}/manifests")
Step = Callable[[Context], bool | None]  # False: it is told, nobody stops, and it will be looked at again


def release_info(ctx: Context) -> None:
    release = ctx.facts.release
    for folder in FOLDERS:
        ctx.on_node(folder).mkdir(parents=True, exist_ok=True)
    ctx.say(f"release {release.version}, Kubernetes {ctx.facts.kubernetes}, {len(release.images)} images")


def openshift_manifests(ctx: Context) -> None:
    copy(ctx.below("openshift"), ctx.below("manifests"))


def rendered(operator: Operator) -> Step:
    def step(ctx: Context) -> None:
        why_not = ctx.facts.missing(operator) or _render(ctx, operator)
        if why_not:
            files = stand_in(ctx, operator.name)
            ctx.say(f"{why_not}; in its place: {', '.join(files) or 'nothing'}")

    return step


def _render(ctx: Context, operator: Operator) -> str:
    """Run it on the node's own folder, and copy; why it cannot be run, if so."""
    shutil.rmtree(ctx.below(operator.output), ignore_errors=True)
    if operator.name == "machine-config":
        _references(ctx)
    done, left_out = execute(operator, ctx.facts, ctx.opt, ctx.access, ctx.machine)
    if done.code in NO_PROGRAM:
        return f"the image {operator.image} has no such program"
    if not done.ok:
        raise ToolError(explain(f"the render of {operator.name}", done))
    for flag in left_out:
        ctx.say(f"without {flag}, which this release's program does not know")
    for row in operator.copies:
        _copy(ctx, operator, row)
    return ""


def _copy(ctx: Context, operator: Operator, row: Copy) -> None:
    for path in shown(ctx.below(row.source or operator.output), row.pattern):
        target = ctx.on_node(row.target) if row.target.startswith("/") else ctx.below(row.target)
        copy(path, target / path.name if row.target.endswith("/") else target)


def _references(ctx: Context) -> None:
    argv = ["/release-manifests/image-references"]
    done = podman.run_program(ctx.facts.release.image, "cat", argv, mounts=[], access=ctx.access)
    if not done.ok:
        raise ToolError(explain("reading image-references out of the release image", done))
    write(ctx.below(REFERENCES), done.output.encode())


def resolves(internal: bool) -> Step:
    def step(ctx: Context) -> bool:
        host = _host(ctx, internal)
        done = ctx.run(["getent", "hosts", host])
        ctx.say(f"{host} is {done.output.split()[0]}" if done.ok else f"{host} has no address; continuing")
        return done.ok

    return step


def answers(internal: bool) -> Step:
    def step(ctx: Context) -> bool:
        url = f"https://{_host(ctx, internal)}:6443/readyz"
        done = ctx.run(["curl", "--silent", "--insecure", "--max-time", "10", url])
        ctx.say(f"{url} says {done.output.strip() or 'nothing'}")
        return done.ok

    return step


def _host(ctx: Context, internal: bool) -> str:
    cluster = ctx.workspace.loaded.cluster
    return cluster.api_int_host if internal else cluster.api_host


def wait_for_etcd(ctx: Context) -> None:
    tls = f"{OPT}/tls"
    argv = [f"--cacert={tls}/etcd-ca-bundle.crt", f"--cert={tls}/etcd-client.crt", f"--key={tls}/etcd-client.key"]
    argv = ["--dial-timeout=10m", *argv, "--endpoints=https://localhost:2379", "endpoint", "health"]
    mounts = [podman.Mount(source=ctx.below("tls"), target=tls)]

    def missing() -> str:
        image = ctx.facts.image("etcd")
        done = podman.run_program(image, "etcdctl", argv, mounts=mounts, access=ctx.access, machine=ctx.machine)
        return "" if done.ok else (done.errors.strip() or "no answer").splitlines()[-1]

    ctx.wait("etcd on this machine", missing, seconds=START)


def required_pods(ctx: Context) -> None:
    marker = ctx.below(".bootkube/control-plane")
    ctx.wait("the masters to run etcd and the API", lambda: "" if marker.exists() else "not yet", seconds=2 * STALL)


def cvo_overrides(ctx: Context) -> None:
    words = ["oc", f"--kubeconfig={OPT}/auth/kubeconfig", "patch", "clusterversion", "version", "--type=merge"]

    def missing() -> str:
        done = ctx.run([*words, f"--patch-file={OPT}/original_cvo_overrides.patch"])
        return "" if done.ok else done.errors.strip()

    ctx.wait("CVO to get its objects back, through api-int", missing, seconds=START)
    ctx.on_node(MCO_POD).unlink(missing_ok=True)


def wait_for_ceo(ctx: Context) -> None:
    query = "jsonpath={.status.conditions[?(@.type=='EtcdRunningInCluster')].status}"
    words = [
        "oc",
        f"--kubeconfig={OPT}/auth/kubeconfig",
        "get",
        "etcd.operator.openshift.io",
        "cluster",
        f"--output={query}",
    ]

    def missing() -> str:
        done = ctx.run(words)
        return "" if done.ok and done.output == "True" else done.errors.strip() or "EtcdRunningInCluster is not True"

    ctx.wait("etcd to run in the cluster", missing, seconds=STALL)


def done(ctx: Context) -> None:
    marker = ctx.below(".bootkube/complete")
    ctx.wait("the end to be recorded", lambda: "" if marker.exists() else "not yet", seconds=START)


STEPS: Mapping[str, Step] = {
    "release-info": release_info,
    "openshift-manifests": openshift_manifests,
    **{row.stage: rendered(row) for row in table.TABLE},
    "api-dns-resolved": resolves(internal=False),
    "api-int-dns-resolved": resolves(internal=True),
    "wait-for-etcd": wait_for_etcd,
    "cb-bootstrap": cluster_bootstrap,
    "required-pods": required_pods,
    "cvo-overrides": cvo_overrides,
    "wait-for-ceo": wait_for_ceo,
    "api-dns-check": answers(internal=False),
    "api-int-dns-check": answers(internal=True),
    "done": done,
}
