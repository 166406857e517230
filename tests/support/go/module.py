"""A small Go module with everything that a component of the lab can have, served by a module proxy on loopback."""

from __future__ import annotations

import io
import os
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MODULE = "example.test/small"
VERSION = "v0.1.0"
FILES = {
    "go.mod": f"module {MODULE}\n\ngo 1.24\n",
    "cmd/main.go": 'package main\n\nvar Version, leaked, native = "unset", "", ""\n\n'
    "func main() { println(Version + leaked + native) }\n",
    "cmd/leaked.go": '//go:build leaked\n\npackage main\n\nfunc init() { leaked = " leaked" }\n',
    "cmd/native.go": "//go:build native\n\npackage main\n\n// static int four(void) { return 4; }\n"
    'import "C"\n\nfunc init() { native = string(rune(48 + C.four())) }\n',
    "checks/checks.go": "package checks\n\nfunc Four() int { return 4 }\n",
    "checks/checks_test.go": 'package checks\n\nimport "testing"\n\n'
    "func TestFour(t *testing.T) {\n\tif Four() != 4 {\n\t\tt.Fail()\n\t}\n}\n",
    "helper/src/main.c": '#include <stdio.h>\n#include "words.h"\n\nint main(void) { puts(WORDS); return 0; }\n',
    "helper/src/words.h": '#define WORDS "in C"\n',
    "broken/src/main.c": "#include <no/such.h>\n\nint main(void) { return 0; }\n",
    "manifests/one.yaml": "kind: One\n",
    "manifests/deep/two.yaml": "kind: Two\n",
    "manifests/embed.go": "package manifests\n",
    "a/v1/crds/a.yaml": "kind: A\n",
    "b/v1/crds/b.yaml": "kind: B\n",
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """The tests' output is not the place for an access log."""


@contextmanager
def proxy(folder: Path) -> Iterator[str]:
    """The address of a proxy that serves the folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def publish(folder: Path) -> None:
    """The module, laid out as the module proxy's protocol has it."""
    place = folder / MODULE / "@v"
    place.mkdir(parents=True)
    (place / f"{VERSION}.info").write_text(f'{{"Version": "{VERSION}", "Time": "2025-01-01T00:00:00Z"}}')
    (place / f"{VERSION}.mod").write_text(FILES["go.mod"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"{MODULE}@{VERSION}/{name}", text)
    (place / f"{VERSION}.zip").write_bytes(packed.getvalue())


def pin(folder: Path, address: str, modules: Path) -> None:
    """go.mod and go.sum of a component that consists of the module's one program."""
    folder.mkdir(parents=True)
    tool = f"tool {MODULE}/cmd\n\nrequire {MODULE} {VERSION} // indirect\n"
    (folder / "go.mod").write_text(f"module hardway.local/lab/small\n\ngo 1.24\n\n{tool}")
    settings = {"GOPROXY": address, "GOSUMDB": "off", "GOMODCACHE": str(modules), "GOFLAGS": "-mod=mod -modcacherw"}
    subprocess.run(
        ["go", "mod", "download", MODULE], cwd=folder, env={**os.environ, **settings}, check=True, capture_output=True
    )
