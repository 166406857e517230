"""A BMC that does not say what Redfish wants, on loopback: one message, whatever it answers."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from hardway.io.links import LinkError
from hardway.model.bmc import Bmc
from hardway.model.errors import ConfigError, ToolError
from hardway.places.power.redfish.machine import Redfish
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

SYSTEM = "/redfish/v1/Systems/1"
ROOT = {
    "@odata.id": "/redfish/v1/",
    "Id": "RootService",
    "Name": "root",
    "RedfishVersion": "1.6.0",
    "Systems": {"@odata.id": "/redfish/v1/Systems"},
}
RESET = {"target": f"{SYSTEM}/Actions/Reset", "ResetType@Redfish.AllowableValues": ["ForceOff"]}
ON = {
    "@odata.id": SYSTEM,
    "Id": "1",
    "Name": "one",
    "PowerState": "On",
    "Actions": {"#ComputerSystem.Reset": RESET},
}


class Odd(Handler):
    """Answers every address from a table; to a reset it says yes, and does nothing."""

    def do_GET(self):
        found = self.server.answers.get(self.path.rstrip("/"), self.server.answers.get("", "{}"))
        self.answer(200, found.encode())

    def do_POST(self):
        self.body()
        self.answer(204, b"")


@pytest.fixture
def trouble(tmp_path):
    """What is said when the machine of such a BMC is cut off."""

    def said(answers):
        authority = Authority()
        (tmp_path / "ca.pem").write_bytes(authority.pem)
        (tmp_path / "password").touch(mode=0o600)
        (tmp_path / "password").write_text("secret-of-the-bmc")
        with served(Odd, authority, tmp_path / "tls", answers=answers) as server:
            address = f"https://127.0.0.1:{server.server_port}{SYSTEM}"
            bmc = Bmc(address=address, username="admin", passwordFile="password", trustBundle="ca.pem")
            with pytest.raises(ToolError) as raised:
                Redfish(tmp_path, {"master-0": bmc}, seconds=0.1).off("master-0", cut=True)
        return str(raised.value)

    return said


@pytest.mark.parametrize(
    "answer", ["[]", '"text"', "7", "null", "{}", "no JSON", "[" * 100_000, '{"Systems": [[]]}', '{"error": 1}']
)
def test_an_answer_of_another_form_is_one_message(trouble, answer):
    message = trouble({"": answer})
    assert message.startswith("master-0: its BMC at https://127.0.0.1:")
    assert "\n    fix: " in message
    assert "secret-of-the-bmc" not in message


@pytest.fixture
def described(tmp_path):
    """A folder with a password and a certificate to believe, and the BMC that they are for."""
    (tmp_path / "password").touch(mode=0o600)
    (tmp_path / "ca.pem").write_bytes(Authority().pem)
    bmc = Bmc(address="https://127.0.0.1:1", username="admin", passwordFile="password", trustBundle="ca.pem")
    return tmp_path, bmc


def refused(folder, bmc):
    with pytest.raises(ConfigError) as raised:
        Redfish(folder, {"master-0": bmc}).state("master-0")
    return str(raised.value)


def test_a_folder_is_no_password_and_keeps_its_mode(described):
    folder, bmc = described
    (folder / "secrets").mkdir()
    message = refused(folder, bmc._replace(passwordFile="secrets"))
    assert message == f"{folder}/secrets: is a folder.\n    fix: write the password of master-0 into a file"


@pytest.mark.parametrize("field", ["passwordFile", "trustBundle"])
def test_a_link_is_not_followed(described, field):
    folder, bmc = described
    (folder / "link").symlink_to(folder / ("password" if field == "passwordFile" else "ca.pem"))
    with pytest.raises(LinkError):
        Redfish(folder, {"master-0": bmc._replace(**{field: "link"})}).state("master-0")


@pytest.mark.parametrize("content", [b"", b"no PEM", b"\xff"])
def test_a_bundle_without_a_certificate_is_named(described, content):
    folder, bmc = described
    (folder / "ca.pem").write_bytes(content)
    assert refused(folder, bmc).startswith(f"{folder}/ca.pem: has no certificate that can be read.\n    fix: ")


def test_a_password_beyond_latin_1_is_sent_as_utf_8(tmp_path):
    got = []

    class Asked(Odd):
        def do_GET(self):
            got.append(self.headers["Authorization"])
            super().do_GET()

    authority = Authority()
    (tmp_path / "ca.pem").write_bytes(authority.pem)
    (tmp_path / "password").touch(mode=0o600)
    (tmp_path / "password").write_text("пароль€")
    answers = {"/redfish/v1": json.dumps(ROOT), SYSTEM: json.dumps(ON)}
    with served(Asked, authority, tmp_path / "tls", answers=answers) as at:
        address = f"https://127.0.0.1:{at.server_port}{SYSTEM}"
        bmc = Bmc(address=address, username="a€", passwordFile="password", trustBundle="ca.pem")
        assert Redfish(tmp_path, {"master-0": bmc}).state("master-0") == "on"
    assert f"Basic {b64encode('a€:пароль€'.encode()).decode()}" in got


def test_a_bmc_that_never_cuts_the_power_is_not_asked_without_end(trouble):
    message = trouble({"/redfish/v1": json.dumps(ROOT), SYSTEM: json.dumps(ON)})
    assert "was told to cut the power, and says that it is on" in message
