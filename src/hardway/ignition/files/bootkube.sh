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

pause=${BOOTKUBE_PAUSE:-5}
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

# ensure FILE: the object is there. One that exists already is somebody's by now and stays as it is. Fields that the
# release's type does not have are named in a warning and dropped: the installer's own manifests have some.
ensure() {
    local file=$1 found
    found=$(local_api get --ignore-not-found --output=name --filename="$file") || return 1
    if [[ -z $found ]]; then
        local_api create --validate=warn --filename="$file" || return 1
    fi
    ensure_status "$file"
}

# A create drops the status of types that have it as a subresource: operators would find an Infrastructure without
# URLs. So it is written by a second call, if the manifest has one and the object has none.
ensure_status() {
    local file=$1 wanted live
    grep --quiet '^status:' "$file" || return 0
    wanted=$(local_api create --dry-run=client --output=json --filename="$file" | jq --compact-output '.status // {}') || return 1
    live=$(local_api get --output=json --filename="$file" | jq --compact-output '.status // {}') || return 1
    if [[ $live == '{}' && $wanted != '{}' ]]; then
        local_api patch --subresource=status --type=merge --patch="{\"status\":$wanted}" --filename="$file"
    fi
}

# ensure_all WHAT FILE...: all of them, in this order, again and again while some wait for a type or a namespace that
# somebody else brings. The limit counts from the last success: slow is not stuck.
ensure_all() {
    local what=$1 moved=$SECONDS file answer
    local -a left
    local -A said=()
    shift
    say "creating $# $what"
    while (($# > 0)); do
        left=()
        for file in "$@"; do
            if answer=$(ensure "$file" 2>&1); then
                [[ -z $answer ]] || say "$answer"
                moved=$SECONDS
                continue
            fi
            left+=("$file")
            [[ ${said[$file]:-} == "$answer" ]] || say "not yet: ${file##*/}: $answer"
            said[$file]=$answer
        done
        set -- "${left[@]}"
        if (($# > 0 && SECONDS - moved >= stall_limit)); then
            for file in "$@"; do
                say "left: ${file#"$root"}: ${said[$file]}"
            done
            fail "$# $what could not be created, and none has made progress for $stall_limit s; they are listed above. Look with: oc get clusterversion,clusteroperators"
        fi
        (($# == 0)) || sleep "$pause"
    done
}

crds() {
    local -a files=("$opt"/crds/*.yaml)
    if ((${#files[@]} == 0)); then
        say 'no CRDs were brought along: types will come with CVO, and manifests wait for them'
        return
    fi
    ensure_all CRDs "${files[@]}"
    wait_for "$start_limit" 'all CRDs to be established' 'oc get crd' \
        local_api wait --for=condition=Established --timeout=30s --filename="$opt/crds"
}

# Namespaces first, since others live in them; the rest in the order of their names.
manifests() {
    local -a namespaces=() others=()
    local file
    for file in "$opt"/{manifests,openshift}/*.y*ml; do
        if grep --quiet --line-regexp 'kind: Namespace' "$file"; then
            namespaces+=("$file")
        else
            others+=("$file")
        fi
    done
    if ((${#namespaces[@]} + ${#others[@]} == 0)); then
        fail "there is no manifest below $opt: this machine was set up from an incomplete bootstrap.ign"
    fi
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

# The operators' own word where there are operators; where the control plane is made by hand, the pods themselves.
masters_serve() {
    local count resource condition
    count=$(revisions kubeapiservers.operator.openshift.io) || return 1
    [[ -n $count ]] || count=$(ready_pods openshift-kube-apiserver kube-apiserver) || return 1
    if ((count < MASTERS_NEEDED)); then
        echo "the API server runs on $count of $MASTERS_NEEDED masters"
        return 1
    fi
    condition=$(operator etcds.operator.openshift.io | jq --raw-output \
        'select(.status.nodeStatuses) | [.status.conditions[]? | select(.type == "EtcdRunningInCluster") | .status][0] // "not reported"') || return 1
    count=$(ready_pods openshift-etcd etcd) || return 1
    if [[ ${condition:-True} != True ]] || [[ -z $condition && $count -lt $MASTERS_NEEDED ]]; then
        echo "etcd runs on $count of $MASTERS_NEEDED masters; EtcdRunningInCluster is ${condition:-not reported}"
        return 1
    fi
    for resource in kubecontrollermanagers kubeschedulers; do
        count=$(revisions "$resource.operator.openshift.io") || return 1
        if [[ -n $count ]] && ((count < MASTERS_NEEDED)); then
            echo "$resource: rolled out to $count of $MASTERS_NEEDED masters"
            return 1
        fi
    done
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

main() {
    if [[ -e $done_marker ]]; then
        say 'all done by an earlier run'
        return
    fi
    mkdir -p "$markers"
    wait_for "$start_limit" 'etcd on this machine to be healthy' 'crictl ps --name etcd; journalctl -u kubelet -u crio' etcd_is_healthy
    wait_for "$start_limit" 'the API server on this machine to be ready' 'crictl ps --name kube-apiserver; journalctl -u kubelet' api_is_ready
    once crds crds
    once manifests manifests
    once masters wait_for "$masters_limit" "the masters to be Ready ($MASTERS)" \
        'oc get nodes; oc get csr: each node asks for two certificates, and only requests that the plan expects are to be approved' masters_are_ready
    once control-plane wait_for "$masters_limit" "$MASTERS_NEEDED masters to carry etcd and the API" \
        'oc get kubeapiserver,etcd cluster -o yaml; oc get pods -n openshift-kube-apiserver; oc get pods -n openshift-etcd' masters_serve
    once overrides wait_for "$finish_limit" 'CVO to manage everything, asked through api-int' \
        'oc get clusterversion version -o yaml; and whether api-int leads to the load balancer' return_overrides
    once complete wait_for "$finish_limit" 'the end of the bootstrap to be recorded, through api-int' \
        'oc get configmap bootstrap -n kube-system; and whether api-int leads to the load balancer' report_complete
    touch "$done_marker"
    say 'the masters carry the cluster: this machine can be taken out of the load balancer and switched off'
}

main "$@"
