"""The reference: every table as a page, drawn from the tables themselves for the default cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hardway.checks import all, failures
from hardway.emit.document import Document
from hardway.emit.markdown import code, codes, page, section, table
from hardway.explain.text import INPUT
from hardway.kubeconfigs import table as kubeconfigs
from hardway.model.cluster import Cluster
from hardway.model.errors import EXIT_CODES
from hardway.model.why import Why
from hardway.pki import assets, bundles, families, keys
from hardway.pki.row import FAMILIES, Cert
from hardway.stages.row import Stage
from hardway.stages.table import TABLE as STAGES
from hardway.workspace import catalogue

Row = tuple[str, ...]
USES = {"server": "serve", "client": "dial"}


def default_cluster() -> Cluster:
    """The cluster that `hardway init` starts with."""
    from hardway.workspace.folder import example_cluster

    return example_cluster().cluster


def pages(cluster: Cluster) -> dict[str, str]:
    """File name to content."""
    made = {
        "certificates.md": certificates(cluster),
        "kubeconfigs.md": kubeconfig_page(cluster),
        "pods.md": pods_page(cluster),
        "manifests.md": manifests_page(cluster),
        "files.md": files_page(cluster),
        "configuration.md": configuration(),
        "checks.md": checks(),
        "failures.md": failure_page(),
        "stages.md": stages(),
    }
    rows = [(f"[{name.removesuffix('.md')}]({name})", text.splitlines()[2]) for name, text in made.items()]
    return {
        "README.md": page(
            "Reference",
            "Every table of the program, written by `python -m hardway.explain.markdown docs/reference`.",
            table(("page", "what"), rows),
        ),
        **made,
    }


def certificates(cluster: Cluster) -> str:
    parts = []
    for family, meaning in FAMILIES.items():
        rows = [_certificate(row, cluster) for row in families.TABLE if row.family == family]
        if rows:
            head = ("file", "who it is", "signed by", "lives", "may", "valid for", "what for", "without it")
            parts.append(section(f"Family {family}", f"{meaning[:1].upper()}{meaning[1:]}.", table(head, rows)))
    pairs = [(code(pair.name), pair.kind, *_why(pair.why)) for pair in keys.TABLE]
    parts.append(section("Key pairs", "Keys without a certificate.", table(("file", "kind", *WHY), pairs)))
    rows = [(code(b.name), codes(b.signers), *_why(b.why)) for b in bundles.TABLE]
    parts.append(section("Bundles", "The signers that a reader trusts.", table(("file", "signers", *WHY), rows)))
    return page("Certificates", "Every key, certificate and bundle of stage 05, for the default cluster.", *parts)


def _certificate(row: Cert, cluster: Cluster) -> Row:
    node = assets.nodes_of(row, cluster)[0]
    names = row.sans(cluster, node)
    says = assets.spec_of(row, node, cluster)
    name = says.common_name.replace(assets.NOW, "UNIX-TIME")
    organizations, unit = [f"O={o}" for o in says.organizations], [f"OU={says.unit}"] if says.unit else []
    subject = ", ".join([f"CN={name}", *organizations, *unit])
    return (
        code(f"{row.name}-NODE" if row.per_etcd_node else row.name),
        code(subject),
        code(row.signer) if row.signer else "itself",
        row.lifetime if row.lifetime in assets.HOURS else f"{assets.hours_of(row.lifetime, cluster)} h",
        " and ".join(USES[u] for u in says.usages) or "sign",
        codes(names),
        row.why.what,
        row.why.breaks,
    )


WHY = ("what for", "read by", "without it")


def _why(why: Why) -> Row:
    return why.what, why.readers, why.breaks


def kubeconfig_page(cluster: Cluster) -> str:
    identities = {row.name: row.says.common_name for row in families.TABLE}
    rows = [
        (code(k.path), code(k.server(cluster)), code(identities[k.identity]), code(k.trust), *_why(k.why))
        for k in kubeconfigs.TABLE
    ]
    head = ("file", "server", "user", "trusts", *WHY)
    return page(
        "Kubeconfigs", "The server, the identity and the trusted CA of each client (stage 06).", table(head, rows)
    )


def pods_page(cluster: Cluster) -> str:
    every = catalogue.PODS.documents(replace(cluster, kube_proxy=True))
    parts = [_document(d, ("flag", *WHY)) for d in every]
    return page("Static pods", "Every static pod, its flags and its fields, with their reasons (stage 07).", *parts)


def manifests_page(cluster: Cluster) -> str:
    parts = [_document(d, ("field", *WHY)) for d in catalogue.MANIFESTS.documents(cluster)]
    return page("Manifests", "Every cluster manifest and its fields, with their reasons (stage 07).", *parts)


def _document(document: Document, head: Row) -> str:
    rows = [(code(name), *_why(why)) for name, why in (*document.flags.items(), *document.reasons.items())]
    lead = f"{document.why.what} Read by {document.why.readers}. Without it: {document.why.breaks}."
    return section(document.path, lead, table(head, rows))


def files_page(cluster: Cluster) -> str:
    found = catalogue.node_reasons(cluster)
    parts = []
    for node in dict.fromkeys(a.partition("/")[2].partition(":")[0] for a in found):
        for kind in ("file", "unit"):
            lead = f"{kind}/{node}:"
            rows = [(code(a.removeprefix(lead)), *_why(why)) for a, why in found.items() if a.startswith(lead)]
            if rows:
                parts.append(section(f"{node}: {kind}s", "", table((kind, *WHY), rows)))
    return page("Files and units", "What hardway puts on each kind of node (stage 08), MCO's render apart.", *parts)


def configuration() -> str:
    from hardway.labrelease.checkouts.described import ROWS
    from hardway.model.config.load import FIELDS

    parts = []
    for file in dict.fromkeys(row.file for row in (*FIELDS, *ROWS)):
        rows = [(code(r.path), r.kind, _default(r.default), *_why(r.why)) for r in (*FIELDS, *ROWS) if r.file == file]
        parts.append(section(file, "", table(("field", "kind", "default", "what for", *INPUT), rows)))
    return page("Configuration", "Every field of the files that you write.", *parts)


def _default(value: object) -> str:
    return "" if value is None else code(as_yaml(value))


def as_yaml(value: object) -> str:
    """A default as one would write it into the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {as_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(as_yaml(item) for item in value) + "]"
    return str(value)


KINDS_OF_CHECKS = {
    "files": "Files below `assets/`, read back by `hardway verify`.",
    "host": "This machine: `hardway prerequisites` and `hardway verify 01`.",
    "lab": "This machine, before `hardway lab up`.",
    "dns": "Name servers, or their files: `hardway network check`.",
    "ports": "Ports of the load balancer: `hardway network check`.",
    "haproxy": "A haproxy.cfg of your own: `hardway network check --haproxy FILE`.",
    "mirrors": "Mirrors of install-config.yaml, asked from this machine: `hardway network check`.",
    "live": "A running cluster, at stage 17.",
    "log": "A journal, a console's log or a component's: `hardway doctor --log FILE`.",
    "assets": "A folder of openshift-install: `hardway doctor --assets DIR`.",
    "record": "The record of the build, against the configuration: `hardway doctor`.",
    "cluster": "The objects of a cluster at any stage: `hardway doctor`, `hardway doctor --kubeconfig FILE`.",
    "nodes": "The machines of a running cluster, in the lab or by ssh: `hardway doctor`.",
}


def checks() -> str:
    head = ("stage", "check", "finds", "what it looks at", "effect if it fails")
    parts = []
    for kind, rows in all.tables().items():
        lines = [(c.stage, code(c.name), c.failure, c.why.what, c.why.breaks) for c in rows]
        parts.append(section(kind, KINDS_OF_CHECKS[kind], table(head, lines)))
    return page("Checks", "What is checked, before and after boot; `finds` is the failure that a check sees.", *parts)


def failure_page() -> str:
    found_by = {f.id: codes(c.name for c in all.checks() if c.failure == f.id) for f in failures.TABLE}
    rows = [
        (f.id, f.symptom, f.cause, f.why.readers, f.detect, found_by[f.id], f.fix, f.why.source) for f in failures.TABLE
    ]
    head = ("id", "you see", "because", "affected", "how to find it", "checks", "what to do", "source")
    lead = "How hand-made clusters fail. *files*: seen before boot; *host*: by a probe; *running*: on the live cluster."
    return page("Failures", lead, table(head, rows))


def stages() -> str:
    rows = [(s.number, s.name, s.why.what, s.why.breaks) for s in STAGES]
    work = [(s.number, _results(s), str(len(s.checks()) or ""), _commands(s), _in_lab(s)) for s in STAGES]
    exits = [(str(c), m) for c, m in EXIT_CODES.items()]
    return page(
        "Stages and exit codes",
        "The seventeen stages, and what the program's exit code means.",
        section("Stages", "", table(("number", "name", "what it makes", "without it"), rows)),
        section(
            "Results and commands",
            "Kinds of addresses that the stage makes, folders that it brings from outside, milestones that it reaches. "
            "`hardway verify STAGE` and the lab run its checks.",
            table(("number", "results", "checks", "with libvirt, or machines of your own", "in the lab"), work),
        ),
        section("Exit codes", "", table(("code", "meaning"), exits)),
    )


def _results(stage: Stage) -> str:
    made = [*(f"{kind}/" for kind in stage.makes), *(f"assets/{name}/" for name in stage.brings)]
    return codes([*made, *(f"milestone/{row.name}" for row in stage.reaches)])


def _commands(stage: Stage) -> str:
    return codes(filter(None, (stage.machines, stage.status)))


def _in_lab(stage: Stage) -> str:
    """A stage of the running cluster has the command that makes the lab, too."""
    return codes([stage.run, stage.lab] if stage.runs else [stage.lab])
