"""Downloads that break, stall, meet each other, or find a cache that was damaged meanwhile."""

from __future__ import annotations

import gzip
import os
import random
import re
import signal
import subprocess
import sys
import threading

import pytest

from hardway.registry import errors
from hardway.registry.cache import Cache
from tests.support.hardway_program import COMMAND, hardway
from tests.support.pseudo_terminal import on_terminal
from tests.support.registry import images
from tests.support.registry.front import front
from tests.support.registry.server import Reader
from tests.support.waiting import until

NOISE = random.Random(11).randbytes(1_500_000)

READ = """
import sys
from pathlib import Path
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.release import read_release
reference, host, cache = sys.argv[1:]
payload = read_release(reference, access=Access(plain_http=frozenset({host})), cache=Cache(Path(cache)))
print(payload.image, len(payload.files))
"""


@pytest.fixture(scope="module")
def made():
    return images.image(images.layer(images.payload_files() | {"usr/noise": NOISE}))


@pytest.fixture
def gate(registry, made):
    registry.push("big", "a", made)
    with front(registry.host) as server:
        yield server


def reader_of(gate, tmp_path):
    return Reader(tmp_path / "cache", plain_http=frozenset({gate.host}))


def layer_requests(gate, made):
    return [headers.get("Range", "") for path, headers in gate.seen if made.layers[0] in path]


def part_of(made, folder):
    return Cache(folder).path(made.layers[0]).with_suffix(".part")


def process(gate, cache):
    return subprocess.Popen(
        [sys.executable, "-c", READ, f"{gate.host}/big:a", gate.host, cache],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )


def test_a_broken_connection_is_taken_up_where_it_broke(gate, made, tmp_path):
    gate.cuts = [500_000]
    assert len(reader_of(gate, tmp_path).read(f"{gate.host}/big:a").files) == 5
    assert layer_requests(gate, made) == ["", "bytes=500000-"]


def test_a_reset_connection_is_taken_up_too(gate, made, tmp_path):
    gate.cuts, gate.reset = [500_000, 100_000], True
    assert len(reader_of(gate, tmp_path).read(f"{gate.host}/big:a").files) == 5
    assert len(layer_requests(gate, made)) == 3


def test_a_server_without_ranges_is_asked_for_everything_again(gate, made, tmp_path):
    gate.cuts, gate.ranges = [500_000], False
    reader = reader_of(gate, tmp_path)
    assert len(reader.read(f"{gate.host}/big:a").files) == 5
    assert len(layer_requests(gate, made)) == 2
    done = [d for what, d, _ in reader.told if what.startswith(f"layer {made.layers[0][7:19]}")]
    assert done != sorted(done), "it began anew"
    assert done[-1] == len(made.blobs[made.layers[0]])


def test_a_line_that_breaks_all_the_time_is_given_up_and_gone_on_with_later(gate, made, tmp_path):
    gate.cuts = [100_000] * 4
    reader = reader_of(gate, tmp_path)
    with pytest.raises(errors.Interrupted, match=r"broke the connection\n    fix: run the same command again"):
        reader.read(f"{gate.host}/big:a")
    kept = part_of(made, tmp_path / "cache").stat().st_size
    assert kept == 400_000
    assert len(reader.read(f"{gate.host}/big:a").files) == 5
    assert layer_requests(gate, made)[-1] == f"bytes={kept}-"
    assert not part_of(made, tmp_path / "cache").exists()


def test_a_killed_process_leaves_what_the_next_one_goes_on_with(gate, made, tmp_path):
    gate.hold.clear()
    gate.cuts = [700_000]
    victim = process(gate, tmp_path / "cache")
    assert gate.reached.wait()
    part = part_of(made, tmp_path / "cache")
    until(lambda: part.exists() and part.stat().st_size)
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    kept = part.stat().st_size
    assert kept > 0
    gate.hold.set()
    assert len(reader_of(gate, tmp_path).read(f"{gate.host}/big:a").files) == 5
    assert layer_requests(gate, made) == ["", f"bytes={kept}-"]


def test_a_part_that_is_of_something_else_is_thrown_away(gate, made, tmp_path):
    size = len(made.blobs[made.layers[0]])
    for number, rubbish in enumerate((b"x" * 1000, b"x" * size, b"x" * (size + 5))):
        folder = tmp_path / str(number)
        part_of(made, folder).parent.mkdir(parents=True)
        part_of(made, folder).write_bytes(rubbish)
        reader = Reader(folder, plain_http=frozenset({gate.host}))
        assert len(reader.read(f"{gate.host}/big:a").files) == 5


