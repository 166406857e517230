"""What Ignition says on the console when it cannot go on. The narrow rows stand before the wide ones."""

from __future__ import annotations

from hardway.rhcos.console.row import Trouble, trouble

FETCH = r"(?:GET|HEAD) error: "
"""Ignition asks again and again, for ever if nobody limits it."""

IGNITION: tuple[Trouble, ...] = (
    trouble(
        "config-version",
        r"unsupported config version|invalid config version",
        "the Ignition file is of a version that this RHCOS does not support: image and release do not belong together",
        "install the image of the release (without --iso), or build the files for the release of the image",
        "F20",
    ),
    trouble(
        "config-duplicate",
        r"duplicate entry defined",
        "the Ignition file has one path, unit or user twice",
        "run `hardway verify 08`, which names it; then build, and `hardway install NODE --again`",
        "F21",
    ),
    trouble(
        "config-invalid",
        r"(?:failed to parse (?:cached )?config|couldn't parse config|config is not valid|not a config \(empty\)"
        r"|merging configs resulted in an invalid config|parsing Ignition config)",
        "Ignition cannot read the machine's file",
        "run `hardway verify 08`; then build, and `hardway install NODE --again`",
        "F21",
    ),
    trouble(
        "checksum",
        r"hash verification failed|Error verifying file",
        "the file that Ignition fetched does not have the expected hash: the files were built again after the medium "
        "was made",
        "run `hardway install NODE --again`, which makes a new medium from what is built now",
        "F06",
    ),
    trouble(
        "gone",
        r"(?:GET|HEAD) result: Gone",
        "this machine's file was sent already, whole or in part, and it is sent once",
        "`hardway deliver NODE --dry-run` shows which client received how much; if it was not this machine, the "
        "machine's keys are known to others and must be replaced (`hardway build --rotate ADDRESS`). Then `hardway "
        "install NODE --again`",
    ),
    trouble(
        "forbidden",
        r"(?:GET|HEAD) result: Forbidden",
        "the medium has an older token than the server",
        "run `hardway install NODE --again`, which makes a new medium",
    ),
    trouble(
        "not-yet-valid",
        FETCH + r".*x509: certificate has expired or is not yet valid: .* is before",
        "the machine's clock is behind",
        "set its hardware clock to UTC; in libvirt `hardway infra up` does; the host's own clock must be right too",
        "F02",
        "retried",
    ),
    trouble(
        "expired",
        FETCH + r".*x509: certificate has expired",
        "a certificate has expired, or the machine's clock is far ahead",
        "run `hardway build --rotate expired`, then `hardway install NODE --again`",
        "F01",
        "retried",
    ),
    trouble(
        "authority",
        FETCH + r".*x509: certificate signed by unknown authority",
        "the machine was made with files of another build than the server's",
        "run `hardway install NODE --again` with what is built now",
        "F06",
        "retried",
    ),
    trouble(
        "name",
        FETCH + r".*x509: (?:certificate is (?:not )?valid for |cannot validate certificate for )",
        "the server is requested by a name or address that its certificate does not have",
        "give `hardway install` the address that the machines use with --listen",
        "F07",
        "retried",
    ),
    trouble(
        "dns",
        FETCH + r".*dial tcp: lookup ",
        "the machine has no name server yet, or no name server has the name",
        "run `hardway network check`; give the name servers as `dns` in hosts.yaml",
        "F03",
        "retried",
    ),
    trouble(
        "unreachable",
        FETCH + r".*(?:network is unreachable|no route to host)",
        "the machine has no network: the profile is for another card, or the gateway is wrong",
        "compare hosts.NODE.mac in hosts.yaml with the machine's card, and the addresses with its network",
        "F16",
        "retried",
    ),
    trouble(
        "refused",
        FETCH + r".*(?:connection refused|i/o timeout|Client\.Timeout|connection reset)",
        "nothing answers at the address that the machine requests, or a firewall is in between",
        "keep `hardway install` running until the machine is up; open its port (8443) in the firewall of this host",
        "F26",
        "retried",
    ),
    trouble(
        "server-not-ready",
        FETCH + r".*EOF|(?:GET|HEAD) result: (?:Internal Server Error|Service Unavailable|Bad Gateway)",
        "the load balancer answers, but the server behind it does not work yet",
        "run `hardway network check`; behind port 22623 must be a machine-config server that runs",
        "F05",
        "retried",
    ),
    trouble(
        "fetch",
        r"failed to fetch (?:config|resource)|unable to fetch resource in time|resource not found"
        r"|failed to acquire config",
        "Ignition could not fetch what the machine's file refers to",
        "read the lines before it in the console log: they have the address and the answer",
        "F03",
    ),
    trouble(
        "ignition",
        r"ignition\[\d+\]: (?:.*\[failed\]|Ignition failed:)|Ignition has failed"
        r"|Failed to start .*Ignition \((?:fetch|fetch-offline|kargs|disks|mount|files)\)",
        "Ignition stopped in the middle",
        "read the lines before it in the console log; `hardway verify 08` reads the same file here",
    ),
)
