"""The base: what of Debian goes in and what stays out."""

from __future__ import annotations

import io
import tarfile

from hardway.labrelease.images import base, layers
from hardway.labrelease.images.layout import Blobs

MADE = {  # as mmdebstrap writes it: path to content, None for a folder
    "./": None,
    "./dev/": None,
    "./dev/null-like": b"",
    "./etc/": None,
    "./etc/apt/": None,
    "./etc/apt/sources.list": b"deb https://mirror.example.com bookworm main",
    "./etc/machine-id": b"0123",
    "./etc/passwd": b"root:x:0:0::/root:/bin/bash\n",
    "./usr/bin/bash": b"bash",
    "./usr/bin/chage": b"chage",
    "./var/cache/": None,
    "./var/cache/ldconfig/aux-cache": b"random",
    "./var/lib/dpkg/status": b"Package: bash\n",
    "./var/lib/dpkg/status-old": b"",
    "./var/log/": None,
    "./var/log/dpkg.log": b"2025-02-20 12:00:00",
}


def packed(tmp_path):
    archive, blobs = tmp_path / "made.tar", Blobs(tmp_path / "blobs")
    with tarfile.open(archive, "w") as made:
        for path, content in MADE.items():
            member = tarfile.TarInfo(path.rstrip("/") if content is None else path)
            member.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            member.mode, member.size = 0o755, len(content or b"")
            if path.endswith("chage"):
                member.mode, member.gid, member.gname = 0o2755, 42, "shadow"
            made.addfile(member, io.BytesIO(content or b""))
    blob = layers.write(blobs, lambda target: base.copy(archive, target))
    return blobs, blob


def test_what_depends_on_time_and_place_stays_out(tmp_path):
    blobs, blob = packed(tmp_path)
    with tarfile.open(blobs.path(blob.digest)) as archive:
        names = archive.getnames()
    folders = ["dev", "etc", "etc/apt", "var/cache", "var/log"]
    files = ["etc/passwd", "usr/bin/bash", "usr/bin/chage", "var/lib/dpkg/status"]
    assert sorted(names) == sorted(folders + files)


def test_owners_and_modes_of_packages_are_kept_by_number(tmp_path):
    blobs, blob = packed(tmp_path)
    with tarfile.open(blobs.path(blob.digest)) as archive:
        chage = archive.getmember("usr/bin/chage")
    assert (oct(chage.mode), chage.gid, chage.gname) == ("0o2755", 42, "")


def test_a_program_can_be_taken_out_of_the_base(tmp_path):
    blobs, blob = packed(tmp_path)
    assert base.program(blobs, blob, "usr/bin/bash") == b"bash"
