"""Where a reason is known from: a repository and a path in it. The line supplies the branch.

The reasons were read in the sources of the default line, so a source names that line's branch.
"""

from __future__ import annotations

from hardway.lines.default import DEFAULT


def source(repository: str, path: str) -> str:
    """A path in a repository, of OpenShift if no owner is named; an empty path leaves a prefix for paths to follow."""
    owner = "" if "/" in repository else "openshift/"
    return f"{owner}{repository} {DEFAULT.branch} {path}"


def kubernetes(path: str) -> str:
    """A path in Kubernetes itself."""
    return f"kubernetes {DEFAULT.kubernetes} {path}"


def kubernetes_fork(path: str) -> str:
    """A path in OpenShift's fork of Kubernetes."""
    return f"openshift/{kubernetes(path)}"
