#!/usr/bin/env bash
# launch.sh LOG GROUP... -- COMMAND...: run a program of the lab in control groups of its own, so that it and whatever
# it starts can be found, and ended, by asking the kernel.
set -euo pipefail

# Whoever reads this script's output waits until the groups are joined, and no longer.
exec 3>&1 >>"$1" 2>&1 </dev/null
shift
while [[ $1 != -- ]]; do
    echo $$ >"$1/cgroup.procs"
    shift
done
shift
exec 3>&-
exec "$@"
