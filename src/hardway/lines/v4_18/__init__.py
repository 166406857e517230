"""OpenShift 4.18, with Kubernetes 1.31."""

from __future__ import annotations

from hardway.lines.line import Ignition, Line
from hardway.lines.v4_18.capabilities import CAPABILITY_SETS
from hardway.lines.v4_18.gates import GATES, LOCKED

LINE = Line(
    minor="4.18",
    kubernetes="1.31",
    release="4.18.0",
    ignition=Ignition(read=("3.2.0", "3.3.0", "3.4.0", "3.5.0"), written="3.2.0", rendered="3.4.0"),
    capability_sets=CAPABILITY_SETS,
    gates=GATES,
    locked_gates=LOCKED,
    lab_kubernetes="1.31.3",
)
