#!/usr/bin/env bash
# The first thing that runs on a node: what a machine of its own has, and a booted folder has not.
set -euo pipefail

# Volumes and pod sandboxes are mounted here and must appear in pods that are running already.
mount --make-rshared /

# cgroup v1: the controllers come read-only, although each begins at this node's own group.
while read -r type place; do
    if [[ $type == cgroup ]]; then
        mount -o remount,bind,rw "$place"
    fi
done < <(findmnt --raw --noheadings --output FSTYPE,TARGET)

# Settings of the kernel that all nodes share with their host. The kubelet refuses to start unless they have these
# values, so it is shown files that do; the host keeps its own.
shown=/run/hardway/kernel
show() {
    mkdir -p "$shown/${1%/*}"
    echo "$2" >"$shown/$1"
    mount --bind "$shown/$1" "/proc/sys/$1"
}
show vm/overcommit_memory 1
show vm/panic_on_oom 0
show kernel/panic 10
show kernel/panic_on_oops 1
show kernel/keys/root_maxkeys 1000000
show kernel/keys/root_maxbytes 25000000
