"""The 36 scored checks of CIS 1.11 that look at a flag of the control plane or of etcd, by number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Flags(Protocol):
    def one(self, flag: str) -> str | None: ...

    def has(self, flag: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    number: str
    program: str
    wanted: str
    holds: Callable[[Flags], bool]


def _items(pod: Flags, flag: str) -> list[str]:
    return (pod.one(flag) or "").split(",")


def _present(number: str, program: str, *flags: str) -> Rule:
    return Rule(
        number=number,
        program=program,
        wanted=f"{' and '.join(flags)} set",
        holds=lambda pod: all(pod.one(flag) for flag in flags),
    )


def _absent(number: str, program: str, flag: str) -> Rule:
    return Rule(number=number, program=program, wanted=f"{flag} not set", holds=lambda pod: not pod.has(flag))


def _equals(number: str, program: str, flag: str, value: str, *, absent_too: bool = False) -> Rule:
    return Rule(
        number=number,
        program=program,
        wanted=f"{flag}={value}" + (" or not set" if absent_too else ""),
        holds=lambda pod: pod.one(flag) == value or (absent_too and not pod.has(flag)),
    )


def _contains(number: str, program: str, flag: str, item: str) -> Rule:
    return Rule(
        number=number, program=program, wanted=f"{flag} contains {item}", holds=lambda pod: item in _items(pod, flag)
    )


def _lacks(number: str, program: str, flag: str, item: str) -> Rule:
    return Rule(
        number=number, program=program, wanted=f"{flag} without {item}", holds=lambda pod: item not in _items(pod, flag)
    )


def _at_least(number: str, program: str, flag: str, least: int) -> Rule:
    def holds(pod: Flags) -> bool:
        value = pod.one(flag) or ""
        return value.isdecimal() and int(value) >= least

    return Rule(number=number, program=program, wanted=f"{flag} of at least {least}", holds=holds)


def _differs(number: str, program: str, flag: str, value: str) -> Rule:
    return Rule(number=number, program=program, wanted=f"{flag} not {value}", holds=lambda pod: pod.one(flag) != value)


_API = "kube-apiserver"
_KCM = "kube-controller-manager"
_SCHEDULER = "kube-scheduler"
_ETCD = "etcd"

TABLE: tuple[Rule, ...] = (
    _absent("1.2.2", _API, "--token-auth-file"),
    _present("1.2.4", _API, "--kubelet-client-certificate", "--kubelet-client-key"),
    _present("1.2.5", _API, "--kubelet-certificate-authority"),
    _lacks("1.2.6", _API, "--authorization-mode", "AlwaysAllow"),
    _contains("1.2.7", _API, "--authorization-mode", "Node"),
    _contains("1.2.8", _API, "--authorization-mode", "RBAC"),
    _lacks("1.2.10", _API, "--enable-admission-plugins", "AlwaysAdmit"),
    _lacks("1.2.12", _API, "--disable-admission-plugins", "ServiceAccount"),
    _lacks("1.2.13", _API, "--disable-admission-plugins", "NamespaceLifecycle"),
    _contains("1.2.14", _API, "--enable-admission-plugins", "NodeRestriction"),
    _equals("1.2.15", _API, "--profiling", "false"),
    _present("1.2.16", _API, "--audit-log-path"),
    _at_least("1.2.17", _API, "--audit-log-maxage", 30),
    _at_least("1.2.18", _API, "--audit-log-maxbackup", 10),
    _at_least("1.2.19", _API, "--audit-log-maxsize", 100),
    _equals("1.2.21", _API, "--service-account-lookup", "true", absent_too=True),
    _present("1.2.22", _API, "--service-account-key-file"),
    _present("1.2.23", _API, "--etcd-certfile", "--etcd-keyfile"),
    _present("1.2.24", _API, "--tls-cert-file", "--tls-private-key-file"),
    _present("1.2.25", _API, "--client-ca-file"),
    _present("1.2.26", _API, "--etcd-cafile"),
    _equals("1.2.30", _API, "--service-account-extend-token-expiration", "false"),
    _equals("1.3.2", _KCM, "--profiling", "false"),
    _differs("1.3.3", _KCM, "--use-service-account-credentials", "false"),
    _present("1.3.4", _KCM, "--service-account-private-key-file"),
    _present("1.3.5", _KCM, "--root-ca-file"),
    _lacks("1.3.6", _KCM, "--feature-gates", "RotateKubeletServerCertificate=false"),
    _equals("1.3.7", _KCM, "--bind-address", "127.0.0.1", absent_too=True),
    _equals("1.4.1", _SCHEDULER, "--profiling", "false"),
    _equals("1.4.2", _SCHEDULER, "--bind-address", "127.0.0.1", absent_too=True),
    _present("2.1", _ETCD, "--cert-file", "--key-file"),
    _equals("2.2", _ETCD, "--client-cert-auth", "true"),
    _equals("2.3", _ETCD, "--auto-tls", "false", absent_too=True),
    _present("2.4", _ETCD, "--peer-cert-file", "--peer-key-file"),
    _equals("2.5", _ETCD, "--peer-client-cert-auth", "true"),
    _equals("2.6", _ETCD, "--peer-auto-tls", "false", absent_too=True),
)
