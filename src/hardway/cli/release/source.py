"""Where a release is read from: the options that say it, the cluster's folder behind them, and the signature."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.options import all_of, output_option
from hardway.cli.terminal.work import in_bytes, working
from hardway.model.errors import CheckError, ToolError

if TYPE_CHECKING:
    from hardway.model.cluster import Release
    from hardway.model.config.load import Loaded
    from hardway.registry.signature.verify import Verdict
    from hardway.release.payload.read import Payload

_file = click.Path(path_type=Path, dir_okay=False)
source_options = all_of(
    click.option(
        "--pull-secret", type=_file, help="JSON with the registries' credentials. [default: install-config's]"
    ),
    click.option("--trust-bundle", type=_file, help="PEM certificates to trust besides. [default: install-config's]"),
    click.option("--insecure-registry", multiple=True, metavar="HOST", help="Use plain HTTP for this registry."),
    click.option("--key", type=_file, help="The public key (OpenPGP, armored or binary) to trust."),
    click.option(
        "--signature", default="", metavar="PLACE", help="The signature: a file, a store's folder, or its https URL."
    ),
    output_option,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A release as it was found."""

    loaded: Loaded | None  # the cluster whose folder this is
    found: Payload | Release
    why: str  # why the catalogue serves, if it does
    verdict: Verdict

    def payload(self) -> Payload:
        from hardway.release.payload.read import Payload

        if isinstance(self.found, Payload):
            return self.found
        fix = "give the release as oci:FOLDER, oci-archive:FILE or from a mirror"
        raise ToolError(f"{self.why}, and the embedded catalogue has no manifests.\n    fix: {fix}")

    def demand_signature(self) -> None:
        """Who gives a key wants what that key has signed, and nothing else."""
        if self.verdict.state == "absent":
            fix = "name a store that has the signature, or leave --key out"
            raise CheckError(f"signature {self.verdict.said}; nothing was written.\n    fix: {fix}")


def open_source(folder: Path, reference: str | None, given: dict[str, Any]) -> Source:
    from hardway.model.settings.file import Settings
    from hardway.registry.choose import Overrides, access_of
    from hardway.registry.find import find
    from hardway.registry.signature import verify
    from hardway.release.payload.read import digest_of

    loaded = _loaded(folder)
    overrides = Overrides(
        pull_secret=given["pull_secret"],
        trust_bundle=given["trust_bundle"],
        plain_http=given["insecure_registry"],
    )
    access = access_of(loaded, overrides)
    with working() as work:
        found, why = find(reference or (loaded.settings if loaded else Settings()).release, access, in_bytes(work))
    verdict = verify.check(digest_of(found.image), key=given["key"], source=given["signature"], access=access)
    return Source(loaded=loaded, found=found, why=why, verdict=verdict)


def _loaded(folder: Path) -> Loaded | None:
    """The cluster's configuration, where there is one; which release it is made of does not matter here."""
    from hardway.workspace.folder import unread
    from hardway.workspace.names import INSTALL_CONFIG

    return unread(folder) if (folder / INSTALL_CONFIG).exists() else None
