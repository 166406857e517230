"""Defects of a dnsmasq.conf, each with the one finding that it must give."""

from __future__ import annotations

from tests.support.probing import swap

API = "host-record=api.ocp4.example.com,api-int.ocp4.example.com,192.168.126.10\n"
MASTER = "host-record=master-1.ocp4.example.com,etcd-1.ocp4.example.com,192.168.126.102\n"
APPS = "address=/apps.ocp4.example.com/192.168.126.11\n"
ETCD = "host-record=etcd-1.ocp4.example.com,192.168.126.102\n"
DEFECTS = {
    "api-int-is-a-master": (
        swap(API, "host-record=api.ocp4.example.com,192.168.126.10\n"
             "host-record=api-int.ocp4.example.com,192.168.126.101\n"),
        ("dns.balancer", "F04", "error"),
    ),
    "api-goes-round-the-masters": (
        swap(API, "host-record=api-int.ocp4.example.com,192.168.126.10\n"
             + "".join(f"host-record=api.ocp4.example.com,192.168.126.10{n}\n" for n in (1, 2, 3))),
        ("dns.balancer", "F04", "error"),
    ),
    "api-is-the-ingress-address": (
        swap(API, API.replace("126.10\n", "126.11\n")),
        ("dns.balancer", "F04", "error"),
    ),
    "api-int-is-missing": (
        swap(API, API.replace(",api-int.ocp4.example.com", "")),
        ("dns.api", "F44", "error"),
    ),
    "no-reverse-record": (
        swap(MASTER, "address=/master-1.ocp4.example.com/192.168.126.102\nlocal=/master-1.ocp4.example.com/\n"
             "address=/etcd-1.ocp4.example.com/192.168.126.102\nlocal=/etcd-1.ocp4.example.com/\n"),
        ("dns.reverse", "F15", "error"),
    ),
    "reverse-record-of-another": (
        swap(MASTER, f"{MASTER}ptr-record=102.126.168.192.in-addr.arpa,host-102.example.com\n"),
        ("dns.reverse", "F15", "error"),
    ),
    "node-elsewhere": (
        swap(MASTER, f"host-record=master-1.ocp4.example.com,192.168.126.99\n{ETCD}"
             "ptr-record=102.126.168.192.in-addr.arpa,master-1.ocp4.example.com\n"),
        ("dns.nodes", "F15", "error"),
    ),
    "apps-is-missing": (
        swap(APPS, ""),
        ("dns.apps", "F33", "error"),
    ),
    "apps-is-one-name": (
        swap(APPS, "host-record=console-openshift-console.apps.ocp4.example.com,192.168.126.11\n"),
        ("dns.apps", "F33", "error"),
    ),
    "apps-is-the-api": (
        swap(APPS, APPS.replace(".11", ".10")),
        ("dns.apps", "F33", "error"),
    ),
    "catch-all": (
        swap("local=/ocp4.example.com/\n", "local=/ocp4.example.com/\naddress=/ocp4.example.com/192.168.126.11\n"),
        ("dns.catch-all", "F34", "error"),
    ),
    "catch-all-in-the-base-domain": (
        swap("local=/ocp4.example.com/\n", "local=/example.com/\naddress=/example.com/192.168.126.11\n"),
        ("dns.catch-all", "F34", "error"),
    ),
    "denied-for-the-other-family": (
        swap("local=/apps.ocp4.example.com/\n", ""),
        ("dns.denied", "", "warning"),
    ),
    "no-service-of-etcd": (
        swap("srv-host=_etcd-server-ssl._tcp.ocp4.example.com,etcd-2.ocp4.example.com,2380,0,10\n", ""),
        ("dns.etcd", "", "warning"),
    ),
}  # fmt: skip
