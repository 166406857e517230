"""hardway explain: why a thing exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import complete_from, output_option, print_json
from hardway.cli.terminal.text import show

if TYPE_CHECKING:
    from hardway.explain.entry import Explanation


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.explain.atlas import reasons

    return complete_from(ctx, incomplete, reasons)


@click.command()
@click.argument("what", metavar="[ADDRESS | FILE[:LINE]]", required=False, shell_complete=complete)
@click.option("--list", "listing", is_flag=True, help="List kinds of addresses; with a prefix, the addresses.")
@output_option
@click.pass_obj
def explain(folder: Path, what: str | None, listing: bool, output: str) -> None:
    """Explain why a thing exists, who reads it, and what breaks without it.

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
    What there is:
      hardway explain --list            the kinds of addresses, with their number
      hardway explain --list cert/      every address with this prefix
    """
    from hardway.explain import memory, text

    if what is None and not listing:
        raise click.UsageError("name what to explain, or list addresses with --list")
    if listing:
        _list(folder, what or "", output)
        return
    remembered = memory.recall(folder, what or "")
    found = text.from_dict(remembered) if remembered else _explain(folder, what or "")
    if output == "json":
        print_json(text.as_dict(found))
    else:
        _show(found)


def _show(found: Explanation) -> None:
    from hardway.cli.terminal.settings import FULL, columns
    from hardway.cli.terminal.text import show, wrap
    from hardway.explain import text

    width = columns()
    if width is None:
        show(text.as_text(found))
    else:
        show(text.as_text(found, lambda line, lead, indent: wrap(line, min(width, FULL), first=lead, rest=indent)))


def _explain(folder: Path, what: str) -> Explanation:
    """From the tables; what they say of every other address is remembered for the next time."""
    from hardway.explain import atlas, memory, place, text
    from hardway.explain.explanation import explain_all, explain_entry
    from hardway.workspace.folder import open_or_example

    workspace = open_or_example(folder)
    entry = atlas.find(workspace, what)
    if entry is None:
        name, _, line = what.rpartition(":") if re.search(r":\d+$", what) else (what, "", "")
        return place.explain_file(workspace, Path(name), int(line) if line else None)
    if not workspace.loaded.settings.mco:  # a render outside the folder may change unseen
        memory.remember(folder, map(text.as_dict, explain_all(workspace)))
    return explain_entry(workspace, entry)


def _list(folder: Path, prefix: str, output: str) -> None:
    from collections import Counter

    from hardway.explain import atlas
    from hardway.workspace.folder import open_or_example

    workspace = open_or_example(folder)
    if prefix:
        rows = [(e.address, e.why.what) for e in atlas.listed(workspace, prefix)]
        keys = ("address", "what")
    else:
        counts = Counter(atlas.kind_of(e.address) for e in atlas.entries(workspace))
        rows = [(f"{kind}/", f"{counts[kind]:5}  {chart.what}") for kind, chart in atlas.CHARTS.items()]
        keys = ("kind", "what")
    if output == "json":
        print_json([dict(zip(keys, map(str.strip, row), strict=True)) for row in rows])
    else:
        width = max(len(address) for address, _ in rows) if not prefix else 0
        show("\n".join(f"{address:<{width}}  {text}" for address, text in rows))
