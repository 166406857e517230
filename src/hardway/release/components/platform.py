"""What a cluster has beyond running pods: monitoring, console, images and builds, operators, and tools."""

from __future__ import annotations

from hardway.release.components.row import family, image

ROWS = (
    *family(
        "monitoring",
        image(
            "cluster-monitoring-operator", "openshift/cluster-monitoring-operator", "runs the whole monitoring stack"
        ),
        image("prometheus-operator", "openshift/prometheus-operator", "turns Prometheus objects into running servers"),
        image(
            "prometheus-operator-admission-webhook",
            "openshift/prometheus-operator",
            "refuses alerting rules that are not well-formed",
        ),
        image(
            "prometheus-config-reloader",
            "openshift/prometheus-operator",
            "tells a server that its configuration changed",
        ),
        image("prometheus", "openshift/prometheus", "collects metrics and evaluates alerting rules"),
        image("prometheus-alertmanager", "openshift/prometheus-alertmanager", "groups alerts and sends them out"),
        image(
            "prometheus-node-exporter",
            "openshift/node_exporter",
            "a machine's own metrics: processors, disks, network",
            "a DaemonSet on every node",
        ),
        image("prom-label-proxy", "openshift/prom-label-proxy", "narrows a query to the namespaces that one may see"),
        image("thanos", "openshift/thanos", "answers queries over several Prometheus servers as if they were one"),
        image("kube-state-metrics", "openshift/kube-state-metrics", "the state of Kubernetes' objects as metrics"),
        image("openshift-state-metrics", "openshift/openshift-state-metrics", "OpenShift's own objects as metrics"),
        image("kube-metrics-server", "openshift/kubernetes-metrics-server", "answers `top` and the pod autoscaler"),
        image("configmap-reloader", "openshift/configmap-reload", "tells a program that a ConfigMap it mounts changed"),
        image("monitoring-plugin", "openshift/monitoring-plugin", "the console's pages on metrics and alerts"),
        image(
            "telemeter", "openshift/telemeter", "sends a choice of metrics to the vendor, where a pull secret allows it"
        ),
        runs="pods in openshift-monitoring",
        breaks="no metrics, no alerts, no autoscaling; ServiceMonitors wait for their CRD",
    ),
    *family(
        "insight and support",
        image(
            "insights-operator",
            "openshift/insights-operator",
            "collects facts on the cluster and sends them for advice",
        ),
        image(
            "insights-runtime-extractor",
            "openshift/insights-runtime-extractor",
            "looks into containers for the language runtimes they use",
            "a DaemonSet on every node",
        ),
        image(
            "insights-runtime-exporter",
            "openshift/insights-runtime-extractor",
            "hands out what the extractor found",
            "a container beside the extractor",
        ),
        image(
            "must-gather",
            "openshift/must-gather",
            "collects logs and objects into a folder for a support case",
            "oc adm must-gather, in a pod of its own",
        ),
        runs="a Deployment in openshift-insights",
        breaks="nothing that runs: there is less to look at when something fails",
    ),
    *family(
        "console",
        image("console-operator", "openshift/console-operator", "runs the web console and its download page"),
        image("console", "openshift/console", "the web console"),
        image("networking-console-plugin", "openshift/networking-console-plugin", "the console's pages on networks"),
        runs="a Deployment on the masters",
        breaks="no web console; oc does everything it does",
    ),
    *family(
        "images and builds",
        image(
            "cluster-image-registry-operator",
            "openshift/cluster-image-registry-operator",
            "runs the registry inside the cluster; on platform none it stays removed until it is given storage",
        ),
        image("docker-registry", "openshift/image-registry", "the registry inside the cluster"),
        image("docker-builder", "openshift/builder", "runs a Build: clones, builds, pushes", "a pod for each build"),
        image("deployer", "openshift/oc", "runs a DeploymentConfig's roll-out", "a pod for each roll-out"),
        image(
            "cluster-samples-operator",
            "openshift/cluster-samples-operator",
            "brings image streams and templates to start",
        ),
        runs="a Deployment in openshift-image-registry or a namespace of its own",
        breaks="builds and image streams have nowhere to push to",
    ),
    *family(
        "operators",
        image("operator-lifecycle-manager", "openshift/operator-framework-olm", "installs operators from catalogues"),
        image("operator-registry", "openshift/operator-framework-olm", "serves a catalogue's content"),
        image(
            "operator-marketplace", "openshift/operator-marketplace", "brings the vendor's catalogues into the cluster"
        ),
        image("operator-framework-tools", "openshift/operator-framework-olm", "opm and other tools, to be extracted"),
        image(
            "cluster-olm-operator",
            "openshift/cluster-olm-operator",
            "runs the second generation of operator management",
        ),
        image("olm-catalogd", "openshift/operator-framework-catalogd", "unpacks catalogues and serves them"),
        image(
            "olm-operator-controller", "openshift/operator-framework-operator-controller", "installs from catalogues"
        ),
        runs="a Deployment in openshift-operator-lifecycle-manager or openshift-cluster-olm-operator",
        breaks="no effect on the cluster itself: no further operators can be installed",
    ),
    *family(
        "tools",
        image("cli", "openshift/oc", "oc and kubectl", "many operators' helper pods; a person, extracted"),
        image("cli-artifacts", "openshift/oc", "oc for Linux, macOS and Windows", "the console's download page"),
        image("tools", "openshift/oc", "a shell with programs to look around with", "oc debug"),
        image("oc-mirror", "openshift/oc-mirror", "copies releases and catalogues into a registry of one's own"),
        image("tests", "openshift/origin", "the conformance tests"),
        image(
            "hypershift",
            "openshift/hypershift",
            "runs control planes as pods of another cluster",
            "hosted control planes",
        ),
        image(
            "containernetworking-plugins-microshift", "openshift/containernetworking-plugins", "plug-ins for MicroShift"
        ),
        image("multus-cni-microshift", "openshift/multus-cni", "Multus for MicroShift"),
        image("ovn-kubernetes-microshift", "openshift/ovn-kubernetes", "OVN-Kubernetes for MicroShift"),
        runs="people, from outside of the cluster",
        breaks="no effect on the cluster itself",
    ),
)
