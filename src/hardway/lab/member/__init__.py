"""What OpenShift's etcd image has and upstream's has not. Runs in the lab's etcd image, which has few of our modules."""
