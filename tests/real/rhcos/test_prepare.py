"""Media for machines of one's own: what fits is whole, what does not is a pointer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.rhcos.image import live_iso
from tests.support.rhcos.mirror import RELEASE, mirror, write_stream
from tests.support.rhcos.reading import DEST, iso_files, parsed

HARDWAY = "from hardway.cli.main import main; main()"


def prepare(folder: Path, *words: str, cache: Path | None = None) -> tuple[int, list[dict[str, Any]], str]:
    environment = {**os.environ, **({"XDG_CACHE_HOME": str(cache)} if cache else {})}
    command = [sys.executable, "-c", HARDWAY, "-C", str(folder), "install", "--prepare", "-o", "json", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def enlarge(ignition: Path) -> None:
    """As the release's CRDs do."""
    body = json.loads(ignition.read_bytes())
    body["storage"]["files"].append({"path": "/noise", "contents": {"source": f"data:,{os.urandom(1 << 19).hex()}"}})
    ignition.write_text(json.dumps(body))


def test_what_does_not_fit_becomes_a_pointer(folder: Path):
    assets = folder / "assets"
    enlarge(assets / "bootstrap.ign")
    words = ("bootstrap", "master-0", "--iso", str(live_iso()), "--listen", "127.0.0.1")
    code, events, errors = prepare(folder, *words)
    assert code == 0, errors
    ways = {e["node"]: e["way"] for e in events if e["event"] == "medium"}
    assert ways == {"master-0": "iso", "bootstrap": "server"}
    warning = json.loads(next(line for line in errors.splitlines() if "warning" in line))
    assert (warning["place"], "was not checked" in warning["warning"]) == (str(live_iso()), True)
    assert [e["nodes"] for e in events if e["event"] == "serve"] == [["bootstrap"]]
    whole, small = (iso_files(assets / "rhcos" / f"{n}.iso")[DEST] for n in ("master-0", "bootstrap"))
    assert parsed(whole) == parsed((assets / "master-0.ign").read_bytes())
    assert parsed(small) == parsed((assets / "deliver" / "bootstrap.ign").read_bytes())
    code, events, _ = prepare(folder, *words)
    assert (code, [e["made"] for e in events if e["event"] == "medium"]) == (0, [False, False])


def test_who_insists_on_the_whole_file_is_told_that_it_does_not_fit(folder: Path):
    enlarge(folder / "assets" / "bootstrap.ign")
    code, _, errors = prepare(folder, "bootstrap", "--iso", str(live_iso()), "--method", "iso")
    assert (code, "does not fit into the ISO" in errors, "Traceback" in errors) == (3, True, False)


def test_a_pointer_to_this_machine_alone_is_refused(folder: Path):
    code, _, errors = prepare(folder, "bootstrap", "--iso", str(live_iso()), "--method", "server")
    assert (code, "with --listen" in errors) == (2, True)
    assert not (folder / "assets" / "deliver").exists()


def test_the_image_of_the_release_is_fetched_and_checked(folder: Path, tmp_path: Path):
    with mirror({"live.iso": live_iso().read_bytes()}) as served:
        write_stream(folder / "assets", served.stream())
        code, events, errors = prepare(folder, "bootstrap", cache=tmp_path)
        assert code == 0, errors
        assert "live.iso: " in errors  # how far it is
        assert [(e["release"], e["checked"]) for e in events if e["event"] == "image"] == [(RELEASE, True)]
        write_stream(folder / "assets", served.stream(iso="1" * 64))
        code, _, errors = prepare(folder, "bootstrap", cache=tmp_path)
        assert (code, "has another checksum than the release says" in errors) == (3, True)
    assert [e["made"] for e in events if e["event"] == "medium"] == [True]


def test_a_dry_run_refuses_what_the_run_refuses(folder: Path):
    (folder / "assets" / "master-1.ign").unlink()
    for dry in ((), ("--dry-run",)):
        code, events, errors = prepare(folder, "bootstrap", "master-1", *dry)
        assert (code, events) == (2, [])
        assert "the RHCOS image of the release is not known" in errors
        assert "master-1 has no Ignition file" in errors
    words = ("bootstrap", "--iso", str(live_iso()), "--dry-run")
    assert prepare(folder, *words, "--sha256", "0" * 64)[0] == 2
    assert prepare(folder, *words, "--method", "server")[0] == 2
    code, events, errors = prepare(folder, *words)
    assert (code, [e["path"] for e in events if e["event"] == "would make"]) == (0, ["assets/rhcos/bootstrap.iso"])
    assert not (folder / "assets" / "rhcos").exists()


def test_a_node_without_an_ignition_file_is_named(folder: Path):
    (folder / "assets" / "master-1.ign").unlink()
    code, _, errors = prepare(folder, "master-1", "--iso", str(live_iso()))
    assert (code, "master-1 has no Ignition file" in errors) == (2, True)
    assert f"hardway -C {folder} build 08" in errors
