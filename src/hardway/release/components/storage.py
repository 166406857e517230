"""Storage: CSI drivers, their operators, and the helpers beside every driver."""

from __future__ import annotations

from hardway.release.components.row import family, image

ROWS = (
    *family(
        "storage",
        image(
            "cluster-storage-operator",
            "openshift/cluster-storage-operator",
            "installs the platform's CSI driver, if any",
        ),
        image(
            "cluster-csi-snapshot-controller-operator",
            "openshift/cluster-csi-snapshot-controller-operator",
            "runs the snapshot controller",
        ),
        image("csi-snapshot-controller", "openshift/csi-external-snapshotter", "processes VolumeSnapshots"),
        image(
            "csi-snapshot-validation-webhook",
            "openshift/csi-external-snapshotter",
            "refuses snapshots that are not well-formed",
        ),
        image("csi-external-attacher", "openshift/csi-external-attacher", "attaches volumes to nodes through a driver"),
        image("csi-external-provisioner", "openshift/csi-external-provisioner", "makes a volume for a claim"),
        image("csi-external-resizer", "openshift/csi-external-resizer", "grows a volume when its claim grows"),
        image("csi-external-snapshotter", "openshift/csi-external-snapshotter", "takes snapshots through a driver"),
        image("csi-livenessprobe", "openshift/csi-livenessprobe", "asks a driver whether it still answers"),
        image(
            "csi-node-driver-registrar", "openshift/csi-node-driver-registrar", "makes a driver known to the kubelet"
        ),
        runs="a Deployment on the masters; the helpers as containers beside a driver",
        breaks="claims for volumes wait; platform none has no driver, so the image registry starts without storage",
    ),
    *family(
        "storage drivers",
        image("aws-ebs-csi-driver", "openshift/aws-ebs-csi-driver", "volumes on AWS EBS"),
        image("aws-ebs-csi-driver-operator", "openshift/csi-operator", "runs the EBS driver"),
        image("azure-disk-csi-driver", "openshift/azure-disk-csi-driver", "volumes on Azure disks"),
        image("azure-disk-csi-driver-operator", "openshift/csi-operator", "runs the Azure disk driver"),
        image("azure-file-csi-driver", "openshift/azure-file-csi-driver", "shared volumes on Azure Files"),
        image("azure-file-csi-driver-operator", "openshift/csi-operator", "runs the Azure Files driver"),
        image("csi-driver-manila", "openshift/cloud-provider-openstack", "shared volumes on OpenStack Manila"),
        image("csi-driver-manila-operator", "openshift/csi-operator", "runs the Manila driver"),
        image("csi-driver-nfs", "openshift/csi-driver-nfs", "mounts NFS for the Manila driver"),
        image("gcp-pd-csi-driver", "openshift/gcp-pd-csi-driver", "volumes on Google persistent disks"),
        image("gcp-pd-csi-driver-operator", "openshift/gcp-pd-csi-driver-operator", "runs the Google disk driver"),
        image("ibm-vpc-block-csi-driver", "openshift/ibm-vpc-block-csi-driver", "volumes on IBM VPC block storage"),
        image(
            "ibm-vpc-block-csi-driver-operator",
            "openshift/ibm-vpc-block-csi-driver-operator",
            "runs the IBM VPC block driver",
        ),
        image(
            "kubevirt-csi-driver",
            "openshift/kubevirt-csi-driver",
            "hands volumes of an outer cluster to a cluster in virtual machines",
        ),
        image("openstack-cinder-csi-driver", "openshift/cloud-provider-openstack", "volumes on OpenStack Cinder"),
        image("openstack-cinder-csi-driver-operator", "openshift/csi-operator", "runs the Cinder driver"),
        image("ovirt-csi-driver", "openshift/ovirt-csi-driver", "volumes on oVirt disks"),
        image("ovirt-csi-driver-operator", "openshift/ovirt-csi-driver-operator", "runs the oVirt driver"),
        image(
            "powervs-block-csi-driver", "openshift/ibm-powervs-block-csi-driver", "volumes on IBM Power Virtual Server"
        ),
        image(
            "powervs-block-csi-driver-operator",
            "openshift/ibm-powervs-block-csi-driver-operator",
            "runs the Power Virtual Server driver",
        ),
        image("vsphere-csi-driver", "openshift/vmware-vsphere-csi-driver", "volumes on vSphere datastores"),
        image("vsphere-csi-driver-operator", "openshift/vmware-vsphere-csi-driver-operator", "runs the vSphere driver"),
        image(
            "vsphere-csi-driver-syncer",
            "openshift/vmware-vsphere-csi-driver",
            "keeps vSphere's own list of volumes in step with the cluster's",
        ),
        image(
            "vsphere-problem-detector",
            "openshift/vsphere-problem-detector",
            "looks for settings of vSphere that would make storage fail",
        ),
        runs="Deployment and DaemonSet in openshift-cluster-csi-drivers, on that platform alone",
        breaks="no effect on platform none: its volumes come from elsewhere",
    ),
)
