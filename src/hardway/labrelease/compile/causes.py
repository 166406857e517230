"""Why a component did not compile: what the Go command printed, and what is behind it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from hardway.model.errors import ToolError
from hardway.tools import run

CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    printed: re.Pattern[str]
    cause: str
    fix: str


def _cause(printed: str, cause: str, fix: str) -> Cause:
    return Cause(printed=re.compile(printed, re.IGNORECASE), cause=cause, fix=fix)


# In order: a full disk makes other things fail too, and a refused version is printed together with network words.
CAUSES = (
    _cause(
        r"no space left on device|disk quota exceeded",
        "the disk is full: the build cache takes several GB while components compile",
        "free space in the folders of the user's cache and of TMPDIR, then run again to continue",
    ),
    _cause(
        r"checksum mismatch|SECURITY ERROR",
        "a module's content is not what go.sum says: the proxy served something else, or the module cache is damaged",
        "`go clean -modcache`, then run again; if the error stays, do not trust that proxy (GOPROXY)",
    ),
    _cause(
        r"inconsistent vendoring",
        "go.mod and the folder vendor do not belong together",
        "`go mod vendor` in the checkout, or remove the folder vendor, to compile with modules",
    ),
    _cause(
        r"go\.(mod|work) requires go >= ",
        "the checkout asks for a newer Go than there is on this machine",
        "install a Go that is as new as it asks for",
    ),
    _cause(
        r"missing go\.sum entry|updates to go\.(mod|sum) needed",
        "go.mod and go.sum of the component do not belong together",
        "`GOFLAGS=-mod=mod go mod tidy` in the component's folder",
    ),
    _cause(
        r"module lookup disabled by GOPROXY=off",
        "a module is not in the module cache, and GOPROXY=off forbids fetching it",
        "unset GOPROXY, or set it to a proxy that has the module",
    ),
    _cause(
        r"not available|unknown revision|: (403|404|410) ",
        "the module proxy does not serve the pinned version",
        "set GOPROXY to a proxy that does, or unset it, to use the public one",
    ),
    _cause(
        r"dial tcp|no such host|i/o timeout|connection refused|proxyconnect|tls: |x509: |network is unreachable",
        "the module proxy cannot be reached",
        "check the network, HTTPS_PROXY and GOPROXY, then run again: what is downloaded already is kept",
    ),
    _cause(
        r'C compiler "[^"]+" not found|exec: "(gcc|cc)": executable file not found',
        "there is no C compiler",
        "apt-get install gcc libc6-dev",
    ),
    _cause(
        r'exec: "pkg-config": executable file not found|Package \S+ was not found in the pkg-config search path',
        "pkg-config does not find a C library",
        "apt-get install pkg-config, and the library's -dev package that is named above",
    ),
    _cause(
        r"fatal error: \S+\.h: No such file or directory",
        "a C header is missing",
        "install the -dev package of the library that it belongs to",
    ),
    _cause(
        r"signal: killed|cannot allocate memory",
        "the machine ran out of memory: linking the largest programs takes about 2 GB each",
        "free memory or add swap, or run again with GOMAXPROCS=1",
    ),
)


def cause_of(printed: str) -> Cause | None:
    return next((row for row in CAUSES if row.printed.search(printed)), None)


def failure(subject: str, done: run.Done, settings: Mapping[str, str]) -> ToolError:
    """What failed, the command to paste, the last lines, and the cause where it is known."""
    printed = CREDENTIALS.sub("", done.output + done.errors)
    last = [line for line in printed.splitlines() if not line.startswith("go: downloading")][-run.LAST_LINES :]
    assigned = (f"{name}={value}" for name, value in sorted(settings.items()))
    known = cause_of(printed)
    lines = [
        f"{subject}: {done.command[0].rsplit('/', 1)[-1]} failed with exit code {done.code}.",
        f"    command: {shlex.join(['env', *assigned, *done.command])}",
        *(f"    {line}" for line in last or ["(nothing printed)"]),
        *([f"    cause: {known.cause}", f"    fix: {known.fix}"] if known else []),
    ]
    return ToolError("\n".join(lines))
