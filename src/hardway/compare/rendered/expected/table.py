"""THE TABLE of expected differences: what is not as the operators render it, and why that is so.

A row that no comparison ever needs is a lie, and a difference without a row is a defect; tests hold both.
"""

from __future__ import annotations

from hardway.compare.rendered.expected.certificates import CERTIFICATES
from hardway.compare.rendered.expected.config import CONFIG, RULES
from hardway.compare.rendered.expected.files import FILES
from hardway.compare.rendered.expected.flags.table import FLAGS
from hardway.compare.rendered.expected.manifests import MANIFESTS
from hardway.compare.rendered.expected.pods.table import PODS
from hardway.compare.rendered.row import Row

EXPECTED: tuple[Row, ...] = (*PODS, *FLAGS, *CONFIG, *RULES, *CERTIFICATES, *MANIFESTS, *FILES)
