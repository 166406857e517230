"""What OpenShift's etcd image has and upstream's has not; it runs in that image, beside few modules of ours."""
