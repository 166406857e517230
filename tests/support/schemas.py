"""Kubernetes' own schemas, each read once: the library reads two megabytes of them at every question."""

from __future__ import annotations

from functools import cache
from typing import Any

import kubernetes_validate
from kubernetes_validate import utils

utils.schema_contents = cache(utils.schema_contents)


def validate(body: Any) -> None:
    """An error of the library if Kubernetes would not take it."""
    kubernetes_validate.validate(body, "1.31", strict=True)
