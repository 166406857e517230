"""Which failure modes lead to which: what a log or a running cluster shows of one may come from another."""

from __future__ import annotations

from hardway.checks.failures import BY_ID
from hardway.doctor.causes.row import Leads, leads
from hardway.model.why import Why, because


def _row(cause: str, effects: str, why: str) -> tuple[Leads, ...]:
    return leads(cause, effects, why, BY_ID[cause].why.source)


TRUST: tuple[Leads, ...] = (
    *_row("F01", "F27 F56", "a kubelet with an expired certificate is refused, and requests no new one"),
    *_row("F01", "F30 F43", "bootkube.sh cannot use the API server whose certificate has expired"),
    *_row("F02", "F27 F56", "a machine whose clock is behind refuses the API server's certificate"),
    *_row("F02", "F30", "members with different clocks refuse each other's certificates"),
    *_row("F06", "F27 F56", "a kubelet of another build does not trust the API server, or is not trusted by it"),
    *_row("F06", "F10 F30", "clients that trust the new signer refuse certificates of the replaced one"),
    *_row("F07", "F27 F56", "a kubelet refuses an API server whose certificate lacks the name that it uses"),
    *_row("F07", "F43", "bootkube.sh refuses the API server on localhost, and waits until its time is over"),
    *_row("F08", "F30", "a member that refuses its peers' certificates cannot be joined"),
    *_row("F09", "F06 F08", "a verifier that finds no valid chain calls the authority unknown"),
    *_row("F10", "F33", "OAuth's API server is an extension API server, and login waits for it"),
)
IMAGES = "images that cannot be pulled do not run: the machine-config server, operators, OVN"
PULLS: tuple[Leads, ...] = (
    *_row("F11", "F05 F30 F32 F43", IMAGES),
    *_row("F12", "F05 F30 F32 F43", IMAGES),
    *_row("F48", "F05 F30 F32 F43", IMAGES),
    *_row("F49", "F05 F30 F32 F43", IMAGES),
    *_row("F45", "F05 F30 F32 F43", "images cannot be pulled from a registry whose name does not resolve"),
    *_row("F34", "F12", "a search domain with a catch-all record turns the registry's name into another host's"),
)
CONFIGURATION: tuple[Leads, ...] = (
    *_row("F13", "F27 F56", "a kubelet that reaches api-int through the proxy gets no answer"),
    *_row("F13", "F32", "operators send requests for 172.30.0.1 to the proxy, which has no way there"),
    *_row("F14", "F32 F33", "packets for an address that is in two networks go to the wrong one"),
    *_row("F20", "F56", "a machine whose Ignition file cannot be read does not start its kubelet"),
    *_row("F21", "F56", "a machine whose Ignition file cannot be read does not start its kubelet"),
    *_row("F35", "F33", "the authentication operator makes no route for a name that is no host name"),
    *_row("F41", "F05 F22", "the machine-config controller renders no pool without the feature gates of its version"),
    *_row("F42", "F30 F32", "the operator that reads the object does not find it"),
    *_row("F42", "F43", "bootkube.sh tries the same objects again until its time is over"),
)
NETWORK: tuple[Leads, ...] = (
    *_row("F50", "F03 F56", "without a lease the machine has neither an address nor a name server"),
    *_row("F16", "F03 F56", "a card without an address reaches no name server and no API server"),
    *_row("F17", "F16", "NetworkManager ignores a profile of the wrong mode, so that the card has no address"),
    *_row("F17", "F24", "a script without its mode bit cannot be executed"),
    *_row("F55", "F33 F44 F45", "the name server that is asked first does not know the name"),
    *_row("F03", "F33 F44 F45", "without a name server no name resolves"),
    *_row("F03", "F56", "a machine that resolves nothing fetches no Ignition file and finds no API server"),
    *_row("F44", "F56", "a kubelet that cannot resolve api-int finds no API server"),
    *_row("F04", "F05 F56", "the machine that api-int names runs no server on that port"),
    *_row("F05", "F56", "a machine without its Ignition file has no kubelet"),
    *_row("F15", "F27 F56", "localhost is no planned node, so its request is not approved"),
    *_row("F18", "F30", "etcd has recorded the address of the first boot"),
    *_row("F46", "F08", "etcd's certificate has the planned address, and peers see the other one"),
    *_row("F46", "F28", "a request for a serving certificate with the other address is not the plan's"),
    *_row("F46", "F30 F56", "peers and the API server connect to an address that they cannot reach"),
    *_row("F19", "F32 F56", "without br-ex the node has no network, and OVN does not start"),
    *_row("F25", "F05 F33 F56", "a server that fails a wrong health check gets no connections"),
    *_row("F25", "F43", "watches that break off every minute make every step slower"),
    *_row("F26", "F05 F33 F56", "clients cannot reach a port that is closed or not bound"),
    *_row("F47", "F32", "the ClusterIP of the API leads to port 6443 of the masters, which the firewall closes"),
    *_row("F51", "F05 F30 F32 F43", "large packets are lost, so that handshakes and pulls do not finish"),
)
NODES: tuple[Leads, ...] = (
    *_row("F23", "F22 F56", "the machine-config daemon does not know the node's role, and the kubelet lacks its CA"),
    *_row("F24", "F43 F56", "what the unit should have done is missing"),
    *_row("F39", "F56", "no container of the control plane or of the node runs"),
    *_row("F40", "F56", "the machine is never installed"),
    *_row("F52", "F56", "the machine is never installed"),
    *_row("F53", "F56", "the machine never boots its installed system"),
    *_row("F29", "F27", "a request that cannot be made, or signed, is never issued"),
    *_row("F27", "F28", "the serving certificate is requested after the client certificate"),
    *_row("F27", "F54 F56", "a machine whose request waits is no node, and nothing runs on it"),
    *_row("F56", "F54", "routers wait for a node that accepts them"),
    *_row("F56", "F30", "the etcd operator adds a member for each master that is a node"),
    *_row("F38", "F37", "a machine that swaps or shares its processors too widely writes late"),
    *_row("F38", "F43 F56", "what is killed for lack of memory starts again and again"),
    *_row("F37", "F30 F31", "a member that writes late loses its leader and is not promoted"),
)
PIVOT: tuple[Leads, ...] = (
    *_row("F22", "F43", "the machine-config operator is not available while a pool is degraded"),
    *_row("F32", "F10 F30", "operators and extension API servers run in pods, and reach the API by its ClusterIP"),
    *_row("F32", "F33", "operators that run in pods cannot work without a pod network"),
    *_row("F30", "F31", "with one member, the bootstrap member is the quorum"),
    *_row("F30", "F43", "the bootstrap is complete only with etcd on the masters"),
    *_row("F31", "F43", "without a leader nothing is written"),
    *_row("F54", "F33", "routes need a router that runs"),
    *_row("F33", "F43", "the installation is complete only with authentication and console"),
)
SILENT = "an API server that does not run, cannot be reached or is not trusted gives no answer"
UNSERVED = ["F01", "F02", "F04", "F07", "F08", "F11", "F12", "F25", "F26", "F31", "F37", "F38", "F45", "F48", "F49"]
RUNNING: tuple[Leads, ...] = (
    *(
        row
        for mode in ("F11", "F12", "F45", "F48", "F49")
        for row in _row(mode, "cluster.pods", "the pod's image cannot be pulled")
    ),
    *(row for mode in UNSERVED for row in _row(mode, "cluster.answers", SILENT)),
    *_row("F56", "final.listens", "a kubelet that does not come up serves nothing"),
    *_row("F28", "final.listens", "a kubelet without a serving certificate ends every handshake"),
    *_row("F30", "cluster.answers", "an API server whose etcd has no quorum answers nothing"),
    *_row("F38", "cluster.nodes cluster.pods", "what is killed for lack of memory starts again and again"),
    *_row("F32", "cluster.nodes", "a node without a CNI configuration is not Ready"),
    *(row for mode in ("F01", "F06") for row in _row(mode, "cluster.nodes", "the API server refuses its kubelet")),
)
MODES: tuple[Leads, ...] = (*TRUST, *PULLS, *CONFIGURATION, *NETWORK, *NODES, *PIVOT, *RUNNING)

ALONE: dict[str, Why] = {
    "F36": because("it is the intended state on platform none, and only builds and pushes are affected"),
}
"""Modes that neither come from another one nor lead to one."""
