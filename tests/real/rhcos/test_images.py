"""The image of the release: fetched once, gone on with, checked, from a server with faults, through a real proxy."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from hardway.model.cluster import Proxy
from hardway.model.errors import ConfigError, ToolError
from hardway.registry.access import Access
from hardway.registry.errors import Busy, Interrupted, NotFound, Refused, Untrusted, WrongDigest
from hardway.release.stream import Artifact
from hardway.rhcos import images
from tests.support.registry.proxy import NAME, squid
from tests.support.registry.tls import Authority
from tests.support.rhcos.mirror import RELEASE, Mirror, mirror, write_stream

CONTENT = os.urandom(1 << 20) * 3
FILES = {"live.iso": CONTENT}


def artifact(served: Mirror, assets: Path, **wrong: str) -> Artifact:
    write_stream(assets, served.stream(**wrong))
    found = images.stream_in(assets)
    assert found
    return found.artifact("metal", "iso")


def test_the_image_is_fetched_once_and_told_of(tmp_path: Path):
    seen: list[tuple[str, int, int]] = []
    with mirror(FILES) as served:
        row = artifact(served, tmp_path)
        got = images.fetch(row, Access(), lambda *step: seen.append(step), tmp_path / "cache")
        again = images.fetch(row, Access(), folder=tmp_path / "cache")
        assert served.asked == [("/live.iso", "")]
    assert got == again
    assert (got.path.read_bytes(), got.release, got.checked) == (CONTENT, RELEASE, True)
    assert seen[-1] == ("live.iso", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_what_was_cut_off_is_gone_on_with(tmp_path: Path):
    with mirror(FILES) as served:
        row = artifact(served, tmp_path)
        served.cut_after = 500_000
        with pytest.raises(Interrupted):
            images.fetch(row, Access(), folder=tmp_path / "cache")
        served.cut_after = 0
        got = images.fetch(row, Access(), folder=tmp_path / "cache")
    assert got.path.read_bytes() == CONTENT
    starts = [int(wanted[6:-1]) if wanted else 0 for _, wanted in served.asked]
    assert starts == [500_000 * n for n in range(len(starts))]
    assert len(starts) > 2


def test_a_server_without_ranges_begins_anew(tmp_path: Path):
    with mirror(FILES) as served:
        row = artifact(served, tmp_path)
        served.ranges, served.cut_after = False, 500_000
        with pytest.raises(Interrupted):
            images.fetch(row, Access(), folder=tmp_path / "cache")
        served.cut_after = 0
        assert images.fetch(row, Access(), folder=tmp_path / "cache").path.read_bytes() == CONTENT


def test_a_file_that_grew_shorter_meanwhile_is_fetched_from_its_beginning(tmp_path: Path):
    with mirror(dict(FILES)) as served:
        row = artifact(served, tmp_path)
        part = tmp_path / "cache" / "sha256" / f"{row.sha256}.part"
        part.parent.mkdir(parents=True)
        part.write_bytes(bytes(len(CONTENT) + 10))
        assert images.fetch(row, Access(), folder=tmp_path / "cache").path.read_bytes() == CONTENT


def test_another_content_is_refused_and_not_kept(tmp_path: Path):
    with mirror(FILES) as served:
        row = artifact(served, tmp_path, iso="0" * 64)
        with pytest.raises(WrongDigest, match="another checksum than the release says"):
            images.fetch(row, Access(), folder=tmp_path / "cache")
    assert sum(p.stat().st_size for p in (tmp_path / "cache").rglob("*") if p.is_file()) == 0


def test_a_cached_file_that_was_damaged_is_fetched_again(tmp_path: Path):
    with mirror(FILES) as served:
        row = artifact(served, tmp_path)
        path = images.fetch(row, Access(), folder=tmp_path / "cache").path
        path.write_bytes(CONTENT[:-1] + b"!")
        assert images.fetch(row, Access(), folder=tmp_path / "cache").path.read_bytes() == CONTENT
        assert len(served.asked) == 2


@pytest.mark.parametrize(("status", "error"), [(404, NotFound), (403, Refused), (503, Busy)])
def test_an_answer_that_is_no_image(tmp_path: Path, status: int, error: type[ToolError]):
    with mirror(FILES) as served:
        row = artifact(served, tmp_path)
        served.status = status
        with pytest.raises(error, match="fix: "):
            images.fetch(row, Access(), folder=tmp_path / "cache")


def test_trust_of_install_config_and_its_proxy_are_used(tmp_path: Path):
    """Only the proxy knows where the name leads."""
    authority = Authority()
    with squid() as proxy, mirror(FILES, authority.tls(tmp_path / "tls", NAME), NAME) as served:
        row = artifact(served, tmp_path)
        through = Proxy(http="", https=f"http://{proxy.host}", no_proxy="")
        with pytest.raises(Untrusted):
            images.fetch(row, Access(proxy=through), folder=tmp_path / "cache")
        access = Access(proxy=through, trust_bundle=authority.pem.decode())
        assert images.fetch(row, access, folder=tmp_path / "cache").path.read_bytes() == CONTENT
        assert proxy.went(f"CONNECT {NAME}")


def test_a_file_of_the_users_is_held_against_the_release(tmp_path: Path):
    (tmp_path / "mine.iso").write_bytes(CONTENT)
    (tmp_path / "other.iso").write_bytes(b"other")
    with mirror(FILES) as served:
        write_stream(tmp_path, served.stream())
    known = images.stream_in(tmp_path)
    assert images.given(tmp_path / "mine.iso", known, "", "amd64").release == RELEASE
    with pytest.raises(ConfigError, match="is not the image of the release"):
        images.given(tmp_path / "other.iso", known, "", "amd64")
    said = sha256(b"other").hexdigest()
    meant = images.given(tmp_path / "other.iso", known, said.upper(), "amd64")
    assert (meant.release, meant.checked) == ("", True)
    with pytest.raises(ConfigError, match="fetch the file again"):
        images.given(tmp_path / "other.iso", None, "1" * 64, "amd64")
    assert not images.given(tmp_path / "other.iso", None, "", "amd64").checked
    with pytest.raises(ConfigError, match="name a file that can be read"):
        images.given(tmp_path / "none.iso", None, "", "amd64")


def test_a_release_that_was_not_read_is_no_riddle(tmp_path: Path):
    assert images.stream_in(tmp_path) is None
    with pytest.raises(ConfigError, match="no release that was read names it"):
        images.required(images.stream_in(tmp_path), "read it")
