"""hardway approve: certificate requests of kubelets, by plan."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.lab.place import choose, replace_option
from hardway.cli.options import counted, output_option
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.io.harmless import one_line
from hardway.model.errors import CheckError, ToolError

if TYPE_CHECKING:
    from hardway.drive.client import Client, Trouble
    from hardway.drive.csr.judge import Verdict
    from hardway.drive.csr.look import Seen
    from hardway.drive.csr.target import Target

PAUSE = 5.0
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--kubeconfig", type=FILE, metavar="FILE", help="An administrator's. [default: assets/auth/kubeconfig]")
@click.option("--nodes", type=FILE, metavar="FILE", help="The nodes of another cluster; needs --kubeconfig.")
@replace_option
@click.option("--watch", is_flag=True, help="Look again every few seconds, until Ctrl-C.")
@click.option("--dry-run", is_flag=True, help="Judge the requests and approve none; write nothing.")
@output_option
@click.pass_obj
def approve(
    folder: Path,
    kubeconfig: Path | None,
    nodes: Path | None,
    replaced: tuple[str, ...],
    watch: bool,
    dry_run: bool,
    output: str,
) -> None:
    """Approve the certificate requests of kubelets that agree with the plan, and no others.

    A node asks twice: first for the certificate with which it joins, then, with that, for its serving certificate. On
    platform none, nobody approves these after the bootstrap. Whoever approves everything that is Pending gives a node's
    identity to anyone who has read an Ignition file. This command compares each request with the plan.

    \b
    For each pending request it prints one of:
      approved  every rule holds; `hardway explain csr/rule/names` explains one
      refused   a request that breaks a rule. It stays Pending; none is denied
      left      a request for another signer. It is not judged

    The plan is that of the cluster's folder (-C): what `hardway build` put into the machines, or install-config.yaml
    with a hosts.yaml that has the addresses of every node.

    For a cluster that openshift-install or another program made on platform none, --nodes FILE is the plan. The file
    has the form of hosts.yaml, and nothing is derived. The key says what a node is; hostname is its name in
    `oc get nodes`.

    \b
      hosts:
        master-0:
          hostname: control1.example.com
          addresses: [192.0.2.11]
        worker-0:
          hostname: compute1.example.com
          addresses: [192.0.2.21]

    Workers are approved once the bootstrap is complete (ConfigMap kube-system/bootstrap). A name goes to the first key
    that asks for it, once. The keys are recorded in assets/approved.json, or in approved.json beside FILE. A node that
    was installed again needs --replace NODE. New nodes ask with an identity that `hardway build` makes for a day; once
    it has expired, and a node has not joined yet, the command says so.

    With -o json, each request is a line of its own. The last line has the nodes that have not joined (notJoined), and
    when the identity of new nodes expires (joiningExpires, null if the folder has none; joiningExpired). With --watch,
    that line is printed whenever a node joins or leaves.

    Exit code 4 if a request was refused; 3 if the API does not answer or does not allow it. With --watch, an API that
    does not answer is waited for.

    \b
    Examples:
      hardway approve --dry-run
      hardway approve --watch
      hardway approve --nodes nodes.yaml --kubeconfig ocp/auth/kubeconfig
      hardway approve --replace worker-1
    """
    from hardway.drive.client import Client
    from hardway.drive.csr import memory
    from hardway.drive.csr.plan import name_of, names
    from hardway.drive.csr.target import target

    chosen = target(folder, kubeconfig, nodes)
    again = [choose(names(chosen.plan), name_of(chosen.plan, name), "the plan") for name in replaced]
    if again and not dry_run:
        memory.allow(chosen.home, again)
    rounds = _Rounds(chosen, Client(chosen.access), tuple(again) if dry_run else (), dry_run=dry_run, output=output)
    rounds.watch() if watch else rounds.once()


class _Rounds:
    def __init__(
        self, target: Target, client: Client, replaced: tuple[str, ...], *, dry_run: bool, output: str
    ) -> None:
        self._target, self._client, self._replaced = target, client, replaced
        self._dry_run, self._json = dry_run, output == "json"
        self._said: set[tuple[str, str]] = set()

    def once(self) -> None:
        from hardway.drive.client import Trouble

        with busy("reading certificate requests"):
            seen = self._look()
        if isinstance(seen, Trouble):
            raise ToolError(f"the API: {seen}.\n    fix: {_remedy(seen)}")
        troubles = [trouble for verdict in seen.verdicts if (trouble := self._settle(verdict))]
        self._end(seen)
        if troubles:
            raise ToolError("\n".join(troubles) + ".\n    fix: run this again")
        if refused := [verdict for verdict in seen.verdicts if _state(verdict) == "refused"]:
            raise CheckError(
                f"{counted(len(refused), 'request')} refused, and still Pending.\n"
                "    fix: compare the plan with the machine; what is not yours is removed with `oc delete csr NAME`"
            )

    def watch(self) -> None:
        from hardway.drive.client import Trouble

        away: tuple[str, ...] | None = None
        while True:
            seen = self._look()
            if isinstance(seen, Trouble):
                if seen.kind in ("unauthorized", "forbidden"):
                    raise ToolError(f"the API: {seen}.\n    fix: {_remedy(seen)}")
                self._once_said("api", f"waiting    the API: {seen}")
            else:
                self._said -= {known for known in self._said if known[0] == "api"}
                for verdict in seen.verdicts:
                    if trouble := self._settle(verdict):
                        self._once_said(verdict.uid, f"waiting    {trouble}")
                if seen.away != away:
                    away = seen.away
                    missing = f"waiting    not joined yet: {', '.join(away)}"
                    tell(missing if away else "every node of the plan has joined", err=self._json)
                    self._tell_over(seen)
            with busy("waiting for certificate requests; Ctrl-C ends this"):
                time.sleep(PAUSE)

    def _look(self) -> Seen | Trouble:
        from hardway.drive.csr.look import look

        return look(self._client, self._target.plan, self._target.home, self._replaced)

    def _settle(self, verdict: Verdict) -> str:
        from hardway.drive.csr.approve import settle

        state = _state(verdict)
        if state == "approved" and not self._dry_run and (trouble := settle(self._client, self._target.home, verdict)):
            return trouble
        if (verdict.uid, verdict.reason) not in self._said:
            self._said.add((verdict.uid, verdict.reason))
            self._print(verdict, "would approve" if self._dry_run and state == "approved" else state)
        return ""

    def _once_said(self, about: str, text: str) -> None:
        if (about, text) not in self._said:
            self._said.add((about, text))
            tell(text, err=self._json)

    def _print(self, verdict: Verdict, state: str) -> None:
        if self._json:
            row = {"request": verdict.request, "state": state, "signer": verdict.signer, "user": verdict.user}
            click.echo(json.dumps(row | {"node": verdict.node, "rule": verdict.rule, "reason": verdict.reason}))
            return
        rule = f"csr/rule/{verdict.rule}: " if state == "refused" else ""
        by = f"{verdict.user}: " if state == "refused" else ""
        show(one_line(f"{state:<10} {verdict.request}  {by}{rule}{verdict.reason}"))

    def _end(self, seen: Seen) -> None:
        if not seen.verdicts:
            tell("no request is Pending", err=self._json)
        if seen.away:
            tell(f"not joined yet: {', '.join(seen.away)}", err=self._json)
        self._tell_over(seen)

    def _tell_over(self, seen: Seen) -> None:
        """A node whose identity has expired cannot even ask, so there is no request to say why."""
        from hardway.drive import joining

        ends, ended = joining.ends(self._target.home), joining.over(self._target.home)
        if seen.away and ended:
            tell(joining.remedy(ended), err=self._json)
        if self._json:
            row = {"notJoined": list(seen.away), "joiningExpires": f"{ends:%Y-%m-%dT%H:%M:%SZ}" if ends else None}
            click.echo(json.dumps(row | {"joiningExpired": bool(ended)}))


def _state(verdict: Verdict) -> str:
    if verdict.good:
        return "approved"
    return "left" if verdict.rule == "signer" else "refused"


def _remedy(trouble: Trouble) -> str:
    return trouble.fix or "look whether the load balancer and an API server run; --watch waits for them"
