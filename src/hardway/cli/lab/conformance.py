"""hardway lab conformance: Kubernetes' own tests against a lab that is up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardway.cli.lab.compiling import announce
from hardway.cli.lab.place import as_root, lab_of
from hardway.cli.options import counted, output_option, print_json
from hardway.cli.terminal.region import ended
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import working
from hardway.model.errors import CheckError

if TYPE_CHECKING:
    from hardway.lab.conformance.results import Results
    from hardway.lab.conformance.specs import Chosen

PARALLEL = 4


@click.command()
@click.option("--focus", default="", metavar="REGEX", help="Only tests whose name matches, such as sig-apps.")
@click.option(
    "--parallel", type=click.IntRange(1, 32), default=PARALLEL, show_default=True, help="How many tests run at a time."
)
@click.option("--dry-run", is_flag=True, help="Print which tests would run and which not, and why; change nothing.")
@output_option
@click.pass_obj
def conformance(folder: Path, focus: str, parallel: int, dry_run: bool, output: str) -> None:
    """Run Kubernetes' conformance tests against a lab that is up.

    The tests are e2e.test, compiled from the same commit of OpenShift's Kubernetes as the lab's API server; the first
    run compiles it, which takes long. The images that tests run in their pods come from the
    same modules and from Debian, and go to the lab's registry.

    While tests run, pods of all service accounts may use the security context constraints anyuid and privileged, as
    OpenShift's own run of these tests has it. This right is removed afterwards, with every namespace that a test made.

    Tests that a lab on one machine cannot run are left out; each is printed with its reason. The exit code is 4 if a
    test failed.

    \b
    Examples:
      hardway lab conformance
      hardway lab conformance --focus sig-api-machinery
      hardway lab conformance --dry-run
    """
    from hardway.lab.conformance import specs

    paths, _ = lab_of(folder)
    chosen = specs.choose(focus)
    if dry_run:
        _plan(chosen, output)
        return
    as_root()
    results = _run(folder, focus, parallel)
    from hardway.lab.conformance.run import LOG
    from hardway.lab.conformance.run import folder as kept

    _print(chosen, results, str(kept(paths) / LOG), output)
    if results.failed:
        raise CheckError(
            f"{counted(len(results.failed), 'conformance test')} failed.\n    fix: read {kept(paths) / LOG}"
        )


def _run(folder: Path, focus: str, parallel: int) -> Results:
    from hardway.lab.conformance import ground, images, run
    from hardway.lab.lock import alone
    from hardway.lab.prepared import opened

    prepared = opened(folder)
    ground.demand_up(prepared)
    announce(images.to_compile())
    with _removed_when_ended(), alone(prepared.paths, "`hardway lab conformance`"), working() as work:
        programs = images.programs(work.advance)
        packed = images.pack(programs, work.advance)
        images.serve(prepared, packed, work.advance)
        with ground.laid(prepared):
            return run.run(prepared, programs, packed, focus, parallel, work.advance)


@contextmanager
def _removed_when_ended() -> Iterator[None]:
    """Ended by SIGTERM, the command removes what it made in the cluster, as after Ctrl-C."""
    before = signal.signal(signal.SIGTERM, ended)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _plan(chosen: Chosen, output: str) -> None:
    if output == "json":
        print_json({"run": list(chosen.run), "skipped": _reasons(chosen)})
        return
    for name in chosen.run:
        show(f"run      {name}")
    _print_skipped(chosen)
    show(f"{counted(len(chosen.run), 'test')} would run, {len(chosen.skipped)} would not; nothing was changed")


def _reasons(chosen: Chosen) -> list[dict[str, str]]:
    return [{"name": name, "reason": row.reason} for name, row in chosen.skipped.items()]


def _print(chosen: Chosen, results: Results, log: str, output: str) -> None:
    if output == "json":
        families = {name: {"passed": good, "failed": bad} for name, (good, bad) in results.families().items()}
        itself = [{"name": name, "reason": said} for name, said in results.skipped.items()]
        said: dict[str, Any] = {"passed": len(results.passed), "families": families, "log": log}
        said["failed"] = [{"name": row.name, "message": row.message} for row in results.failed]
        print_json(said | {"skipped": [*_reasons(chosen), *itself]})
        return
    for row in results.failed:
        show(f"failed   {row.name}\n         {row.message}")
    _print_skipped(chosen)
    for name, reason in results.skipped.items():
        show(f"skipped  {name}\n         {reason}")
    for name, (good, bad) in results.families().items():
        show(f"{name:<22} {good:>4} passed {bad:>4} failed")
    skipped = len(chosen.skipped) + len(results.skipped)
    show(f"{len(results.passed)} passed, {len(results.failed)} failed, {skipped} skipped")
    tell(f"log      {log}")


def _print_skipped(chosen: Chosen) -> None:
    for name, row in chosen.skipped.items():
        show(f"skipped  {name}\n         {row.reason}")
