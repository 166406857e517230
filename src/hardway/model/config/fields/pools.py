"""How many machines of each kind."""

from __future__ import annotations

from hardway.model.config.fields.row import OTHER_PLATFORMS, row
from hardway.model.config.table import FieldRow

ARCHITECTURES = ("amd64", "arm64", "ppc64le", "s390x")
_POOL_PLATFORMS = tuple(name for name in OTHER_PLATFORMS if name != "external")


def _pool(path: str, name: str, machines: str) -> tuple[FieldRow, ...]:
    return (
        row(
            f"{path}.name",
            "text",
            f"the pool's name: {name}",
            readers="machine-config pools and the topology in Infrastructure",
            breaks="a pool of another name is refused",
        ),
        row(
            f"{path}.replicas",
            "int64",
            f"how many {machines} there are",
            readers="Infrastructure topology, the scheduler's mastersSchedulable, the etcd quorum, this tool's plan",
            breaks="too few control planes cannot lose one; no workers means that the control planes carry the load",
            default=3,
        ),
        row(
            f"{path}.hyperthreading",
            "text",
            "whether both threads of a core are used",
            readers="a MachineConfig with the kernel argument nosmt when it is Disabled",
            breaks="nothing",
            values=("Enabled", "Disabled"),
            default="Enabled",
        ),
        row(
            f"{path}.architecture",
            "text",
            "the processors' instruction set, the same for all machines on none",
            readers="the choice of payload and boot image",
            breaks="an image for another processor does not start",
            values=ARCHITECTURES,
            default="amd64",
        ),
        row(
            f"{path}.platform",
            "mapping",
            "cloud settings of the machines; there are none on none",
            readers="nobody",
            breaks="settings of a cloud are refused",
        ),
        *(
            row(
                f"{path}.platform.{cloud}",
                "any",
                f"how {cloud} would make these machines",
                readers="the installer's code for that platform only",
                breaks="the file is refused, for the cluster stands on none",
            )
            for cloud in _POOL_PLATFORMS
        ),
    )


ROWS = (
    row(
        "controlPlane",
        "mapping",
        "the machines that run etcd and the API",
        readers="as its fields",
        breaks="without it there are three",
        default={},
    ),
    *_pool("controlPlane", "master, whatever is written", "control plane machines"),
    row(
        "compute",
        "list",
        "the machines that run workloads: one pool named worker",
        readers="as its fields",
        breaks="without a pool named worker one with three machines is added",
    ),
    row("compute[]", "mapping", "a pool of machines", readers="as its fields", breaks="an unnamed pool is refused"),
    *_pool("compute[]", "worker, and no other on none", "workers"),
)
