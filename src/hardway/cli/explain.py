"""hardway explain: why a thing exists."""

from __future__ import annotations

import re
from pathlib import Path

import click

from hardway.cli.options import complete_from, output_option, print_json


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.explain.registry import reasons

    return complete_from(ctx, incomplete, reasons)


@click.command()
@click.argument("what", metavar="ADDRESS | FILE[:LINE]", shell_complete=complete)
@output_option
@click.pass_obj
def explain(folder: Path, what: str, output: str) -> None:
    """Why a thing exists, who reads it, what breaks without it, what it is made of and goes into.

    In a folder without an install-config.yaml, the default cluster is explained.

    \b
    By address:
      hardway explain cert/kube-apiserver-lb-signer
      hardway explain flag/kube-apiserver/--etcd-servers
      hardway explain field/cluster-dns-02-config.yml#spec.baseDomain
      hardway explain file/bootstrap:/usr/local/bin/bootkube.sh
      hardway explain check/pki.chain, stage/05-pki, failure/F08
    By place:
      hardway explain assets/manifests/cluster-dns-02-config.yml:8
      hardway explain install-config.yaml:12
    """
    from hardway.explain import place, registry, text
    from hardway.workspace.folder import open_or_example

    workspace = open_or_example(folder)
    found = registry.find(workspace, what)
    if found is None:
        name, _, line = what.rpartition(":") if re.search(r":\d+$", what) else (what, "", "")
        found = place.explain_file(workspace, Path(name), int(line) if line else None)
    if output == "json":
        print_json(text.as_dict(found))
    else:
        click.echo(text.as_text(found))
