"""Flags that the operators of the control plane share."""

from __future__ import annotations

from hardway.bootkube.operators.config import MANIFESTS
from hardway.bootkube.operators.row import Flag, flag

NETWORK = f"{MANIFESTS}/cluster-network-02-config.yml"
CONFIGS = "/etc/kubernetes/bootstrap-configs"


def image_flag(what: str) -> Flag:
    return flag("--manifest-image", "${hyperkube}", f"The image of {what}.", "the pod names an image of origin's")


def input_flag() -> Flag:
    return flag(
        "--asset-input-dir",
        "/assets/tls",
        "Keys and certificates: the operator templates them into Secrets and ConfigMaps.",
        "missing required flag; or, for one that is not there, no such file",
    )


def config_flag(stage: str) -> Flag:
    return flag(
        "--config-output-file",
        f"/assets/{stage}/config",
        "The component's configuration file, in place of flags.",
        "missing required flag",
    )


def networks_flag() -> Flag:
    return flag(
        "--cluster-config-file",
        NETWORK,
        "The networks of pods and Services.",
        "no range is set, and Services get addresses that certificates do not have",
    )


def manifests_flag() -> Flag:
    return flag(
        "--rendered-manifest-files",
        MANIFESTS,
        "The manifests made so far: the FeatureGate among them is read.",
        "cannot return FeatureGate without rendered manifests",
    )
