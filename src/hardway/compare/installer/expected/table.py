"""THE TABLE of expected differences: what is not as openshift-install writes it, and why that is so.

A row that no comparison ever needs is a lie, and a difference without a row is a defect; tests hold both.
"""

from __future__ import annotations

from hardway.compare.installer.expected.content import CERTIFICATES, DOCUMENTS
from hardway.compare.installer.expected.files import LEFT_OUT, MOVED, NEW
from hardway.compare.installer.expected.scripts import FLAGS, STAGE_BY_STAGE, TEXTS
from hardway.compare.installer.expected.units import LEFT_OUT as NO_UNIT
from hardway.compare.installer.expected.units import SETTINGS
from hardway.compare.row import Row

EXPECTED: tuple[Row, ...] = (
    *NEW,
    *MOVED,
    *LEFT_OUT,
    *NO_UNIT,
    *SETTINGS,
    *CERTIFICATES,
    *DOCUMENTS,
    *FLAGS,
    *TEXTS,
    *STAGE_BY_STAGE,
)
