"""kube-apiserver: the pod and its flags."""
