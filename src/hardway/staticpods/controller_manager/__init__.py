"""kube-controller-manager: the pod and its flags."""
