"""The end of `up`: what comes next is printed alike in a lab and on machines of one's own."""

from __future__ import annotations

from hardway.cli.ending import next_steps
from hardway.cli.terminal import settings


def test_the_commands_are_in_one_column_and_what_they_show_in_another(monkeypatch):
    monkeypatch.setattr(settings.chosen, "folder", ".")
    told = next_steps("lab demo", 9, [("lab status", "nodes"), ("lab shell master-0", "look inside")])
    assert told.splitlines() == [
        "lab demo has reached stage 09. Next:",
        "  hardway lab status          nodes",
        "  hardway lab shell master-0  look inside",
    ]
