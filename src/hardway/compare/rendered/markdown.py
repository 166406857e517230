"""The comparison as a page of the guide. `python -m hardway.compare.rendered.markdown FILE` writes it."""

from __future__ import annotations

import sys
from pathlib import Path

from hardway.compare.rendered.expected.table import EXPECTED
from hardway.compare.rendered.objects import BY_HAND
from hardway.compare.row import AREAS, Kind, Row, like
from hardway.emit.markdown import code, page, section, table
from hardway.lines.default import DEFAULT
from hardway.model.cluster import Cluster
from hardway.staticpods.apiserver.flags import FLAGS
from hardway.staticpods.row import arguments
from hardway.workspace.folder import example_cluster

API = "kube-apiserver"
NOTHING = "no effect"
LONGEST = 60
INTRODUCTION = """\
For each part of the control plane there are two roads to the same manifest: to write it, or to let its operator render
it. This page compares the two. It is generated from the table that `hardway compare` explains differences
with, and tests hold that table to the outputs of the real programs: a difference without a row fails, and so does a row
that explains nothing.

```
hardway build            # by hand: assets/
hardway render --all     # by operators, from the release's images: assets/rendered/NAME/
hardway compare --html comparison.html
```

These operators are available as Go modules and are run: api, config, cvo, etcd, kube-apiserver and machine-config. The
rows of kube-controller-manager and kube-scheduler follow the templates of their operators.

The result in one sentence: the certificates, Secrets and ConfigMaps that the running operators take over
are the same, field by field; the arguments of the API server are the same wherever Kubernetes itself understands them;
what the operators add is for machines without a plan, for other platforms, and for people who look into a pod."""
ADDED = "Each row is in the rendered output and not in a hand-written manifest."
HAND = "Each row is here and not in the rendered output."
OTHER = "Both have it, in another form or with another value."
NEEDED = """\
These are the API server's arguments that both roads have: the rendered one in the file that `--openshift-config` names,
ours as flags. The value is the one for the default cluster."""
BREAKS = """\
What you lose by writing the manifests yourself. Everything else that the operators add is for machines, platforms or
moments that are not there during a bootstrap on platform none."""
KEEP = f"""\
You also become responsible for versions. The flags here are those of {DEFAULT.minor} and Kubernetes \
{DEFAULT.kubernetes}. An operator renders
what fits its own release; a manifest written by hand has to be compared again with each new one, which is what the
command is for."""


def comparison(cluster: Cluster) -> str:
    return page(
        "Written by hand, and rendered by operators",
        INTRODUCTION,
        section("What the operator adds to a minimal manifest", ADDED, *_tables("operator")),
        section("What is here in addition", HAND, *_tables("hand")),
        section("What both have, differently", OTHER, *_tables("other")),
        section("Why certain arguments are needed", NEEDED, _arguments(cluster)),
        section("What would break without operator rendering", BREAKS, _losses(), KEEP),
    )


def _tables(kind: Kind) -> list[str]:
    found = []
    for area, title in AREAS.items():
        rows = [_line(row) for row in EXPECTED if row.area == area and row.kind == kind]
        if rows:
            found.append(f"### {title}\n\n" + table(("Row", "Of", "What and why", "Without it", "Source"), rows))
    return found


def _line(row: Row) -> tuple[str, ...]:
    return code(row.name), _operators(row), row.what, row.breaks, row.source


def _operators(row: Row) -> str:
    return {"*": "all", BY_HAND: "no operator"}.get(row.operator, row.operator.replace("|", ", "))


def shared() -> list[str]:
    """The flags of our API server that the operator's has too."""
    rows = [row for row in EXPECTED if row.area == "flags" and row.kind == "hand" and like(row.operator, API)]
    alone = {row.aspect for row in rows}
    return [flag.name for flag in FLAGS if not any(flag.name in aspects.split("|") for aspects in alone)]


def _arguments(cluster: Cluster) -> str:
    known = set(shared())
    rows = []
    for flag in FLAGS:
        given = [word.partition("=")[2] for word in arguments((flag,), cluster, cluster.bootstrap)]
        if flag.name in known and given:
            rows.append((code(flag.name), _short(given), flag.why.what, flag.why.breaks))
    return table(("Argument", "Value", "Why", "Without it"), rows)


def _short(given: list[str]) -> str:
    return ", ".join(code(one if len(one) <= LONGEST else f"{one[:LONGEST]}…") for one in given)


def _losses() -> str:
    rows = [row for row in EXPECTED if row.kind == "operator" and not row.breaks.startswith(NOTHING)]
    return table(("Not there", "Of", "What happens then"), [(code(r.name), _operators(r), r.breaks) for r in rows])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(comparison(example_cluster().cluster), encoding="utf-8")
