#!/usr/bin/env bash
# In the kubelet's place: the units name its options, and the last word on an option wins.
set -euo pipefail

mapfile -t extra </etc/hardway/lab/kubelet-arguments
exec /usr/libexec/hardway/kubelet "$@" "${extra[@]}"
