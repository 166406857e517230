"""OpenShift 4.18."""

from __future__ import annotations

from hardway.lines.line import Line

LINE = Line(minor="4.18", kubernetes="1.31")
