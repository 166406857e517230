#!/usr/bin/env bash
# Leads the cluster from "static pods are starting on this machine" to "the masters can do without it".
#
# Every wait has a reason and a limit, and ends with a message that says how to look. Whatever was done stays done:
# a second run, after a failure or a reboot, takes up where the first one stopped, and never overwrites an object.
set -euo pipefail
shopt -s nullglob
export LC_ALL=C HOME="${HOME:-/root}"

root=${HARDWAY_ROOT:-}
# shellcheck source=/dev/null
. "$root/etc/hardway/bootkube.env"
: "${MASTERS:?bootkube.env does not name the masters}"
: "${MASTERS_NEEDED:?bootkube.env does not say how many masters must serve}"
: "${MADE_BY_HAND?bootkube.env does not say which static pods of the masters are made by hand}"
: "${MADE_BY_OPERATORS?bootkube.env does not say which are made by operators}"

pause=${BOOTKUBE_PAUSE:-5}
short_pause=${BOOTKUBE_PAUSE:-2} # for what comes within a minute or never
start_limit=${BOOTKUBE_START_LIMIT:-1200}
stall_limit=${BOOTKUBE_STALL_LIMIT:-1800}
masters_limit=${BOOTKUBE_MASTERS_LIMIT:-3600}
finish_limit=${BOOTKUBE_FINISH_LIMIT:-600}

opt=$root/opt/openshift
secrets=$root/etc/kubernetes/bootstrap-secrets
markers=$opt/.bootkube
done_marker=$opt/.bootkube.done

say() {
    local text="$*"
    printf 'bootkube: %s\n' "${text//$'\n'/$'\n'bootkube: }"
}

fail() {
    say "FAILED: $*" >&2
    exit 1
}

# The API server of this machine: it needs neither DNS nor load balancer.
local_api() {
    oc --kubeconfig="$opt/auth/kubeconfig-loopback" --request-timeout=60s "$@"
}

# The API through api-int, the way that nodes take.
internal_api() {
    oc --kubeconfig="$opt/auth/kubeconfig" --request-timeout=60s "$@"
}

# once NAME COMMAND...: run the command unless an earlier run has finished it.
once() {
    local name=$1
    shift
    if [[ -e $markers/$name ]]; then
        say "$name: done by an earlier run"
        return
    fi
    "$@"
    touch "$markers/$name"
}

# wait_for LIMIT WHAT LOOK COMMAND...: until the command succeeds; its last words are the reason if it never does.
wait_for() {
    local limit=$1 what=$2 look=$3 begun=$SECONDS said='' answer
    shift 3
    say "waiting for $what"
    until answer=$("$@" 2>&1); do
        if [[ $answer != "$said" ]]; then
            say "not yet: $answer"
            said=$answer
        fi
        if ((SECONDS - begun >= limit)); then
            fail "waited $limit s for $what, in vain. The last answer was: ${answer:-none}. Look with: $look"
        fi
        sleep "$pause"
    done
    say "$what: yes"
}

