#!/usr/bin/env bash
# Stands before runc: what a container asks for and this node itself does not have is taken out of its specification,
# which runc would otherwise refuse altogether. A privileged container gets what its node has, and no more.
set -euo pipefail
real=/usr/sbin/runc
devices=${HARDWAY_DEVICES:-/etc/hardway/lab/devices.json}

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

# In the order of their numbers, as capability.h has them.
capabilities=(CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
    NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE
    SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL
    SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE)

# The capabilities that this process may hand on.
held() {
    local name value bounding='' number
    while read -r name value; do
        [[ $name != CapBnd: ]] || bounding=$((16#$value))
    done </proc/self/status
    for number in "${!capabilities[@]}"; do
        ((bounding >> number & 1)) && printf 'CAP_%s ' "${capabilities[number]}"
    done
    return 0
}

within_limits() {
    local limits
    limits=$(prlimit --noheadings --raw --output RESOURCE,HARD)
    jq --arg limits "$limits" --arg held "$(held)" --slurpfile devices "$devices" '
        ([$limits | split("\n")[] | split(" ") | select(.[1] != "unlimited") | {("RLIMIT_" + .[0]): (.[1] | tonumber)}] | add // {}) as $hard
        | ($held | split(" ")) as $caps
        | ($caps | index("CAP_SYS_RESOURCE") == null) as $bound
        | def modest:
            (if $bound and (.oomScoreAdj // 0) < 0 then .oomScoreAdj = 0 else . end)
            | (if .capabilities then .capabilities |= map_values(map(select(IN($caps[])))) else . end)
            | (if $bound and .rlimits then .rlimits |= map(select(.hard <= ($hard[.type] // .hard))) else . end);
        def known: [.[] | if .allow and (.type // "a") == "a" and .major == null then $devices[0][] else . end];
        (if .process then .process |= modest else modest end)
        | (if .linux.resources.devices then .linux.resources.devices |= known else . end)' "$1"
}

if [[ -n $action && -n $file && -f $file ]]; then
    modest=$(within_limits "$file")
    printf '%s\n' "$modest" >"$file"
fi
exec "$real" "$@"
