"""A folder of openshift-install as a witness."""

from __future__ import annotations

from pathlib import Path

from hardway.checks.installer.folder import BOOTSTRAP, InstallerFolder
from hardway.checks.installer.table import TABLE
from hardway.model.check import Report, run
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError


def read(root: Path) -> Report:
    folder = InstallerFolder(root, SystemEntropy().now())
    if not folder.present:
        raise ConfigError(
            f"{root}: there is no {BOOTSTRAP}, master.ign or worker.ign.\n"
            "    fix: name the folder that was given to `openshift-install create ignition-configs --dir`"
        )
    return run(TABLE, folder)
