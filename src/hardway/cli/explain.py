"""hardway explain: why a thing exists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from hardway.cli.options import complete_from, output_option, print_json
from hardway.cli.terminal.text import display, show
from hardway.model.errors import ConfigError

if TYPE_CHECKING:
    from hardway.explain.entry import Explanation
    from hardway.explain.origin.trial import Trial


NO_OTHER = "no other value is valid here, or hardway does not know one"
NOTHING = "nothing is named.\n    fix: name an address or a file; `hardway explain --list` lists what there is"


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Addresses, also where there is no cluster: explain has the default one there. Else files."""
    from hardway.explain.atlas import reasons

    found = [CompletionItem(name) for name in complete_from(ctx, incomplete, reasons, example=True)]
    return found or [CompletionItem(incomplete, type="file")]


def complete_field(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.model.config.load import FIELDS

    return [row.path for row in FIELDS if row.path.startswith(incomplete)]


@click.command()
@click.argument("what", metavar="[ADDRESS | FILE[:LINE]]", required=False, shell_complete=complete)
@click.option("--list", "listing", is_flag=True, help="List kinds of addresses; with a prefix, the addresses.")
@click.option(
    "--from",
    "field",
    metavar="FIELD",
    shell_complete=complete_field,
    help="List all that would change with this field of your files.",
)
@output_option
@click.pass_obj
def explain(folder: Path, what: str | None, listing: bool, field: str | None, output: str) -> None:
    """Explain why a thing exists, who reads it, what breaks without it, and which lines of your files decide it.

    Those lines are found by experiment: each value of install-config.yaml, hosts.yaml and hardway.yaml is replaced by
    another valid one, everything is made again in memory, without new keys, and compared. This takes seconds after
    your files have changed, and no time after that.

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
      hardway explain cert/             every address with this prefix
    What would change:
      hardway explain --from networking.serviceNetwork
      hardway explain --from install-config.yaml:12
    """
    from hardway.explain import memory, text
    from hardway.explain.origin.kinds import has_origin

    if field is not None:
        _changes(folder, field, what, output)
        return
    if not what and not listing:
        raise ConfigError(NOTHING)
    if listing or (what or "").endswith("/"):
        _list(folder, what or "", output)
        return
    remembered = memory.recall(folder, what or "")
    found = text.from_dict(remembered) if remembered else _explain(folder, what or "")
    if found.decided is None and has_origin(found):
        found = _decided(folder, found)
    if output == "json":
        print_json(text.as_dict(found))
    else:
        _show(found)


def _show(found: Explanation) -> None:
    from hardway.cli.terminal.settings import FULL, columns
    from hardway.cli.terminal.text import wrap
    from hardway.explain import text

    width = columns()
    if width is None:
        display(text.as_text(found))
    else:
        display(text.as_text(found, lambda line, lead, indent: wrap(line, min(width, FULL), first=lead, rest=indent)))


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


def _decided(folder: Path, found: Explanation) -> Explanation:
    """With the lines of the user's files that decide it; where there are none, as it was."""
    from dataclasses import replace

    from hardway.explain.origin.trial import deciding

    rows = _trials(folder)
    return replace(found, decided=deciding(rows, found.address)) if rows else found


def _trials(folder: Path) -> Sequence[Trial]:
    """As they are remembered, or found anew."""
    from hardway.cli.terminal.work import busy
    from hardway.explain.origin.known import found, recalled
    from hardway.workspace.folder import open_or_example

    if remembered := recalled(folder):
        return remembered
    workspace = open_or_example(folder)
    with busy("finding which values of your files decide it"):
        return found(workspace, folder)


def _changes(folder: Path, field: str, what: str | None, output: str) -> None:
    from hardway.cli.options import counted
    from hardway.explain.origin.find import find
    from hardway.explain.origin.trial import as_row
    from hardway.workspace.folder import inputs

    if what:
        raise ConfigError(f"--from and {what} are two questions.\n    fix: ask one of them")
    inputs(folder)  # refuses a folder without a cluster
    chosen = find(_trials(folder), field)
    if output == "json":
        print_json([as_row(trial) for trial in chosen])
        return
    for trial in chosen:
        show(trial.place)
        show(f"  tried: {', '.join(trial.tried)}" if trial.tried else f"  {NO_OTHER}")
        for address in trial.changes:
            show(f"  {address}")
        if trial.tried:
            show(f"  {counted(len(trial.changes), 'thing')} would change")


def _list(folder: Path, prefix: str, output: str) -> None:
    from collections import Counter

    from hardway.explain import atlas
    from hardway.workspace.folder import open_or_example

    workspace = open_or_example(folder)
    rows: list[dict[str, str | int]]
    if prefix:
        rows = [{"address": e.address, "what": e.why.what} for e in atlas.listed(workspace, prefix)]
        lines = [f"{row['address']}  {row['what']}" for row in rows]
    else:
        counts = Counter(atlas.kind_of(e.address) for e in atlas.entries(workspace))
        width = max(map(len, atlas.CHARTS)) + 1
        rows = [{"kind": f"{kind}/", "count": counts[kind], "what": chart.what} for kind, chart in atlas.CHARTS.items()]
        lines = [f"{row['kind']:<{width}}  {row['count']:5}  {row['what']}" for row in rows]
    print_json(rows) if output == "json" else display("\n".join(lines))
