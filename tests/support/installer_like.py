"""Our own bootstrap.ign rearranged as the installer arranges it: a reference to plant defects in."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from typing import Any

from hardway.compare.contents import content, mapping
from hardway.compare.places import PLACES, SECRETS, TLS
from hardway.compare.values import decoded, fields
from tests.support.planting import entry, good, unit

OURS_ALONE = ("etcd-", "bound-", "controller-manager.", "scheduler.")
KUBELET = """#!/usr/bin/env bash
. /usr/local/bin/bootstrap-service-record.sh

/usr/bin/kubelet \\
  --anonymous-auth=false --container-runtime-endpoint=/var/run/crio/crio.sock --cgroup-driver=systemd \\
  --runtime-request-timeout="${KUBELET_RUNTIME_REQUEST_TIMEOUT}" --pod-manifest-path=/etc/kubernetes/manifests \\
  --minimum-container-ttl-duration=6m0s --cluster-domain=cluster.local --serialize-image-pulls=false --v=2 \\
  --volume-plugin-dir=/etc/kubernetes/kubelet-plugins/volume/exec \\
  --pod-infra-container-image="${MACHINE_CONFIG_INFRA_IMAGE}"
"""
KUBELET_UNIT = """[Unit]
Description=other words
Wants=rpc-statd.service crio.service release-image.service
After=crio.service release-image.service
[Service]
Type=notify
NotifyAccess=all
ExecStartPre=/bin/mkdir --parents /etc/kubernetes/manifests
ExecStartPre=/bin/mkdir --parents /etc/kubernetes/kubelet-plugins/volume/exec
ExecStartPre=/usr/local/bin/kubelet-pause-image.sh
Environment=KUBELET_RUNTIME_REQUEST_TIMEOUT=10m
EnvironmentFile=-/etc/kubernetes/kubelet-env
EnvironmentFile=-/etc/kubernetes/kubelet-pause-image-override
ExecStart=/usr/local/bin/kubelet.sh
Restart=always
RestartSec=10
[Install]
WantedBy=multi-user.target
"""
BOOTKUBE_UNIT = """[Unit]
Description=other words
Requires=crio-configure.service
Wants=kubelet.service
After=kubelet.service crio-configure.service
ConditionPathExists=!/opt/openshift/.bootkube.done
[Service]
WorkingDirectory=/opt/openshift
ExecStart=/usr/local/bin/bootkube.sh
Restart=on-failure
RestartSec=5s
"""
TLS_FLAGS = " \\\n  ".join(
    f"--{flag}={TLS}{file}"
    for flag, file in (("key", "journal-gatewayd.key"), ("cert", "journal-gatewayd.crt"), ("trust", "root-ca.crt"))
)
GATEWAY = f"[Service]\nExecStart=\nExecStart=/usr/lib/systemd/systemd-journal-gatewayd \\\n  {TLS_FLAGS}\n"
STAGES = (
    "openshift-manifests api-bootstrap config-bootstrap cvo-bootstrap etcd-bootstrap kube-apiserver-bootstrap "
    "kube-controller-manager-bootstrap kube-scheduler-bootstrap ingress-operator-bootstrap node-tuning-bootstrap "
    "cmdbootline-nto-bootstrap mco-bootstrap cco-bootstrap wait-for-etcd cb-bootstrap cvo-overrides wait-for-ceo"
)
BOOTKUBE = "#!/bin/bash\n" + "".join(f'record_service_stage_start "{stage}"\n' for stage in STAGES.split())


def put(config: dict[str, Any], path: str, text: bytes | str) -> None:
    """Other bytes in a file, which is made if there is none."""
    raw = text.encode() if isinstance(text, str) else text
    known = {f["path"]: f for f in config["storage"]["files"]}
    if path not in known:
        known[path] = {"path": path, "mode": 0o600, "overwrite": True, "user": {"name": "root"}}
        config["storage"]["files"].append(known[path])
    part = {"source": f"data:text/plain;charset=utf-8;base64,{b64encode(raw).decode()}"}
    known[path] |= {"append": [part]} if "append" in known[path] else {"contents": part}


@cache
def _rearranged() -> str:
    config: dict[str, Any] = json.loads(good())
    for path, place in PLACES.items():
        file, _, field = place.partition("#")
        put(config, path, decoded(str(dict(fields(mapping(content(entry(config, file)))))[field])))
    for file in list(config["storage"]["files"]):
        name = file["path"].removeprefix(SECRETS)
        if name != file["path"]:
            config["storage"]["files"].remove(file)
            if not name.startswith(OURS_ALONE):
                put(config, TLS + name, content(file))
    _spoken_as_there(config)
    return json.dumps(config)


def _spoken_as_there(config: dict[str, Any]) -> None:
    put(config, "/usr/local/bin/kubelet.sh", KUBELET)
    put(config, "/usr/local/bin/bootkube.sh", BOOTKUBE)
    put(config, "/etc/motd", "bootkube")
    unit(config, "kubelet.service")["contents"] = KUBELET_UNIT
    bootkube = unit(config, "bootkube.service")
    bootkube["contents"] = BOOTKUBE_UNIT
    del bootkube["enabled"]
    unit(config, "systemd-journal-gatewayd.service")["dropins"][0]["contents"] = GATEWAY
    never = "[Unit]\nConditionPathExists=/enoent\n"
    unit(config, "zincati.service")["dropins"] = [{"name": "okd-machine-os-disabled.conf", "contents": never}]


def installer_like() -> dict[str, Any]:
    config: dict[str, Any] = json.loads(_rearranged())
    return config
