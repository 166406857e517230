"""What we write for libvirt, under libvirt's own schemas."""

from __future__ import annotations

import subprocess

from hardway.libvirt.facts import text_of
from hardway.libvirt.storage import volume_xml
from tests.unit.libvirt.test_xml import documents


def test_libvirts_own_schemas_accept_every_document(tmp_path):
    """Also those of machines that need hardware virtualization, whatever this machine has."""
    schemas = {"network": "network", "pool": "storagepool", "machine": "domain", "disk": "storagevol"}
    for kind, schema in schemas.items():
        found = [*documents(), ("disk", volume_xml("master-0", 120))]
        files = []
        for number, root in enumerate(root for k, root in found if k == kind):
            files.append(tmp_path / f"{kind}-{number}.xml")
            files[-1].write_text(text_of(root))
        command = ["xmllint", "--noout", "--relaxng", f"/usr/share/libvirt/schemas/{schema}.rng", *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
