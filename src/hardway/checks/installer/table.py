"""What can be wrong with a folder of openshift-install before any machine has booted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from hardway.checks.files.shapes import certificates, parse_json, parse_yaml, text
from hardway.checks.files.x509.chain import extension
from hardway.checks.files.x509.content import FAIL_BELOW, WARN_BELOW
from hardway.checks.installer.folder import (
    BOOTSTRAP,
    INFRASTRUCTURE,
    KUBECONFIG,
    METADATA,
    POINTERS,
    STATE,
    InstallerFolder,
)
from hardway.lines.sources import source
from hardway.model.check import Check, Flaw, Severity
from hardway.model.why import because

STAGE = "08"
AGAIN = (
    "make all files again, in a new folder with a copy of install-config.yaml: "
    "`openshift-install create ignition-configs`"
)
SOURCE = source("installer", "pkg/asset/tls")


def readable(folder: InstallerFolder) -> Iterator[Flaw]:
    for name in folder.present:
        ign = folder.ignition.get(name)
        if ign is None:
            yield Flaw(subject=name, message="it is no Ignition file", failure="F21")
        elif not text(ign.document, "ignition", "version").startswith("3."):
            version = text(ign.document, "ignition", "version")
            yield Flaw(subject=name, message=f"its version is {version or 'missing'}, and RHCOS reads 3.x")


def expired(folder: InstallerFolder) -> Iterator[Flaw]:
    """Of all that end soon, the first one tells the time that is left."""
    ends = sorted(folder.all, key=lambda found: found.certificate.not_valid_after_utc)
    late = [found for found in ends if found.certificate.not_valid_after_utc < folder.now + WARN_BELOW]
    if not late:
        return
    first, end = late[0], late[0].certificate.not_valid_after_utc
    more = f", and {len(late) - 1} more end within 12 hours" if len(late) > 1 else ""
    what = "has expired" if end <= folder.now else "expires"
    severity: Severity = "error" if end < folder.now + FAIL_BELOW else "warning"
    yield Flaw(subject=first.place, message=f"it {what} at {end:%Y-%m-%dT%H:%M:%SZ}{more}", severity=severity)


def early(folder: InstallerFolder) -> Iterator[Flaw]:
    for found in folder.all:
        if (begin := found.certificate.not_valid_before_utc) > folder.now:
            yield Flaw(subject=found.place, message=f"it is valid only from {begin:%Y-%m-%dT%H:%M:%SZ} on")
            return


def same_run(folder: InstallerFolder) -> Iterator[Flaw]:
    root = folder.tls("root-ca.crt")
    for name in POINTERS:
        trusted = folder.pointer(name)[1]
        if root and trusted and not set(root) & set(trusted):
            yield Flaw(subject=name, message=f"it trusts another root-ca than {BOOTSTRAP} has")
    signers = folder.tls("admin-kubeconfig-ca-bundle.crt")
    if signers and folder.client and not any(_signed(folder.client[0], signer) for signer in signers):
        yield Flaw(subject=KUBECONFIG, message=f"its client certificate is of another run than {BOOTSTRAP}")
    for name, content in folder.state:
        made, remembered = folder.tls(name), certificates(content)
        if made and remembered and made != remembered:
            yield Flaw(subject=BOOTSTRAP, message=f"its {name} is not that of {STATE}")
            return


def _signed(certificate: x509.Certificate, signer: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(signer)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def identity(folder: InstallerFolder) -> Iterator[Flaw]:
    known = text(parse_json(folder.read(METADATA)), "infraID")
    bootstrap = folder.ignition.get(BOOTSTRAP)
    document = parse_yaml((bootstrap.file(INFRASTRUCTURE) if bootstrap else b"") or b"")
    named = text(document, "status", "infrastructureName")
    if known and named and known != named:
        yield Flaw(subject=METADATA, message=f"infraID is {known}, and {BOOTSTRAP} has {named}")


def names(folder: InstallerFolder) -> Iterator[Flaw]:
    dialled: list[tuple[str, str, tuple[str, ...]]] = [
        (KUBECONFIG, folder.server, ("kube-apiserver-lb-server.crt", "kube-apiserver-internal-lb-server.crt"))
    ]
    dialled += [(name, folder.pointer(name)[0], ("machine-config-server.crt",)) for name in POINTERS]
    for place, host, files in dialled:
        served = {name for file in files for certificate in folder.tls(file) for name in _names(certificate)}
        if host and served and host not in served:
            shown = ", ".join(sorted(served))
            yield Flaw(subject=place, message=f"it calls {host}, and the certificates in {BOOTSTRAP} are for {shown}")


def _names(certificate: x509.Certificate) -> list[str]:
    return [str(name.value) for name in extension(certificate, x509.SubjectAlternativeName) or ()]


def _row(
    name: str, failure: str, run: Callable[[InstallerFolder], Iterable[Flaw]], what: str, breaks: str
) -> Check[InstallerFolder]:
    why = because(what, readers="machines that boot with these files", breaks=breaks, source=SOURCE)
    return Check(name=f"assets.{name}", stage=STAGE, failure=failure, run=run, fix=AGAIN, why=why)


TABLE: tuple[Check[InstallerFolder], ...] = (
    _row(
        "readable",
        "F20",
        readable,
        "Every .ign file is an Ignition file of a version that RHCOS reads.",
        "the machine stops in an emergency shell",
    ),
    _row(
        "expired",
        "F01",
        expired,
        "No certificate expires during the installation; the installer gives some of them 24 hours.",
        "bootkube.sh and kubelets fail with x509: certificate has expired",
    ),
    _row(
        "early",
        "F02",
        early,
        "No certificate's validity starts in the future, by this machine's clock.",
        "clients fail with x509: certificate is not yet valid",
    ),
    _row(
        "same-run",
        "F06",
        same_run,
        "Ignition files, kubeconfig and the installer's state are of one run.",
        "machines refuse each other with x509: certificate signed by unknown authority",
    ),
    _row(
        "identity",
        "F06",
        identity,
        "metadata.json and bootstrap.ign name the same cluster.",
        "two clusters' files are mixed",
    ),
    _row(
        "names",
        "F07",
        names,
        "Serving certificates have the names that kubeconfig and Ignition files call.",
        "clients fail with x509: certificate is valid for other names",
    ),
)
