"""The server of the pages: who may ask what, over real sockets."""

from __future__ import annotations

import http.client
import json
import socket

import pytest

from hardway.drive import record
from hardway.model.errors import ToolError
from hardway.page.served.printed import COMMANDS, CUT, LONGEST, Printed
from hardway.page.served.server import ADDRESS, Server
from hardway.page.served.shelf import Shelf
from hardway.places.remembered import Place, kept, remember
from hardway.stages.table import BY_NUMBER
from tests.support.leaks import leaks, secrets
from tests.support.pages import serving
from tests.support.trees import built


@pytest.fixture(scope="module")
def server():
    with serving(built().folder) as found:
        yield found


@pytest.fixture(scope="module")
def cookie(server):
    answer, _ = ask(server, f"/?token={server.gate.token}")
    assert answer.status == 200
    said = answer.getheader("Set-Cookie")
    assert "HttpOnly; SameSite=Strict" in said
    return said.partition(";")[0]


def ask(server, path, method="GET", body=None, host="", **headers):
    connection = http.client.HTTPConnection(ADDRESS, server.server_port, timeout=300)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"{ADDRESS}:{server.server_port}")
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body.encode() if body is not None else None)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer, content


def here(server):
    return f"http://{ADDRESS}:{server.server_port}"


def run(server, cookie, command, **headers):
    usual = {"Cookie": cookie, "Origin": here(server), "X_Hardway": "run"}
    return ask(server, "/run", "POST", command, **(usual | headers))


def test_pages_are_for_whoever_has_the_cookie(server, cookie):
    answer, content = ask(server, "/", Cookie=cookie)
    assert answer.status == 200
    assert "ocp4.example.com" in content
    assert "script-src 'self'" in answer.getheader("Content-Security-Policy")
    assert "unsafe" not in answer.getheader("Content-Security-Policy")
    for path in (
        "/stages.html",
        "/guide/05-pki.html",
        "/artifact/cert/root-ca.html",
        "/lab.html",
        "/style.css",
        "/icon.svg",
    ):
        assert ask(server, path, Cookie=cookie)[0].status == 200, path


@pytest.mark.parametrize("path", ["/", "/index.html", "/style.css", "/artifact/cert/root-ca.html"])
def test_without_it_nothing_is_shown(server, cookie, path):
    for given in ({}, {"Cookie": "hardway=1"}, {"Cookie": f"{cookie}0"}, {"Cookie": "\x01=;;"}):
        answer, content = ask(server, path, **given)
        assert answer.status == 403
        assert "ocp4" not in content


def test_a_token_works_once_and_a_wrong_one_never(server, cookie):
    for token in ("0", "", "é", "a" * 5000):
        assert ask(server, f"/?token={token.encode().hex()}")[0].status == 403
    assert ask(server, "/?token=")[0].status == 403
    assert server.gate.token == ""


@pytest.mark.parametrize("host", ["evil.test", "evil.test:80", "127.0.0.1", "localhost:1", "127.0.0.1.evil.test:80"])
def test_another_name_that_leads_here_is_refused(server, cookie, host):
    assert ask(server, "/", host=host, Cookie=cookie)[0].status == 421


@pytest.mark.parametrize("path", ["/nothing.html", "/../etc/passwd", "/artifact/%2e%2e/x", "/assets/tls/root-ca.key"])
def test_there_are_pages_and_no_files(server, cookie, path):
    assert ask(server, path, Cookie=cookie)[0].status == 404


