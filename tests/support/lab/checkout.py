"""A checkout of a small component: a Go module with one program, a manifest that deploys it, and a file about it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

NAME, MODULE = "small-operator", "example.test/small-operator"
REFERENCES = """\
kind: ImageStream
apiVersion: image.openshift.io/v1
spec:
  tags:
  - name: small-operator
    from: {kind: DockerImage, name: "placeholder.test/small-operator:latest"}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: small-operator, namespace: openshift-small}
spec:
  template:
    spec:
      containers:
      - {name: small, image: "placeholder.test/small-operator:latest"}
"""
MAIN = f"""\
package main

import "{MODULE}/pkg/words"

func main() {{ println(words.First) }}
"""
FILES = {
    "go.mod": f"module {MODULE}\n\ngo 1.24\n",
    "cmd/small-operator/main.go": MAIN,
    "pkg/words/words.go": 'package words\n\nconst First = "the first words"\n',
    "manifests/image-references": REFERENCES,
    "manifests/0000_50_small-operator_01_deployment.yaml": DEPLOYMENT,
}
DESCRIPTION = f"""\
name: {NAME}
programs:
- package: ./cmd/{NAME}
"""
AUTHOR = {
    name: value
    for who in ("AUTHOR", "COMMITTER")
    for name, value in ((f"GIT_{who}_NAME", "A"), (f"GIT_{who}_EMAIL", "a@example.test"))
}


def write(folder: Path) -> Path:
    """The checkout's folder."""
    for name, text in FILES.items():
        path = folder / NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / NAME


def describe(folder: Path, text: str = DESCRIPTION) -> Path:
    """The file about it."""
    path = folder / "component.yaml"
    path.write_text(text)
    return path


def git(folder: Path, *words: str) -> str:
    """What git prints, with no configuration but the folder's own."""
    environment = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()


def commit(folder: Path, tag: str = "") -> str:
    """A repository with everything in one commit; the commit."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all", "--force")  # what .gitignore names may have been added once as well
    git(folder, "commit", "--quiet", "--message=all")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")
