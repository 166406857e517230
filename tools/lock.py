#!/usr/bin/env python3
"""Writes requirements/*.lock from pyproject.toml: every package that pip would install, with the digests of its files.

Run it with the oldest Python that hardway supports: newer ones need no more packages. It keeps the versions that the files
have; `--upgrade` takes the newest. The index is the one that pip uses.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "requirements"
INDEX = "https://pypi.org/simple"
USED = re.compile(r"(\.tar\.gz|-any\.whl|linux[\w.]*_(x86_64|aarch64)\.whl)$")
HEAD = "# Written by tools/lock.py from pyproject.toml; do not edit.\n"


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    runtime = project["project"]["dependencies"]
    development = project["project"]["optional-dependencies"]["dev"]
    backend = project["build-system"]["requires"]
    keep = {} if "--upgrade" in sys.argv[1:] else known()
    everything = resolved([*runtime, *development], keep)
    chosen = resolved(runtime, everything)
    write("build", resolved(backend, keep))
    write("runtime", chosen)
    write("dev", {name: version for name, version in everything.items() if name not in chosen})


def known() -> dict[str, str]:
    """What the files say now."""
    found = (line for path in FOLDER.glob("*.lock") for line in path.read_text().splitlines())
    return dict(match.groups() for line in found if (match := re.match(r"(\S+)==(\S+)", line)))  # type: ignore[misc]


def resolved(wanted: list[str], keep: dict[str, str]) -> dict[str, str]:
    with TemporaryDirectory() as scratch:
        report, constraints = Path(scratch, "report"), Path(scratch, "constraints")
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in keep.items()))
        options = ["--dry-run", "--ignore-installed", "--quiet", "--constraint", constraints, "--report", report]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, *wanted], check=True)
        rows = json.loads(report.read_text())["install"]
    return {canonical(row["metadata"]["name"]): row["metadata"]["version"] for row in rows}


def write(name: str, versions: dict[str, str]) -> None:
    lines = [f"{package}=={version} \\\n{digests(package, version)}\n" for package, version in sorted(versions.items())]
    (FOLDER / f"{name}.lock").write_text(HEAD + "".join(lines))
    print(f"{name}.lock: {len(lines)} packages")


def digests(package: str, version: str) -> str:
    """Of every file of the version that Linux can use, on both architectures and for every Python."""
    with urllib.request.urlopen(f"{index()}/{package}/", timeout=60) as answer:
        page = answer.read().decode()
    files = re.findall(r'href="[^"]*?([^"/]+)#sha256=([0-9a-f]{64})"', page)
    found = {digest for name, digest in files if of_version(unquote(name), package, version)}
    if not found:
        sys.exit(f"{package} {version}: the index names no file of it with a digest")
    return " \\\n".join(f"    --hash=sha256:{digest}" for digest in sorted(found))


def of_version(file: str, package: str, version: str) -> bool:
    name, _, rest = file.removesuffix(".tar.gz").partition("-") if file.endswith(".whl") else file.rpartition("-")
    said = rest.split("-")[0] if file.endswith(".whl") else rest.removesuffix(".tar.gz")
    return canonical(name) == package and said == version and bool(USED.search(file))


def index() -> str:
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return (said or INDEX).rstrip("/")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