def test_pages_of_another_site_may_not_ask(server, cookie):
    for headers in ({"Origin": "http://evil.test"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
        assert ask(server, "/", Cookie=cookie, **headers)[0].status == 403


def test_a_command_of_the_table_is_run(server, cookie):
    answer, content = run(server, cookie, "hardway explain failure/F06")
    assert answer.status == 200
    found = json.loads(content)
    assert found["code"] == 0
    assert "Files of two builds were mixed" in found["printed"]


def test_a_command_without_the_pages_own_header_is_refused(server, cookie):
    for headers in ({"X_Hardway": "no"}, {"Origin": "http://evil.test"}, {"Cookie": ""}):
        assert run(server, cookie, "hardway status", **headers)[0].status == 403
    answer, _ = ask(server, "/run", "POST", "hardway status", Cookie=cookie, X_Hardway="run")
    assert answer.status == 403  # a browser says where a POST comes from
    assert ask(server, "/run", Cookie=cookie)[0].status == 404


@pytest.mark.parametrize("command", ["hardway build", "hardway lab down --yes", "sh -c id", "hardway status; id", ""])
def test_no_other_command_is_run(server, cookie, command):
    assert run(server, cookie, command)[0].status == 403


def test_a_long_body_is_not_read(server, cookie):
    assert run(server, cookie, "x" * 5000)[0].status == 413


def test_a_length_of_thousands_of_digits_is_not_read(server, cookie):
    told = {"Cookie": cookie, "Origin": here(server), "X_Hardway": "run", "Content_Length": "9" * 5000}
    assert ask(server, "/run", "POST", **told)[0].status == 413


def test_what_is_no_address_is_refused(server):
    assert ask(server, "http://[")[0].status == 400


def test_a_cookie_that_is_long_is_not_read(server, cookie):
    assert ask(server, "/", Cookie=f'{cookie}; a="{chr(92) * 5000}"')[0].status == 403


def test_a_program_of_the_folder_that_one_is_in_is_not_run(server, cookie, tmp_path, monkeypatch):
    (tmp_path / "click.py").write_text("raise SystemExit('a stranger')")
    monkeypatch.chdir(tmp_path)
    answer = json.loads(run(server, cookie, "hardway explain cert/root-ca")[1])
    assert answer["code"] == 0, answer
    assert "a stranger" not in answer["printed"]


def test_pages_follow_the_folder(tmp_path):
    (tmp_path / "install-config.yaml").write_text((built().folder / "install-config.yaml").read_text())
    shelf = Shelf(tmp_path)
    before = shelf.page("index.html").body
    text = (tmp_path / "install-config.yaml").read_text()
    (tmp_path / "install-config.yaml").write_text(text.replace("example.com", "other.test"))
    assert "other.test" not in before
    assert "other.test" in shelf.page("index.html").body
    (tmp_path / "install-config.yaml").write_text("a: [")
    for _ in range(2):
        assert shelf.page("index.html").title == "The folder cannot be read"
    (tmp_path / "install-config.yaml").write_text(text)
    assert "example.com" in shelf.page("index.html").body


def test_the_page_of_stages_follows_machines_of_ones_own(tmp_path):
    (tmp_path / "install-config.yaml").write_text((built().folder / "install-config.yaml").read_text())
    shelf = Shelf(tmp_path)
    assert "hardway lab up --until 10" in shelf.page("stages.html").body
    (tmp_path / "assets").mkdir(exist_ok=True)
    remember(tmp_path, Place(kind="own"))
    body = shelf.page("stages.html").body
    assert "hardway run 10" in body
    assert "hardway lab up" not in body
    record.add(kept(tmp_path), [row.name for row in BY_NUMBER["10"].reaches])
    assert "hardway run 10" not in shelf.page("stages.html").body


def test_a_port_that_is_taken_is_named(server):
    with pytest.raises(ToolError, match=rf"port {server.server_port} of 127.0.0.1: Address already in use"):
        Server(server.shelf, server.server_port)


@pytest.mark.parametrize(
    ("error", "told"), [(BrokenPipeError(), False), (ConnectionResetError(), False), (KeyError("x"), True)]
)
def test_a_browser_that_has_gone_is_no_error_and_a_bug_is(server, capsys, error, told):
    try:
        raise error
    except type(error):
        server.handle_error(None, ("127.0.0.1", 1))
    assert ("Traceback" in capsys.readouterr().err) == told


def test_it_listens_on_loopback_alone(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert server.address_family == socket.AF_INET


def test_what_a_command_prints_has_no_secret(server, cookie):
    _, content = run(server, cookie, "hardway explain key/root-ca")
    assert leaks(content, secrets()) == []


def test_what_was_printed_last_is_there_when_a_page_is_opened_again(server, cookie):
    command = "hardway explain cert/admin-kubeconfig-signer"
    _, content = run(server, cookie, f" {command} ")
    answer, kept = ask(server, "/printed", Cookie=cookie)
    found = json.loads(kept)[command]
    assert answer.status == 200
    assert {key: found[key] for key in ("printed", "code")} == json.loads(content)
    assert found["at"].endswith("+00:00")
    assert ask(server, "/printed")[0].status == 403


def test_only_so_much_is_kept_of_what_was_printed():
    printed = Printed()
    for number in range(COMMANDS + 5):
        printed.keep(f"hardway explain cert/{number}", {"printed": "x" * (LONGEST + number), "code": 0})
    printed.keep("hardway explain cert/9", {"printed": "again", "code": 0})
    kept = printed.all()
    assert len(kept) == COMMANDS
    assert next(iter(kept)) == "hardway explain cert/5"
    assert [*kept][-1] == "hardway explain cert/9"
    assert kept["hardway explain cert/7"]["printed"] == "x" * LONGEST + CUT
