"""How many machines of each kind."""

from __future__ import annotations

from hardway.model.config.fields.row import OTHER_PLATFORMS, row
from hardway.model.config.table import FieldRow

ARCHITECTURES = ("amd64", "arm64", "ppc64le", "s390x")
_POOL_PLATFORMS = tuple(name for name in OTHER_PLATFORMS if name != "external")


def _pool(path: str, name: str, replicas: FieldRow) -> tuple[FieldRow, ...]:
    return (
        row(
            f"{path}.name",
            "text",
            f"the pool's name: {name}",
            readers="machine-config pools and the topology in Infrastructure",
            breaks="a pool of another name is refused",
        ),
        replicas,
        row(
            f"{path}.hyperthreading",
            "text",
            "whether both threads of a core are used",
            readers="a MachineConfig with the kernel argument nosmt when it is Disabled",
            breaks="if it is left out, both threads are used",
            values=("Enabled", "Disabled"),
            default="Enabled",
        ),
        row(
            f"{path}.architecture",
            "text",
            "the processors' instruction set; on platform none it is the same for all machines",
            readers="the choice of payload and boot image",
            breaks="an image for another processor does not start",
            values=ARCHITECTURES,
            default="amd64",
        ),
        row(
            f"{path}.platform",
            "mapping",
            "cloud settings of the machines; platform none has no such settings",
            readers="nobody",
            breaks="settings of a cloud are refused",
        ),
        *(
            row(
                f"{path}.platform.{cloud}",
                "any",
                f"how {cloud} would make these machines",
                readers="the installer's code for that platform only",
                breaks="the file is refused, because the platform is none",
            )
            for cloud in _POOL_PLATFORMS
        ),
    )


_MASTERS = row(
    "controlPlane.replicas",
    "int64",
    "how many control-plane machines there are",
    readers="controlPlaneTopology in Infrastructure, the number of etcd members, the plan",
    breaks="with fewer than three, the cluster does not survive the loss of one",
    default=3,
)
_WORKERS = row(
    "compute[].replicas",
    "int64",
    "how many workers there are",
    readers="infrastructureTopology in Infrastructure, mastersSchedulable in Scheduler, the plan",
    breaks="with none, the control-plane machines run the workloads, and ingress must lead there (F33)",
    default=3,
)
ROWS = (
    row(
        "controlPlane",
        "mapping",
        "the machines that run etcd and the API",
        readers="as its fields",
        breaks="if it is left out, there are three",
        default={},
    ),
    *_pool("controlPlane", "master, whatever is written", _MASTERS),
    row(
        "compute",
        "list",
        "the machines that run workloads: one pool named worker",
        readers="as its fields",
        breaks="if no pool is named worker, one with three machines is added",
    ),
    row("compute[]", "mapping", "a pool of machines", readers="as its fields", breaks="an unnamed pool is refused"),
    *_pool("compute[]", "worker; platform none allows no other", _WORKERS),
)
