"""Somebody else's hardway.yaml or hosts.yaml must not run a program: which addresses of a libvirt a file may name."""

from __future__ import annotations

import pytest

from hardway.libvirt.choices import choose
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for
from hardway.workspace.folder import example

PROGRAMS = [
    "qemu+ext:///system?command=/tmp/evil",
    "qemu+ext://host/system",
    "qemu+ssh://root@host/system?command=/tmp/evil",
    "qemu+ssh://root@host/system?keyfile=/k&command=/tmp/evil",
    "qemu+ssh://root@host/system?keyfile=/k;command=/tmp/evil",
    "qemu+ssh://root@host/system?%63ommand=/tmp/evil",
    "qemu+ssh://root@host/system?netcat=/tmp/evil",
    "qemu+ssh://root@host/system?socket=/s%3bcommand=/tmp/evil",
    "qemu+ssh://root@host/system?keyfile=$(/tmp/evil)",
]
NOWHERE = ["qemu+ssh://-oProxyCommand=evil/system", "qemu+ssh://-oProxyCommand=evil@host/system"]
HARMLESS = [
    "qemu:///system",
    "qemu+ssh://root@host/system",
    "qemu+ssh://root@[2001:db8::3]:2222/system",
    "qemu+ssh://root@hv2/system?keyfile=/root/.ssh/hv2&no_verify=1&socket=/run/libvirt/libvirt-sock",
    "qemu+unix:///system?socket=/run/other/libvirt-sock",
    "qemu+tls://hv1.example.com/system?pkipath=/etc/pki/hv1",
]


def problems(*, settings: str = "", hosts: str = "") -> set[str]:
    inputs = Inputs(install_config=example("install-config.yaml"), settings=settings, hosts=hosts)
    try:
        load(inputs, release_for)
    except ConfigError as error:
        return {f"{problem.file} {problem.path}" for problem in error.problems if not problem.warning}
    return set()


@pytest.mark.parametrize("uri", [*PROGRAMS, *NOWHERE])
def test_a_file_cannot_name_a_program(uri: str):
    assert problems(settings=f"infra: {{connect: '{uri}'}}") == {"hardway.yaml infra.connect"}
    assert problems(hosts=f"hypervisors: {{hv2: {{connect: '{uri}'}}}}") == {"hosts.yaml hypervisors.hv2.connect"}


@pytest.mark.parametrize("uri", HARMLESS)
def test_a_file_can_name_a_host_and_how_to_prove_who_one_is(uri: str):
    assert problems(settings=f"infra: {{connect: '{uri}'}}") == set()
    assert problems(hosts=f"hypervisors: {{hv2: {{connect: '{uri}'}}}}") == set()


def test_what_the_user_types_may_name_a_program():
    infra = load(Inputs(install_config=example("install-config.yaml")), release_for).settings.infra
    assert choose(infra, connect=PROGRAMS[2]).connect == PROGRAMS[2]
    with pytest.raises(ConfigError, match="is not an address of a libvirt"):
        choose(infra, connect=NOWHERE[0])
