#!/usr/bin/env bash
# bootkube's stages on the road `rendered`: the release's operators render their parts, a temporary control plane starts
# from the result, and the cluster's first objects are created.
#
#   bootkube-stages.sh                    every stage that has not left its marker, in order
#   bootkube-stages.sh [--again] STAGE... these alone; --again: also where a marker says that they are done
set -euo pipefail

root=${HARDWAY_ROOT:-}
# shellcheck source=src/hardway/ignition/files/bootkube.sh
. "$root/usr/local/bin/bootkube.sh" # its functions; and the last stages are its own

pods=$root/etc/kubernetes/manifests
again='' chosen='' unsure=''

# stage NUMBER NAME MARKER COMMAND...: a command that sets `unsure` is run again the next time.
stage() {
    local title="$1 $2" name=$2 marker=${3:+$opt/$3}
    shift 3
    [[ -z $chosen || $chosen == *" $name "* ]] || return 0
    if [[ -n $marker && -e $marker && -z $again ]]; then
        say "$title: done by an earlier run"
        return
    fi
    say "$title: begins"
    [[ -z $marker ]] || rm -f "$marker"
    unsure=''
    "$@"
    [[ -z $marker || -n $unsure ]] || touch "$marker"
    say "$title: done"
}

# in_image WORD...: a program of an image, on this machine's network and under its name. podman asks for the image
# itself; what the proxy's address holds is not for the program.
in_image() {
    podman run --quiet --rm --network=host --user=0 --http-proxy=false --authfile="$root/root/.docker/config.json" "$@"
}

# render OUTPUT LATE IMAGE PROGRAM WORD...: into OUTPUT, anew. LATE has flags that older programs do not know: those are
# called without them. An empty PROGRAM is the image's own.
render() {
    local output=$1 late=$2 image=$3 program=$4 said word unknown
    local -a entry=() words=() kept
    shift 4
    words=("$@")
    [[ -z $program ]] || entry=("--entrypoint=$program")
    rm -rf "${opt:?}/$output"
    until said=$(in_image --volume="$opt:/assets:z" "${entry[@]}" "$image" "${words[@]}" 2>&1); do
        unknown=''
        for word in $late; do
            [[ $said != *"unknown flag: $word"* ]] || unknown=$word
        done
        [[ -n $unknown ]] || fail "the render into $opt/$output: $(tail --lines=20 <<<"$said")"
        say "without $unknown, which this release's program does not know"
        late=${late//$unknown/}
        kept=()
        for word in "${words[@]}"; do
            [[ $word == "$unknown="* ]] || kept+=("$word")
        done
        words=("${kept[@]}")
    done
}

# put FILE TARGET: a file or a folder, with its mode. A file appears under its name when it is whole, since the kubelet
# may be looking; pods come after what they read.
put() {
    local path
    if [[ -d $1 ]]; then
        mkdir -p "$2"
        for path in "$1"/*; do
            [[ ${path##*/} == manifests ]] || put "$path" "$2/${path##*/}"
        done
        [[ ! -d $1/manifests ]] || put "$1/manifests" "$2/manifests"
        return
    fi
    mkdir -p "${2%/*}"
    cp --preserve=mode "$1" "${2%/*}/.${2##*/}.part"
    mv "${2%/*}/.${2##*/}.part" "$2"
}

# put_into FOLDER FILE...
put_into() {
    local folder=$1 path
    shift
    for path in "$@"; do
        [[ ${path##*/} == manifests ]] || put "$path" "$folder/${path##*/}"
    done
    for path in "$@"; do
        [[ ${path##*/} != manifests ]] || put "$path" "$folder/manifests"
    done
}

# release_info IMAGE VERSION KUBERNETES: the release's own list of images, from which MCO renders.
release_info() {
    mkdir -p "$pods" "$root/etc/kubernetes/bootstrap-configs" "$opt"/{bootstrap-manifests,manifests}
    in_image --entrypoint=cat "$1" /release-manifests/image-references >"$opt/.image-references.part"
    mv "$opt/.image-references.part" "$opt/image-references"
    say "release $2, Kubernetes ${3:-unknown}"
}

openshift_manifests() {
    put "$opt/openshift" "$opt/manifests"
}

# resolves HOST: a missing address is said, and stops nobody.
resolves() {
    local address
    if address=$(getent hosts "$1"); then
        say "$1 is ${address%% *}"
    else
        say "$1 has no address; continuing"
        unsure=yes
    fi
}

# answers HOST: likewise.
answers() {
    local answer
    answer=$(curl --silent --insecure --max-time 10 "https://$1:6443/readyz") || unsure=yes
    say "https://$1:6443/readyz says ${answer:-nothing}"
}

wait_for_etcd() {
    secrets=$opt/tls etcd_comes
}

# Secrets, and then all pods at once: the kubelet starts them now.
place() {
    [[ -e $pods/kube-apiserver-pod.yaml ]] || rm -rf "$secrets" # who would lose them meanwhile
    put "$opt/tls" "$secrets"
    put "$opt/auth/kubeconfig-loopback" "$secrets/kubeconfig"
    chmod --recursive u=rwX,go= "$secrets"
    put "$opt/bootstrap-manifests" "$pods"
}

api_answers() {
    curl --silent --show-error --insecure --noproxy '*' --max-time 10 https://localhost:6443/readyz
}

# The API server becomes ready only once somebody has created its types: one of its own admission plugins lists
# RoleBindingRestrictions before it lets the first roles in. So any answer will do to begin with.
cluster_bootstrap() {
    local -a types=("$opt"/manifests/*.crd.yaml)
    place
    pause=$short_pause wait_for "$start_limit" 'any answer of the API server' 'crictl ps --name kube-apiserver; journalctl -u kubelet' api_answers
    ensure_all types "${types[@]}"
    api_comes
    once manifests manifests
}

cvo_overrides() {
    overrides
    rm -f "$pods/machineconfigoperator-bootstrap-pod.yaml"
}

wait_for_ceo() {
    [[ $MADE_BY_OPERATORS == *etcds.* ]] || return 0
    wait_for "$masters_limit" 'etcd to run in the cluster' 'oc get etcd cluster -o yaml' etcd_runs_in_cluster
}

# The pods that this script has placed leave, the API server's at the end.
finished() {
    local path
    if [[ -n $TEAR_DOWN ]]; then
        TEAR_DOWN=''
        for path in "$opt"/bootstrap-manifests/*; do
            # The list is taken apart at spaces, and patterns in it are filled in: no file of a release has such a name.
            [[ ${path##*/} =~ ^[A-Za-z0-9._-]+$ ]] || fail "$path: this name is not that of a static pod's file"
            [[ ${path##*/} == kube-apiserver-pod.yaml ]] || TEAR_DOWN+="/etc/kubernetes/manifests/${path##*/} "
        done
        TEAR_DOWN+=/etc/kubernetes/manifests/kube-apiserver-pod.yaml
    fi
    finish
}

main_stages() {
    if [[ ${1:-} == --again ]]; then
        again=yes
        shift
    fi
    chosen=${*:+" $* "}
    if [[ -z $chosen && -e $done_marker ]]; then
        say 'all done by an earlier run'
        return
    fi
    mkdir -p "$markers"
    stages
}
