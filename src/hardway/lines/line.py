"""A release line: all releases of one minor version of OpenShift, and what is true of them alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    minor: str  # 4.18
    kubernetes: str  # 1.31, the minor version of Kubernetes in it

    @property
    def branch(self) -> str:
        """The branch of every openshift repository that the line's releases are built from."""
        return f"release-{self.minor}"
