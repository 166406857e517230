"""The parts of a release that serve one cloud each: none of them runs on platform none."""

from __future__ import annotations

from hardway.release.components.row import Component, family, image


def _node_manager(name: str, source: str, cloud: str) -> Component:
    return image(
        name,
        f"openshift/{source}",
        f"tells the cluster what {cloud} knows: node addresses and zones, load balancers for Services",
        "a Deployment in openshift-cloud-controller-manager",
    )


def _machines(name: str, source: str, cloud: str) -> Component:
    return image(name, f"openshift/{source}", f"makes and removes machines on {cloud} for MachineSets")


def _cluster_api(name: str, source: str, cloud: str) -> Component:
    return image(name, f"openshift/{source}", f"makes machines on {cloud} through Cluster API", "openshift-cluster-api")


ROWS = (
    *family(
        "clouds",
        image(
            "cluster-cloud-controller-manager-operator",
            "openshift/cluster-cloud-controller-manager-operator",
            "runs the cloud's controller manager; on platform none it only reports that there is nothing to do",
            "bootkube.sh, then a Deployment on the masters' own network",
        ),
        image(
            "cloud-credential-operator",
            "openshift/cloud-credential-operator",
            "makes a cloud account with few rights for each operator that asks for one",
            "bootkube.sh, then a Deployment on the masters",
        ),
        _node_manager("aws-cloud-controller-manager", "cloud-provider-aws", "AWS"),
        _node_manager("azure-cloud-controller-manager", "cloud-provider-azure", "Azure"),
        image(
            "azure-cloud-node-manager",
            "openshift/cloud-provider-azure",
            "labels a node with what Azure knows of it",
            "a DaemonSet on every node",
        ),
        _node_manager("gcp-cloud-controller-manager", "cloud-provider-gcp", "Google Cloud"),
        _node_manager("ibm-cloud-controller-manager", "cloud-provider-ibm", "IBM Cloud"),
        _node_manager("kubevirt-cloud-controller-manager", "cloud-provider-kubevirt", "the outer cluster"),
        _node_manager("nutanix-cloud-controller-manager", "cloud-provider-nutanix", "Nutanix"),
        _node_manager("openstack-cloud-controller-manager", "cloud-provider-openstack", "OpenStack"),
        _node_manager("powervs-cloud-controller-manager", "cloud-provider-powervs", "IBM Power Virtual Server"),
        _node_manager("vsphere-cloud-controller-manager", "cloud-provider-vsphere", "vSphere"),
        _machines("aws-machine-controllers", "machine-api-provider-aws", "AWS"),
        _machines("azure-machine-controllers", "machine-api-provider-azure", "Azure"),
        _machines("gcp-machine-controllers", "machine-api-provider-gcp", "Google Cloud"),
        _machines("ibmcloud-machine-controllers", "machine-api-provider-ibmcloud", "IBM Cloud"),
        _machines("nutanix-machine-controllers", "machine-api-provider-nutanix", "Nutanix"),
        _machines("openstack-machine-api-provider", "machine-api-provider-openstack", "OpenStack"),
        _machines("powervs-machine-controllers", "machine-api-provider-powervs", "IBM Power Virtual Server"),
        _cluster_api("aws-cluster-api-controllers", "cluster-api-provider-aws", "AWS"),
        _cluster_api("azure-cluster-api-controllers", "cluster-api-provider-azure", "Azure"),
        image(
            "azure-service-operator",
            "openshift/azure-service-operator",
            "makes Azure's own resources for Cluster API",
            "openshift-cluster-api",
        ),
        _cluster_api("gcp-cluster-api-controllers", "cluster-api-provider-gcp", "Google Cloud"),
        _cluster_api("ibmcloud-cluster-api-controllers", "cluster-api-provider-ibmcloud", "IBM Cloud"),
        _cluster_api("openstack-cluster-api-controllers", "cluster-api-provider-openstack", "OpenStack"),
        _cluster_api("vsphere-cluster-api-controllers", "cluster-api-provider-vsphere", "vSphere"),
        image(
            "aws-pod-identity-webhook",
            "openshift/aws-pod-identity-webhook",
            "gives pods an AWS role instead of keys",
        ),
        image(
            "azure-workload-identity-webhook",
            "openshift/azure-workload-identity",
            "gives pods an Azure identity instead of keys",
        ),
        image(
            "gcp-workload-identity-federation-webhook",
            "openshift/gcp-workload-identity-federation-webhook",
            "gives pods a Google identity instead of keys",
        ),
        image(
            "aws-kms-encryption-provider",
            "openshift/aws-encryption-provider",
            "encrypts etcd's content with a key in AWS KMS",
            "hosted control planes on AWS",
        ),
        image(
            "azure-kms-encryption-provider",
            "openshift/azure-kubernetes-kms",
            "encrypts etcd's content with a key in Azure Key Vault",
            "hosted control planes on Azure",
        ),
        runs="a Deployment on the masters, on that platform alone",
        breaks="no effect on platform none: there is no cloud to ask",
    ),
)
