#!/usr/bin/env bash
# Stands before runc where the machine itself may not exceed its limits (CAP_SYS_RESOURCE is missing): what a
# container asks for beyond them is taken out of its specification, which runc would otherwise refuse altogether.
set -euo pipefail
real=/usr/sbin/runc

file='' action='' wanted=''
for word in "$@"; do
    case $wanted in
    bundle) file=$word/config.json ;;
    process) file=$word ;;
    esac
    wanted=''
    case $word in
    create | run | exec) action=${action:-$word} ;;
    --bundle | -b) wanted=bundle ;;
    --bundle=*) file=${word#*=}/config.json ;;
    --process | -p) wanted=process ;;
    --process=*) file=${word#*=} ;;
    esac
done

within_limits() {
    local limits
    limits=$(prlimit --noheadings --raw --output RESOURCE,HARD)
    jq --arg limits "$limits" '
        ([$limits | split("\n")[] | split(" ") | select(.[1] != "unlimited") | {("RLIMIT_" + .[0]): (.[1] | tonumber)}] | add // {}) as $hard
        | def modest:
            (if (.oomScoreAdj // 0) < 0 then .oomScoreAdj = 0 else . end)
            | (if .capabilities then .capabilities |= map_values(map(select(. != "CAP_SYS_RESOURCE"))) else . end)
            | (if .rlimits then .rlimits |= map(select(.hard <= ($hard[.type] // .hard))) else . end);
        if .process then .process |= modest else modest end' "$1"
}

if [[ -n $action && -n $file && -f $file ]]; then
    modest=$(within_limits "$file")
    printf '%s\n' "$modest" >"$file"
fi
exec "$real" "$@"
