"""hardway lab release: the release of our own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.lab.deviation import deviation_text
from hardway.cli.lab.sources import source_options
from hardway.cli.options import counted, output_option, print_json, print_warnings, with_figures
from hardway.cli.terminal.text import ours, show, tell
from hardway.cli.terminal.work import working
from hardway.model.errors import ConfigError
from hardway.model.figures import COMPILE

if TYPE_CHECKING:
    from hardway.labrelease.images.table import Set
    from hardway.labrelease.release import Built, Kept

MIB = 1 << 20
OLD_NAMES = {"authfile": "pull-secret", "ca": "trust-bundle"}


@click.group()
def release() -> None:
    """The lab's release: OpenShift's own programs, compiled here from pinned Go modules, packed as OCI images.

    \b
    hardway lab release build                        compile and pack what is missing
    hardway lab release build --push HOST:PORT/REPO  and push it to a registry
    hardway lab release build --source NAME=DIR      with a component from a checkout of yours
    hardway lab release list                         what is kept, and how large it is
    hardway lab release clean                        remove the images; programs of pinned modules stay
    """


@release.command(
    short_help="Compile and pack what is missing",
    context_settings={"token_normalize_func": lambda name: OLD_NAMES.get(name, name)},
)
@with_figures(compile=COMPILE)
@click.option(
    "--set",
    "chosen",
    type=click.Choice(["core", "operators"]),
    help="core: the control plane is hand-made. operators: the etcd, API server, config and service CA operators are "
    "included. [default: core; operators, if a --source is part of that set alone]",
)
@source_options
@click.option("--push", "repository", metavar="REGISTRY/REPO", default="", help="Push every image to this repository.")
@click.option(
    "--pull-secret", type=click.Path(path_type=Path), metavar="FILE", help="JSON with the registry's credentials."
)
@click.option(
    "--trust-bundle", type=click.Path(path_type=Path), metavar="FILE", help="PEM certificates to trust besides."
)
@click.option("--insecure-registry", multiple=True, metavar="HOST", help="Use plain HTTP for this registry.")
@click.option("--insecure", is_flag=True, hidden=True, help="The same, for the registry of --push.")
@output_option
def build(
    chosen: Set | None,
    sources: tuple[str, ...],
    described: tuple[Path, ...],
    repository: str,
    pull_secret: Path | None,
    trust_bundle: Path | None,
    insecure_registry: tuple[str, ...],
    insecure: bool,
    output: str,
) -> None:
    """Compile what is missing, pack the images, and put the release together.

    The first time it compiles for {compile} on two cores, and needs Go modules and Debian packages from the network;
    afterwards it takes seconds. Two builds have the same digests. The release's manifests name the images in the
    repository that they are pulled from: give it with --push. It prints the pull spec, by digest, and where this
    release differs from a release of Red Hat.

    With --source a component comes from a checkout on disk, with its manifests, in place of the pinned one or in
    addition. A second build compiles only what changed. The pinned release stays as it is. `hardway lab up --release
    NAME` runs the new one, and `hardway lab replace` puts a component into a lab that is up.

    \b
    Examples:
      hardway lab release build
      hardway lab release build --source etcd=../etcd
      hardway lab release build --set operators --push 127.0.0.1:5000/hardway \\
        --insecure-registry 127.0.0.1:5000
      hardway release info oci:FOLDER:release       read it as any other release
    """
    from hardway.cli.lab.compiling import announce
    from hardway.labrelease import release as lab
    from hardway.labrelease.checkouts import outside
    from hardway.labrelease.checkouts.read import chosen_set, read
    from hardway.labrelease.push import Target, push

    _check(repository, pull_secret, trust_bundle, insecure_registry, insecure)
    plain = insecure or repository.split("/")[0] in insecure_registry
    checkouts = read(sources, described)
    print_warnings(warning for row in checkouts for warning in outside.warnings(row))
    taken = chosen_set(checkouts, chosen)
    announce(lab.to_compile(taken, [row.name for row in checkouts]))
    with working() as work:
        made = lab.from_checkouts(checkouts, work.advance)
        built = lab.build(taken, registry=repository or lab.REGISTRY, progress=work.advance, made=made)
        if repository:
            push(built, Target(authfile=pull_secret, authority=trust_bundle, insecure=plain), work.advance)
    print_json(_as_dict(built, bool(repository))) if output == "json" else _print(built, bool(repository))


def _check(repository: str, *only_with_push: object) -> None:
    if any(only_with_push) and not repository:
        what = "--pull-secret, --trust-bundle and --insecure-registry are for pushing"
        raise ConfigError(f"{what}.\n    fix: give --push REGISTRY/REPO too")
    if repository and ("/" not in repository or "@" in repository or repository.endswith("/")):
        raise ConfigError(
            f"--push {repository}: this is not a repository.\n    fix: write it as in 127.0.0.1:5000/hardway"
        )


def _as_dict(built: Built, pushed: bool) -> dict[str, Any]:
    return {
        "set": built.chosen,
        "version": built.version,
        "pullSpec": built.pull_spec,
        "pushed": pushed,
        "name": built.folder.name,
        "folder": str(built.folder),
        "sources": [{"name": row.name, **row.state.as_dict()} for row in built.made],
        "images": dict(built.images),
        "deviations": [row.as_dict() for row in built.deviations],
    }


def _print(built: Built, pushed: bool) -> None:
    show(f"release  {built.version}, {counted(len(built.images), 'image')}")
    show(f"folder   oci:{built.folder}:release")
    show(f"{'pushed' if pushed else 'pull':8} {built.pull_spec}")
    for made in built.made:
        show(f"source   {made.name} {made.state.told}")
    tell(f"\n{counted(len(built.deviations), 'deviation')} from a release of Red Hat:")
    for row in built.deviations:
        tell(deviation_text(row.kind, row.subject, why=row.why))
    if built.made:
        tell(f"\nnext: {ours()} lab up DIR --release {built.folder.name}")


@release.command("list", short_help="What is kept, its size and its age")
@click.option("--all", "every", is_flag=True, help="List every release, not only the newest of each set.")
@output_option
def list_(every: bool, output: str) -> None:
    """What is kept of the lab release, its size, and the age of the Debian systems under it.

    Each lab's registry has a release of its own, so there can be many. They share their blobs. Older ones are counted
    in one line; --all and -o json list them.
    """
    from hardway.labrelease import release as lab
    from hardway.labrelease.images.bases import bases
    from hardway.model.entropy import SystemEntropy

    found, now = lab.kept(), SystemEntropy().now()
    if output == "json":
        rows = [{"kind": row.kind, "name": row.name, "bytes": row.bytes} for row in found]
        print_json([*rows, *({"kind": "base", "name": base.place.name, "days": base.days(now)} for base in bases())])
        return
    shown = found if every else _newest(found)
    for row in shown:
        show(f"{row.kind:8} {row.bytes / MIB:8.1f} MiB  {row.name}")
    if older := len(found) - len(shown):
        show(f"{counted(older, 'older release')} not listed: --all lists them; `hardway lab release clean` removes all")
    for base in bases():
        show(f"base     {base.told(now)}")


def _newest(found: list[Kept]) -> list[Kept]:
    """Of the releases, the first of each set, `core-…` and `operators-…`; all else."""
    newest = {row.name.partition("-")[0]: row for row in reversed(found) if row.kind == "release"}
    return [row for row in found if row.kind != "release" or row in newest.values()]


@release.command(short_help="Remove images and releases")
@click.option(
    "--bases",
    "also_bases",
    is_flag=True,
    help="Also remove the Debian systems of images and nodes; they are made again.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be removed, and remove nothing.")
@output_option
def clean(also_bases: bool, dry_run: bool, output: str) -> None:
    """Remove images and releases, packed or unpacked, and what was compiled from checkouts. Programs of pinned
    modules stay, because compiling takes long.

    With --bases the Debian systems of the images and of the nodes are removed as well. The next build makes them again
    from Debian's packages of that day. No lab may be up.
    """
    from hardway.labrelease import release as lab
    from hardway.labrelease.images import bases

    folders = [*lab.removable(), *(base.place for base in bases.bases() if also_bases)]
    if not dry_run:
        if also_bases:
            bases.remove()
        lab.clean()
    if output == "json":
        print_json({"dryRun": dry_run, "removed": [str(folder) for folder in folders]})
        return
    for folder in folders:
        tell(f"{'would remove' if dry_run else 'removed'} {folder}")
