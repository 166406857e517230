"""Our reading of certificate requests beside that of Go, whose crypto/x509 the API server and the signer use."""

from __future__ import annotations

from hardway.drive.csr.judge import Verdict, judge_all
from hardway.drive.csr.parse import Request, parse
from tests.support.clusters import load_cluster
from tests.support.csr.disguised import TWO_READERS, disguised
from tests.support.csr.generated import Generated, generated
from tests.support.go.programs import ask
from tests.support.requests import client_request, serving_request

CLUSTER = load_cluster().cluster
CASES, SEED = 10_000, 20261116


def ours(case: Generated) -> tuple[Request, Verdict]:
    """Asked by whom it should be, at the right time: only its content can be wrong."""
    make = serving_request if case.serving else client_request
    request = parse(make(case.node, pem_of=case.pem, usages=list(case.usages)))
    (verdict,) = judge_all([request], CLUSTER, stage=14, joined=[case.node.name] if case.serving else [])
    return request, verdict


def names(case: Generated) -> tuple[list[str], list[str]]:
    return ([case.node.name], sorted(case.node.addresses)) if case.serving else ([], [])


def test_what_is_approved_here_is_what_go_reads_and_kubernetes_would_sign():
    cases = list(generated(CLUSTER, CASES, SEED))
    theirs = ask("gocsr", [{"request": c.pem.decode("latin-1"), "usages": c.usages} for c in cases])
    approved, stricter = 0, 0
    for case, go in zip(cases, theirs, strict=True):
        request, verdict = ours(case)
        signed = go["serving"] if case.serving else go["client"]
        stricter += signed and not verdict.good
        if not verdict.good:
            continue
        approved += 1
        assert request.asked is not None
        read = (go["error"], go["commonName"], go["organizations"], go["others"], go["names"], go["key"])
        expected = ("", f"system:node:{case.node.name}", ["system:nodes"], 0, 0, request.asked.key)
        assert (signed, read) == (True, expected), case.pem
        assert (sorted(go["dnsNames"] or []), sorted(go["addresses"] or [])) == names(case), case.pem
    assert approved > CASES // 20, "too few are good to tell anything"
    assert stricter > CASES // 20, "too few that Go alone would take"


def test_go_takes_what_a_lenient_reader_would_misread():
    """The attack itself: Go reads the API server's names in a request whose other attribute has the node's own."""
    pem = disguised(CLUSTER, CLUSTER.masters[0])[TWO_READERS]
    (go,) = ask("gocsr", [{"request": pem.decode(), "usages": ["digital signature", "server auth"]}])
    assert go["serving"]
    assert go["dnsNames"] == [CLUSTER.api_host, "kubernetes.default.svc", "localhost"]
