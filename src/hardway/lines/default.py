"""The line that the tables were written for: that of the built-in release, and of the sources of every reason."""

from __future__ import annotations

from hardway.lines.v4_18 import LINE as DEFAULT

__all__ = ["DEFAULT"]