etcd_is_healthy() {
    local answer
    answer=$(curl --silent --show-error --noproxy '*' --max-time 10 --cacert "$secrets/etcd-ca-bundle.crt" \
        --cert "$secrets/etcd-client.crt" --key "$secrets/etcd-client.key" https://localhost:2379/health) || return 1
    echo "$answer"
    [[ $answer == *'"health":"true"'* ]]
}

api_is_ready() {
    local_api get --raw=/readyz
}

# create FILE...: by one call for many, which goes on after a failure and names the file in what it says of one.
#
# A field that the release's type does not have is named in a warning and dropped: the installer's own manifests have
# some. The types of v1 are Kubernetes' own, the same in every release, and not looked at: for each object of theirs oc
# would read the server's description of them all again, which takes longer than everything else.
create() {
    local failed=0
    local -a core others
    mapfile -t core < <(grep --files-without-match '^apiVersion:.*/' "$@")
    mapfile -t others < <(grep --files-with-matches '^apiVersion:.*/' "$@")
    ((${#core[@]} == 0)) || local_api create --validate=ignore "${core[@]/#/--filename=}" || failed=1
    ((${#others[@]} == 0)) || local_api create --validate=warn "${others[@]/#/--filename=}" || failed=1
    return $failed
}

# create_all FILE...: an object that exists already is somebody's by now and stays as it is. `left` has afterwards the
# files whose object is not there yet, and `reason` why; `progress` says whether any was made.
create_all() {
    local answer
    left=() reason=()
    if answer=$(create "$@" 2>&1); then
        say "$answer"
        progress=yes
    else
        understand "$answer" "$@"
    fi
}

# understand ANSWER FILE...: the answer of a call that has failed for some of the files, or for all.
understand() {
    local answer=${1//ensure CRDs are installed first/} file line other='' created=0 named=0
    local -A exists=()
    shift
    while read -r line; do
        line=${line#[[,]} line=${line# } line=${line#error: } # failures that are the client's own come as one list
        case $line in
        '' | ']' | [IWEF][0-9][0-9][0-9][0-9]' '*) ;; # the last is the client's log
        *' created') say "$line" && created=$((created + 1)) ;;
        'Warning: '*) [[ -n ${said[$line]:-} ]] || say "$line" && said[$line]=yes ;;
        *) attribute "$line" "$@" || other+=${other:+$'\n'}$line ;;
        esac
    done <<<"$answer"
    for file in "$@"; do
        [[ -z ${exists[$file]:-}${reason[$file]:-} ]] || named=$((named + 1))
    done
    ((created == 0)) || progress=yes
    for file in "$@"; do
        if [[ -n ${reason[$file]:-} ]] && is_there "$file"; then
            reason[$file]=''
        elif ((created + named < $#)) && [[ -z ${exists[$file]:-}${reason[$file]:-} ]]; then # not all were spoken of
            reason[$file]=${other:-no word of it}
        fi
        [[ -z ${reason[$file]:-} ]] || left+=("$file")
    done
}

# attribute LINE FILE...: to those it names, or to the only one there is.
attribute() {
    local line=$1 file found=1
    shift
    for file in "$@"; do
        [[ $# -eq 1 || $line == *"\"$file\""* || $line == *" $file: "* ]] || continue
        found=0
        if [[ $line == *'(AlreadyExists)'* ]]; then
            exists[$file]=yes
        else
            reason[$file]+=${reason[$file]:+$'\n'}${line/error when creating \"$file\": /}
        fi
    done
    return $found
}

# is_there FILE: although its creation was refused, since the server looks at the contents first.
is_there() {
    case ${reason[$1]} in
    *'(NotFound)'*) return 1 ;;
    *'Error from server ('* | *' is invalid: '*) local_api get --output=name --filename="$1" >/dev/null 2>&1 ;;
    *) return 1 ;;
    esac
}

# A create drops the status of types that have it as a subresource: operators would find an Infrastructure without
# URLs. So it is written by a second call, if the manifest has one and the object has none. The version of the object
# goes with it: should somebody write a status in between, it stays.
write_statuses() {
    local wanted live missing
    wanted=$(local_api create --dry-run=client --validate=ignore --output=json "${@/#/--filename=}") || return 1
    live=$(local_api get --output=json "${@/#/--filename=}") || return 1
    missing=$(jq --null-input --slurpfile wanted <(echo "$wanted") --slurpfile live <(echo "$live") '
        def objects: if .kind == "List" then .items[] else . end;
        def id: [.apiVersion, .kind, .metadata.namespace, .metadata.name];
        [$wanted[] | objects | select((.status // {}) != {})] as $manifests
        | [$live[] | objects | select((.status // {}) == {}) | id as $id | . + ($manifests[] | select(id == $id) | {status})]
        | select(length > 0) | {apiVersion: "v1", kind: "List", items: .}') || return 1
    [[ -z $missing ]] || local_api replace --subresource=status --validate=ignore --filename=- <<<"$missing"
}

# ensure_statuses FILE...: of the objects that are there; by one call, or one by one to see which of them fails.
ensure_statuses() {
    local answer file
    local -a with files=()
    mapfile -t with < <(grep --files-with-matches '^status:' "$@")
    for file in "${with[@]}"; do
        [[ -n ${reason[$file]:-} ]] || files+=("$file")
    done
    if ((${#files[@]} == 0)); then
        return
    elif answer=$(write_statuses "${files[@]}" 2>&1); then
        [[ -z $answer ]] || say "$answer"
        return
    fi
    for file in "${files[@]}"; do
        if answer=$(write_statuses "$file" 2>&1); then
            [[ -z $answer ]] || say "$answer"
        else
            reason[$file]=$answer
            left+=("$file")
        fi
    done
}

# Why files are left, unless that was said before; those with the same reason together.
report() {
    local file why
    local -A names=()
    for file in "${left[@]}"; do
        why=${reason[$file]}
        [[ ${said[$file]:-} == "$why" ]] || names[$why]+=" ${file##*/}"
        said[$file]=$why
    done
    for file in "${left[@]}"; do
        why=${reason[$file]}
        [[ -z ${names[$why]:-} ]] || say "not yet:${names[$why]}: $why"
        names[$why]=''
    done
}

# ensure_all WHAT FILE...: all of them, in this order, again and again while some wait for a type or a namespace that
# somebody else brings. The limit counts from the last success: slow is not stuck.
ensure_all() {
    local what=$1 moved=$SECONDS file progress
    local -a left
    local -A reason said=()
    shift
    say "creating $# $what"
    while (($# > 0)); do
        progress=''
        create_all "$@"
        ensure_statuses "$@"
        report
        if [[ -n $progress ]] || ((${#left[@]} < $#)); then
            moved=$SECONDS
        elif ((SECONDS - moved >= stall_limit)); then
            for file in "${left[@]}"; do
                say "left: ${file#"$root"}: ${reason[$file]}"
            done
            fail "${#left[@]} $what could not be created, and none has made progress for $stall_limit s; they are listed above. Look with: oc get clusterversion,clusteroperators"
        elif ((SECONDS - moved < 60)); then
            sleep "$short_pause"
        else
            sleep "$pause"
        fi
        set -- "${left[@]}"
    done
}

# All that were brought along; those that are not established yet are waited for by name, since that is slow with many.
crds_are_established() {
    local waiting
    local -a names
    waiting=$(local_api get --output=json --filename="$opt/crds" | jq --raw-output \
        'if .kind == "List" then .items[] else . end
         | select(any(.status.conditions[]?; .type == "Established" and .status == "True") | not) | "crd/" + .metadata.name') || return 1
    mapfile -t names <<<"$waiting"
    [[ -z $waiting ]] || local_api wait --for=condition=Established --timeout=30s "${names[@]}"
}

crds() {
    local -a files=("$opt"/crds/*.yaml)
    if ((${#files[@]} == 0)); then
        say 'no CRDs were brought along: types will come with CVO, and manifests wait for them'
        return
    fi
    ensure_all CRDs "${files[@]}"
    wait_for "$start_limit" 'all CRDs to be established' 'oc get crd' crds_are_established
}

# Namespaces first, since others live in them; the rest in the order of their names.
manifests() {
    local -a files=("$opt"/{manifests,openshift}/*.y*ml) namespaces others
    if ((${#files[@]} == 0)); then
        fail "there is no manifest below $opt: this machine was set up from an incomplete bootstrap.ign"
    fi
    mapfile -t namespaces < <(grep --files-with-matches --line-regexp 'kind: Namespace' "${files[@]}")
    mapfile -t others < <(grep --files-without-match --line-regexp 'kind: Namespace' "${files[@]}")
    ensure_all manifests "${namespaces[@]}" "${others[@]}"
}

masters_are_ready() {
    local ready name
    local -a missing=()
    ready=$(local_api get nodes --selector=node-role.kubernetes.io/master --output=json |
        jq --raw-output '.items[] | select(any(.status.conditions[]?; .type == "Ready" and .status == "True")) | .metadata.name') || return 1
    for name in $MASTERS; do
        grep --quiet --line-regexp --fixed-strings "$name" <<<"$ready" || missing+=("$name")
    done
    if ((${#missing[@]} > 0)); then
        echo "not Ready: ${missing[*]}"
        return 1
    fi
}

# operator RESOURCE: what an operator says of its static pods; nothing if there is no such operator.
operator() {
    local crd
    crd=$(local_api get crd "$1" --ignore-not-found --output=name) || return 1
    [[ -z $crd ]] || local_api get "$1" cluster --ignore-not-found --output=json
}

# revisions RESOURCE: on how many nodes the operator has rolled a revision out; nothing if it does not say.
revisions() {
    operator "$1" | jq --raw-output 'select(.status.nodeStatuses) | [.status.nodeStatuses[] | select((.currentRevision // 0) > 0)] | length'
}

# ready_pods NAMESPACE NAME: on how many masters the static pod of that name is Ready.
ready_pods() {
    local_api get pods --namespace="$1" --output=json | jq --arg pod "$2" --arg masters "$MASTERS" \
        '[$masters | split(" ")[] | $pod + "-" + .] as $wanted
         | [.items[] | select(.metadata.name | IN($wanted[])) | select(any(.status.conditions[]?; .type == "Ready" and .status == "True"))] | length'
}

# Who makes the masters' control plane was decided by the release: of each part made by hand, the pods themselves
# count; of each made by an operator, its own word.
masters_serve() {
    local made count
    for made in $MADE_BY_HAND; do
        count=$(ready_pods "${made%/*}" "${made#*/}") || return 1
        if ((count < MASTERS_NEEDED)); then
            echo "$made runs on $count of $MASTERS_NEEDED masters"
            return 1
        fi
    done
    for made in $MADE_BY_OPERATORS; do
        count=$(revisions "$made") || return 1
        if ((${count:-0} < MASTERS_NEEDED)); then
            echo "$made: a revision is on ${count:-0} of $MASTERS_NEEDED masters"
            return 1
        fi
    done
    [[ $MADE_BY_OPERATORS != *etcds.* ]] || etcd_runs_in_cluster
}

# The etcd operator's own measure: as many healthy members as the topology needs, beside this machine's.
etcd_runs_in_cluster() {
    local condition
    condition=$(operator etcds.operator.openshift.io | jq --raw-output \
        '[.status.conditions[]? | select(.type == "EtcdRunningInCluster") | .status][0] // "not reported"') || return 1
    if [[ $condition != True ]]; then
        echo "EtcdRunningInCluster is ${condition:-not reported}"
        return 1
    fi
}

# This machine's CVO leaves with its API server: the cluster's own must have taken over.
version_operator_runs() {
    local count
    count=$(local_api get pods --namespace=openshift-cluster-version --output=json | jq \
        '[.items[] | select(.metadata.name | startswith("cluster-version-operator-")) | select(any(.status.conditions[]?; .type == "Ready" and .status == "True"))] | length') || return 1
    if ((count == 0)); then
        echo 'no pod cluster-version-operator-* is Ready'
        return 1
    fi
}

api_is_gone() {
    if (exec 3<>/dev/tcp/127.0.0.1/6443) 2>/dev/null; then
        echo 'port 6443 is still open'
        return 1
    fi
}

# The etcd operator takes this machine's member away as soon as the bootstrap is complete. An API server that asks that
# member must be gone by then, and the others have taken over; it ends in peace, once no load balancer sends it anything.
tear_down() {
    local file
    wait_for "$masters_limit" "the cluster's own CVO to run" \
        'oc get pods -n openshift-cluster-version; its certificate comes from service-ca' version_operator_runs
    for file in $TEAR_DOWN; do
        rm -f "$root$file"
    done
    wait_for "$finish_limit" "this machine's API server to end" 'crictl ps --name kube-apiserver' api_is_gone
}

# While this machine created objects of its own, CVO was told to leave them alone; now they are CVO's.
return_overrides() {
    internal_api patch clusterversion version --type=merge --patch-file="$opt/original_cvo_overrides.patch"
}

# Whoever waits for the end of the bootstrap, etcd's operator among them, waits for this ConfigMap.
report_complete() {
    local found
    found=$(internal_api get configmap bootstrap --namespace=kube-system --ignore-not-found --output=name) || return 1
    [[ -n $found ]] || internal_api create configmap bootstrap --namespace=kube-system --from-literal=status=complete
}

etcd_comes() {
    pause=$short_pause wait_for "$start_limit" 'etcd on this machine to be healthy' 'crictl ps --name etcd; journalctl -u kubelet -u crio' etcd_is_healthy
}

api_comes() {
    pause=$short_pause wait_for "$start_limit" 'the API server on this machine to be ready' 'crictl ps --name kube-apiserver; journalctl -u kubelet' api_is_ready
}

masters_carry() {
    once masters wait_for "$masters_limit" "the masters to be Ready ($MASTERS)" \
        'oc get nodes; oc get csr: each node asks for two certificates, and only requests that the plan expects are to be approved' masters_are_ready
    once control-plane wait_for "$masters_limit" "$MASTERS_NEEDED masters to carry the control plane" \
        "oc get ${MADE_BY_OPERATORS// /,} -o yaml; oc get pods -A, for $MADE_BY_HAND" masters_serve
}

overrides() {
    once overrides wait_for "$finish_limit" 'CVO to manage everything, asked through api-int' \
        'oc get clusterversion version -o yaml; and whether api-int leads to the load balancer' return_overrides
}

finish() {
    [[ -z ${TEAR_DOWN:-} ]] || once tear-down tear_down
    once complete wait_for "$finish_limit" 'the end of the bootstrap to be recorded, through api-int' \
        'oc get configmap bootstrap -n kube-system; and whether api-int leads to the load balancer' report_complete
    touch "$done_marker"
    say 'the masters carry the cluster: this machine can be taken out of the load balancer and switched off'
}

main() {
    if [[ -e $done_marker ]]; then
        say 'all done by an earlier run'
        return
    fi
    mkdir -p "$markers"
    etcd_comes
    api_comes
    once crds crds
    once manifests manifests
    masters_carry
    overrides
    finish
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@" # another script may use the functions