def test_a_part_that_the_server_cannot_go_on_from(registry, gate, reader, made, tmp_path):
    """416: our part is longer than what the server has. Then the server's is short, which is said."""
    content = made.blobs[made.layers[0]]
    part_of(made, tmp_path / "cache").parent.mkdir(parents=True)
    part_of(made, tmp_path / "cache").write_bytes(content[:-10])
    file = registry.blob_file(made.layers[0])
    file.write_bytes(content[:1000])
    try:
        with pytest.raises(errors.Truncated, match=f"1000 of {len(content)} bytes"):
            reader.read(f"{registry.host}/big:a")
    finally:
        file.write_bytes(content)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_registry_is_asked_again(gate, made, tmp_path, status):
    gate.statuses = [status, status]
    assert len(reader_of(gate, tmp_path).read(f"{gate.host}/big:a").files) == 5
    assert [path for path, _ in gate.seen[:3]] == ["/v2/big/manifests/a"] * 3


def test_but_not_for_ever(gate, tmp_path):
    gate.statuses, gate.body = [503] * 50, b"s3cret"
    with pytest.raises(errors.Busy, match=r"cannot answer now \(503\)\n    fix: try again later"):
        reader_of(gate, tmp_path).read(f"{gate.host}/big:a")
    assert len(gate.seen) == 4


def test_retry_after_is_respected(gate, tmp_path, monkeypatch):
    paused = []
    monkeypatch.setattr("time.sleep", paused.append)
    gate.statuses, gate.headers = [429, 429], {"Retry-After": "7"}
    reader_of(gate, tmp_path).read(f"{gate.host}/big:a")
    assert paused[:2] == [7.0, 7.0]


def test_a_damaged_cache_is_not_believed(gate, made, tmp_path):
    reader = reader_of(gate, tmp_path)
    good = reader.read(f"{gate.host}/big:a")
    file = reader.cache.path(made.layers[0])
    plain = reader.cache.path(images.digest(gzip.decompress(made.blobs[made.layers[0]])))
    for damaged in (b"", file.read_bytes()[:-1], bytes(len(file.read_bytes()))):
        file.write_bytes(damaged)
        plain.write_bytes(damaged)
        before = len(layer_requests(gate, made))
        assert reader.read(f"{gate.host}/big:a") == good
        assert len(layer_requests(gate, made)) == before + 1
    assert len(layer_requests(gate, made)) == 4
    manifest = reader.cache.path(made.digest)
    manifest.write_bytes(b"{}")
    assert reader.read(f"{gate.host}/big@{made.digest}") == good


def test_processes_at_once_download_once(gate, made, tmp_path):
    """The first is held in the middle of the layer; the others wait for it, none of them harms it."""
    gate.hold.clear()
    gate.cuts = [300_000]
    first = process(gate, tmp_path / "cache")
    assert gate.reached.wait()
    reader = reader_of(gate, tmp_path)
    waiting = threading.Event()
    results = []

    def tell(what, done, total):
        if what.startswith("waiting for another process"):
            waiting.set()

    def read():
        from hardway.registry.access import Access
        from hardway.registry.release import read_release

        access = Access(**reader.access)
        results.append(read_release(f"{gate.host}/big:a", access=access, cache=reader.cache, progress=tell))

    others = [threading.Thread(target=read) for _ in range(3)]
    for other in others:
        other.start()
    assert waiting.wait()
    gate.hold.set()
    output, problems = first.communicate()
    for other in others:
        other.join()
    assert (output, problems) == (f"{gate.host}/big@{made.digest} 5\n", "")
    assert [len(r.files) for r in results] == [5, 5, 5]
    assert len(layer_requests(gate, made)) == 2, "once, and once more after the break"
    assert [p.name for p in reader.cache.folder.rglob("*.part")] == []


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_a_terminal_shows_how_far_a_layer_is(gate, made, tmp_path, columns):
    gate.hold.clear()
    gate.cuts = [500_000]  # and then nothing comes
    words = ["release", "info", f"{gate.host}/big:a", "--insecure-registry", gate.host]
    seen = on_terminal(
        [*COMMAND, *words],
        columns=columns,
        cwd=tmp_path,
        ctrl_c_after="0.5/1.5 MB",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    gate.hold.set()
    assert any(re.search(r"layer [0-9a-f]+ .*0\.5/1\.5 MB", line) for picture in seen.pictures for line in picture)
    assert (seen.code, "layer" in seen.text, seen.cursor_hidden) == (130, False, False)


def test_verbose_tells_each_address_that_is_asked(gate, made, tmp_path):
    words = ["release", "info", f"{gate.host}/big:a", "--insecure-registry", gate.host]
    done = hardway(*words, "-v", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert f"fetch  http://{gate.host}/v2/big/blobs/{made.layers[0]}\n" in done.stderr
    assert "fetch" not in hardway(*words, cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "other")).stderr


def test_the_cache_is_where_the_desktop_says(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "x"))
    assert Cache().folder == tmp_path / "x" / "hardway" / "blobs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Cache().folder == tmp_path / ".cache" / "hardway" / "blobs"


def test_nobody_else_reads_the_cache(gate, made, tmp_path):
    reader_of(gate, tmp_path).read(f"{gate.host}/big:a")
    cache = Cache(tmp_path / "cache")
    assert cache.path(made.digest).parent.stat().st_mode & 0o077 == 0
    assert cache.path(made.layers[0]).stat().st_mode & 0o077 == 0
