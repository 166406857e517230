"""What git says of a checkout. The checkout's own configuration may name programs to run: none of them is run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hardway.tools import run

_DESCRIBE = ("describe", "--always", "--long", "--tags", "--abbrev=12")
# In a submodule git runs once more, with the submodule's own configuration.
_CHANGED = ("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "HEAD", "--")
_FILTERS = ("config", "--null", "--name-only", "--get-regexp", r"^filter\.")
_ODD = re.compile(r"[^0-9A-Za-z._+-]+")
_NUMBER = r"(0|[1-9]\d*)"
_SEMANTIC = re.compile(rf"v{_NUMBER}\.{_NUMBER}\.{_NUMBER}-[0-9A-Za-z-]*[A-Za-z-][0-9A-Za-z-]*")
_LONGEST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Of a checkout; empty where there is no repository or no git."""

    describe: str = ""
    commit: str = ""
    dirty: bool = False

    @property
    def told(self) -> str:
        return self.describe or "not in git"

    @property
    def version(self) -> str:
        """For programs that take nothing but a semantic version."""
        if _SEMANTIC.fullmatch(self.describe):
            return self.describe
        return f"v0.0.0-g{self.commit[:12]}{'-dirty' if self.dirty else ''}" if self.commit else "v0.0.0-no-git"

    def as_dict(self) -> dict[str, str | bool]:
        return {"describe": self.describe, "commit": self.commit, "dirty": self.dirty}


def state(folder: Path) -> State:
    """Of the repository whose top folder this is; one that only contains the folder says nothing about it."""
    if not run.have("git") or not (folder / ".git").exists():
        return State()
    settings = {
        "core.fsmonitor": "false",
        "core.hooksPath": os.devnull,
        "safe.directory": str(folder),
        **_without_filters(folder),
    }
    commit = _printed(_git(folder, ("rev-parse", "--verify", "HEAD"), settings))
    found = _ODD.sub("-", _printed(_git(folder, _DESCRIBE, settings)))[:_LONGEST]
    dirty = _git(folder, _CHANGED, settings).code == 1
    return State(describe=f"{found}-dirty" if found and dirty else found, commit=commit, dirty=dirty)


def _without_filters(folder: Path) -> dict[str, str]:
    """Filters are programs that git runs on files that look changed."""
    listed = _printed(_git(folder, _FILTERS, {"safe.directory": str(folder)}))
    drivers = {name.rpartition(".")[0] for name in listed.split("\0") if name}
    return {f"{driver}.{what}": value for driver in sorted(drivers) for what, value in _OFF}


_OFF = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))


def _printed(done: run.Done) -> str:
    return done.output.strip() if done.ok else ""


def _git(folder: Path, words: Iterable[str], settings: dict[str, str]) -> run.Done:
    """Settings come by the environment, where a name may have any character."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_CONFIG_COUNT": str(len(settings)),
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    for number, (name, value) in enumerate(settings.items()):
        environment |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return run.attempt(("git", "-C", str(folder), *words), environment=environment)
