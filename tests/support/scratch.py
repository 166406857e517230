"""A folder that every worker of one test run shares, and that ends with the run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_NAME = "HARDWAY_TEST_SCRATCH"
_OURS = None if _NAME in os.environ else tempfile.TemporaryDirectory(prefix="hardway-tests-")
if _OURS:
    os.environ[_NAME] = _OURS.name  # for the workers, which the process that started the run starts

SCRATCH = Path(os.environ[_NAME])
