"""Runs the tests where the API can be reached, and reads what came of them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from hardway.drive.live import ADMIN
from hardway.lab import network
from hardway.lab.conformance import images
from hardway.lab.conformance.results import Results, read
from hardway.lab.conformance.skipped import TABLE
from hardway.lab.paths import BALANCER, LabPaths
from hardway.lab.prepared import Prepared, Progress
from hardway.model.errors import ToolError
from hardway.tools.run import explain, follow
from hardway.workspace.names import ASSETS

TESTS = "kubernetes-tests"
REPORT, LOG = "report.json", "e2e.log"
KEPT = 50  # last lines of the log that an error shows
TAINTS = ("node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane")
NAMED = 'mount --bind "$0" /etc/hosts && exec "$@"'
"""The API has one name for every client of these tests, kubectl too; this machine need not know the name."""
_TOTAL = re.compile(r"Will run (\d+) of \d+ specs")
_ENDED = re.compile(r"(?:•|S) \[")
_NAMED = re.compile(r"\[sig-.*\[Conformance\]")  # ginkgo indents what a test itself prints


@dataclass(slots=True, kw_only=True)
class Meter:
    """Follows ginkgo's lines: how many tests have ended, and the last one that it named."""

    tell: Progress
    log: TextIO
    total: int = 0
    done: int = 0

    def line(self, text: str) -> None:
        self.log.write(f"{text}\n")
        if found := _TOTAL.search(text):
            self.total = int(found[1])
        elif found := _NAMED.match(text):
            self.tell(f"testing: {found[0]}", min(self.done, self.total), self.total)
        self.done += bool(_ENDED.match(text))


def folder(paths: LabPaths) -> Path:
    """Where the report and the log of the last run are."""
    return paths.folder / "conformance"


def run(
    prepared: Prepared, programs: Mapping[str, Path], packed: Path, focus: str, parallel: int, progress: Progress
) -> Results:
    """All tests that the pattern matches and the table does not leave out; `packed` has their images."""
    place = folder(prepared.paths)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700, parents=True)
    (place / "registries.yaml").write_text(images.mapping(prepared.cluster, packed))
    (place / "hosts").write_text(f"127.0.0.1 localhost\n{prepared.cluster.api_vips[0]} {prepared.cluster.api_host}\n")
    words = command(prepared, programs[TESTS] / "bin", focus, parallel)
    with (place / LOG).open("w") as log:
        meter = Meter(tell=progress, log=log)
        done = follow(words, line=meter.line, environment=_environment(place), keep=KEPT)
    report = place / REPORT
    if not report.exists():
        raise ToolError(f"{explain(done)}\n    fix: read {place / LOG}")
    return read(report.read_bytes(), str(report))


def _environment(place: Path) -> dict[str, str]:
    """Without a proxy: the API is on the lab's own bridge."""
    direct = {"NO_PROXY": "*", "no_proxy": "*"}
    return {**os.environ, **direct, "KUBE_TEST_REPO_LIST": str(place / "registries.yaml")}


def command(prepared: Prepared, programs: Path, focus: str, parallel: int) -> list[str]:
    """ginkgo with e2e.test, in the load balancer's namespace."""
    place = folder(prepared.paths)
    ginkgo = [str(programs / "ginkgo"), "run", "-v", "--no-color", f"--procs={parallel}", "--timeout=24h"]
    ginkgo += ["--output-interceptor-mode=none", f"--output-dir={place}", f"--json-report={REPORT}"]
    ginkgo += ["--label-filter=Conformance", *([f"--focus={focus}"] if focus else [])]
    ginkgo += [f"--skip={row.pattern}" for row in TABLE]
    options = [
        f"--kubeconfig={(prepared.folder / ASSETS / ADMIN).absolute()}",
        f"--kubectl-path={prepared.materials.programs['kubectl']}",
        f"--non-blocking-taints={','.join(TAINTS)}",
        "--provider=skeleton",
        "--disable-log-dump",
        "--dump-logs-on-failure=false",
    ]
    named = ["unshare", "--mount", "--propagation=private", "sh", "-c", NAMED, str(place / "hosts")]
    return network.command(prepared.paths, BALANCER, [*named, *ginkgo, str(programs / "e2e.test"), "--", *options])
