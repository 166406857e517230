"""hardway release: what a release image says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hardway.cli.naming import naming_release
from hardway.cli.options import counted, print_json
from hardway.cli.release.source import open_source, source_options
from hardway.cli.terminal.text import note, show, tell
from hardway.io.harmless import one_line
from hardway.model.errors import ConfigError

FEATURE_SETS = ("Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade")
reference_argument = click.argument("reference", required=False, metavar="[REF|VERSION]")
to_option = click.option(
    "--to", "target", type=click.Path(path_type=Path, file_okay=False), required=True, help="A folder, new or empty."
)


@naming_release
@click.group()
def release() -> None:
    """What a release image contains: versions, images, manifests, CRDs.

    REF names the image: HOST/REPOSITORY:TAG, HOST/REPOSITORY@sha256:DIGEST, oci:FOLDER[:TAG] or
    oci-archive:FILE[:TAG]; a version such as {release} is the public release. Without one it is the release of the
    cluster's folder.

    \b
    hardway release info {release}            which release it is, and what is in it
    hardway release info --images          what each of its images is for
    hardway release image-for etcd         one image's pull spec
    hardway release extract {release} --to D  its manifests
    hardway release crds {release} --to D     the CRDs that the bootstrap needs

    In a cluster's folder the pull secret, the mirrors, the trust bundle and the proxy come from install-config. Only
    the layers with the manifests are fetched. Their digests are checked, and they are kept in ~/.cache/hardway.
    Without a network, {release} is read from an embedded catalogue, and the output says so.

    With --key and --signature the release's signature is checked: exit code 4 if it is not valid.
    """


@naming_release
@release.command(short_help="Which release it is, and what is in it")
@reference_argument
@click.option("--images", is_flag=True, help="Every image, with what it is for.")
@source_options
@click.pass_obj
def info(folder: Path, /, reference: str | None, images: bool, **given: Any) -> None:
    """Which release it is, and what is in it.

    \b
    Examples:
      hardway release info {release}
      hardway release info {release} --key release-key.asc --signature URL
      hardway release info oci-archive:release.tar --images -o json

    URL for a release of Red Hat: https://mirror.openshift.com/pub/openshift-v4/signatures/openshift/release
    """
    from hardway.cli.release.text import facts, text
    from hardway.release.components import table

    source = open_source(folder, reference, given)
    known = facts(source.found, source.why, source.verdict)
    rows = table.table(source.found) if images else []
    if given["output"] == "json":
        print_json(known | ({"components": [row.as_dict() for row in rows]} if images else {}))
        return
    show(text(known))
    if images:
        show(f"\n{table.text(rows)}")


def _complete_image(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.release.components.table import TABLE

    return [component.name for component in TABLE if component.name.startswith(incomplete)]


@release.command("image-for", short_help="The pull spec of one image, by its name")
@click.argument("name", shell_complete=_complete_image)
@reference_argument
@source_options
@click.pass_obj
def image_for(folder: Path, /, name: str, reference: str | None, **given: Any) -> None:
    """The pull spec of one image, by its name in the release."""
    from hardway.cli.release.text import CATALOGUE
    from hardway.release.payload import read as payload

    source = open_source(folder, reference, given)
    source.demand_signature()
    image = payload.image_for(source.found.images, name, source.found.version)
    if given["output"] == "json":
        print_json({"name": name, "image": image, "origin": "catalogue" if source.why else "payload"})
        return
    if source.why:
        note(f"note: from {CATALOGUE}, because {source.why}")
    click.echo(one_line(image))


@release.command(short_help="Write the release's manifests into a folder")
@reference_argument
@to_option
@source_options
@click.pass_obj
def extract(folder: Path, /, reference: str | None, target: Path, **given: Any) -> None:
    """Write the release's manifests into a folder, all of them or none."""
    _check_target(target)
    source = open_source(folder, reference, given)
    source.demand_signature()
    payload = source.payload()
    _write(target, dict(payload.files), f"{counted(len(payload.files), 'file')} of release {payload.version}", given)


@release.command(short_help="Write the CRDs that the bootstrap needs into a folder")
@reference_argument
@to_option
@click.option(
    "--all", "everything", is_flag=True, help="All CRDs of the feature set, not only those that the bootstrap needs."
)
@click.option(
    "--feature-set",
    type=click.Choice(FEATURE_SETS),
    help="The feature set whose CRDs are chosen. [default: install-config's]",
)
@source_options
@click.pass_obj
def crds(
    folder: Path, /, reference: str | None, target: Path, everything: bool, feature_set: str | None, **given: Any
) -> None:
    """Write the release's CRDs into a folder, chosen as the real bootstrap chooses them.

    A release has several variants of many CRDs, for each feature set and kind of cluster. Only one variant may be
    applied: these are the ones for this feature set on a self-managed cluster.
    """
    from hardway.release import crds as selection

    _check_target(target)
    source = open_source(folder, reference, given)
    source.demand_signature()
    cluster = source.loaded.cluster if source.loaded else None
    wanted = feature_set if feature_set is not None else cluster.feature_set if cluster else ""
    chosen = selection.select(source.payload().manifests, feature_set=wanted, everything=everything)
    _write(target, chosen, f"{counted(len(chosen), 'CRD')} of feature set {wanted or FEATURE_SETS[0]}", given)


def _check_target(target: Path) -> None:
    if target.is_dir() and any(target.iterdir()):
        raise ConfigError(f"{target}: is not empty.\n    fix: name a new folder, so that nothing is mixed or lost")


def _write(target: Path, files: dict[str, bytes], what: str, given: dict[str, Any]) -> None:
    from hardway.io.folder import replace_folder

    replace_folder(target.resolve(), files)
    if given["output"] == "json":
        print_json({"to": str(target), "files": sorted(files)})
    else:
        tell(f"{what} in {target}")
