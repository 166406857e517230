"""etcd: the pod and its flags."""
