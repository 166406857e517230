"""Why a document of the user's is refused: the rule that a line on the screen ends with."""

from __future__ import annotations

from typing import Literal

from hardway.lines.sources import kubernetes, source
from hardway.model.why import Why, because

Rule = Literal[
    "file",
    "file-name",
    "syntax",
    "empty",
    "object",
    "kind",
    "name",
    "scope",
    "twice",
    "role",
    "ignition",
    "mode",
    "path",
    "boolean",
    "source",
    "kernel-arguments",
    "unit",
    "machine-config-name",
    "pool",
    "clash",
]
_BOOTSTRAP = source("cluster-bootstrap", "pkg/start")
_NAMES = kubernetes("staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go")
_API = kubernetes("staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go")
_MCO = source("machine-config-operator", "pkg/controller/common/helpers.go")
_POOLS = source("machine-config-operator", "manifests/master.machineconfigpool.yaml")
_IGNITION = "coreos/ignition v2 config/v3_4/types"


def _why(what: str, readers: str, breaks: str, source: str) -> Why:
    return because(what, readers=readers, breaks=breaks, source=source)


REASONS: dict[Rule, Why] = {
    "file": _why(
        "Only plain files of the folder manifests/ are read: no link, no pipe, no folder. Names that begin with a dot "
        "are passed over.",
        "`hardway build`",
        "a link would bring any file of this machine into the cluster, and a pipe would keep the build waiting",
        "this tool",
    ),
    "file-name": _why(
        "A file's name has letters, digits, dots, dashes and underscores, ends with .yaml or .yml, and is no name of a "
        "file that hardway or the machine-config operator makes.",
        "bootkube.sh, which applies the files of a folder by name",
        "one of two files with the same name is lost, or the file is not read at all",
        _BOOTSTRAP,
    ),
    "syntax": _why(
        "The file is YAML in UTF-8, and no mapping has a key twice.",
        "hardway, cluster-bootstrap and the machine-config operator",
        "each reader would stop, or take another one of the two values",
        "YAML 1.2, 3.2.1.3",
    ),
    "empty": _why(
        "The file holds a document.",
        "`hardway build`",
        "nothing is made of the file",
        "this tool",
    ),
    "object": _why(
        "A document has apiVersion, kind and metadata.name, each a text. YAML reads `name: on` as a boolean. A List is "
        "written as separate documents.",
        "cluster-bootstrap, which creates one object for each file",
        "the API server refuses the object, and bootkube.sh tries again until its time is over",
        _BOOTSTRAP,
    ),
    "kind": _why(
        "The type is one of the release, or a CustomResourceDefinition in the folder defines it.",
        "cluster-bootstrap, which waits until the API server knows the type",
        "bootkube.sh waits for the type until its time is over",
        _BOOTSTRAP,
    ),
    "name": _why(
        "The API server accepts the name for this kind: a Namespace needs a DNS label, a Service one that begins with "
        "a letter, most others a DNS subdomain.",
        "kube-apiserver",
        "the object is refused, and bootkube.sh tries again until its time is over",
        _NAMES,
    ),
    "scope": _why(
        "An object of a cluster-scoped type has no namespace.",
        "kube-apiserver",
        "the namespace would be dropped, and two documents would be the same object",
        _API,
    ),
    "twice": _why(
        "Each object is in one document.",
        "cluster-bootstrap, which creates an object and does not change it",
        "the order of the files decides which of the two the cluster gets",
        _BOOTSTRAP,
    ),
    "role": _why(
        "The role label of a MachineConfig names a pool: master, worker, or a MachineConfigPool in the folder.",
        "the machine-config operator, which puts MachineConfigs into pools by this label",
        "no node gets what the MachineConfig has, and nothing says so",
        _POOLS,
    ),
    "ignition": _why(
        "The Ignition version of a MachineConfig is one that the machine-config operator reads.",
        "the machine-config operator, which merges all MachineConfigs of a pool",
        "it refuses to render the pool, and stage 04 ends",
        _MCO,
    ),
    "mode": _why(
        "A mode is a whole number that is meant so. `mode: 644` is a decimal number, the mode 01204; 420 or 0644 is "
        "meant.",
        "Ignition, which gives the file this mode",
        "the file has a mode that nobody meant: its reader is refused, or others can write to it (F17)",
        _IGNITION,
    ),
    "path": _why(
        "A file, directory or link of a MachineConfig has an absolute path, and each path is there once.",
        "Ignition",
        "Ignition refuses the whole configuration, and the node does not boot",
        _IGNITION,
    ),
    "boolean": _why(
        "overwrite, enabled and mask are true or false, without quotes.",
        "Ignition",
        "Ignition cannot read the whole configuration",
        _IGNITION,
    ),
    "source": _why(
        "contents.source is a URL; a text is written as data:, and the text after it.",
        "Ignition, which fetches it",
        "Ignition refuses the whole configuration, and the node does not boot",
        _IGNITION,
    ),
    "kernel-arguments": _why(
        "kernelArguments is a list of texts.",
        "kube-apiserver, which checks the object against its type",
        "the MachineConfig is refused",
        source("api", "machineconfiguration/v1/types.go"),
    ),
    "unit": _why(
        "A unit has a name with its type at the end, such as own.service; the name of a drop-in ends with .conf.",
        "Ignition, which writes them, and systemd",
        "Ignition refuses the unit, or systemd does not read the drop-in",
        _IGNITION,
    ),
    "machine-config-name": _why(
        "The name is none of the machine-config operator's own: 00-ROLE, 01-ROLE-kubelet, 01-ROLE-container-runtime, "
        "97- to 99-…-generated-…, rendered-….",
        "the machine-config operator",
        "the operator writes its own over it",
        _MCO,
    ),
    "pool": _why(
        "The pools master and worker are made by the machine-config operator.",
        "the machine-config operator",
        "what the file says of the pool is lost",
        _POOLS,
    ),
    "clash": _why(
        "An object that hardway makes is replaced only by name, with `hardway build --replace ADDRESS`.",
        "`hardway build`",
        "a document would be replaced by accident, and what relies on it would fail",
        "this tool",
    ),
}
