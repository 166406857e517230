"""THE TABLE of expected differences: what is not as the operators render it, and why that is so.

A row that no comparison ever needs is a lie, and a difference without a row is a defect; tests hold both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hardway.compare.rendered.expected.certificates import CERTIFICATES
from hardway.compare.rendered.expected.config import CONFIG
from hardway.compare.rendered.expected.files import FILES
from hardway.compare.rendered.expected.flags import FLAGS
from hardway.compare.rendered.expected.manifests import MANIFESTS
from hardway.compare.rendered.expected.pods import PODS
from hardway.compare.row import Area, Row

TABLES: Mapping[Area, tuple[Row, ...]] = {
    "pods": PODS,
    "flags": FLAGS,
    "config": CONFIG,
    "certificates": CERTIFICATES,
    "manifests": MANIFESTS,
    "files": FILES,
}
EXPECTED: tuple[Row, ...] = tuple(replace(row, area=area) for area, rows in TABLES.items() for row in rows)
