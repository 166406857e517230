#!/usr/bin/env bash
# Starts the kubelet of the bootstrap node. It has no kubeconfig on purpose: the API server is one of the pods it
# starts, so it only runs what lies in the manifest folder and registers nowhere.
set -euo pipefail

: "${NODE_IP:?not set: /etc/hardway/kubelet.env is missing or incomplete}"
: "${PAUSE_IMAGE:?not set: /etc/hardway/kubelet.env is missing or incomplete}"

read -r -a extra <<<"${KUBELET_EXTRA_ARGS:-}"

exec /usr/bin/kubelet \
    --pod-manifest-path=/etc/kubernetes/manifests \
    --container-runtime-endpoint=unix:///var/run/crio/crio.sock \
    --runtime-request-timeout=10m \
    --cgroup-driver=systemd \
    --node-ip="$NODE_IP" \
    --pod-infra-container-image="$PAUSE_IMAGE" \
    --cluster-domain=cluster.local \
    --volume-plugin-dir=/etc/kubernetes/kubelet-plugins/volume/exec \
    --minimum-container-ttl-duration=6m0s \
    --serialize-image-pulls=false \
    --anonymous-auth=false \
    --read-only-port=0 \
    --v=2 \
    "${extra[@]}"
