#!/usr/bin/env bash
# within.sh GROUP... -- COMMAND...: run a program in control groups of the lab, with the terminal of whoever calls it.
set -euo pipefail

while [[ $1 != -- ]]; do
    echo $$ >"$1/cgroup.procs"
    shift
done
shift
exec "$@"
