"""What a delivery leaves on disk, and what the command says."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from hardway.cli.deliver import deliver
from hardway.deliver import ledger, run
from hardway.deliver.ledger import STATE, Ledger, Receipt, alone
from hardway.graph.store import Store
from hardway.io.links import LinkError
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError, ToolError
from hardway.workspace.folder import open_workspace
from tests.support.delivery import HOST, folder_of, free_port, lent_folder, serving, until

RECEIPT = {"at": "2026-01-02T03:04:05+00:00", "to": "192.0.2.7", "hash": f"sha512-{'0' * 128}"}


@pytest.fixture
def folder():
    return lent_folder()


def call(folder, *words):
    return CliRunner().invoke(deliver, [*words], obj=folder)


def test_again_serves_once_more_under_a_new_token(folder):
    with serving(folder, "master-0", "master-1") as first:
        assert first.request(first.path("master-0"))[0] == 200
        until(first, "master-0", "delivered")
    with serving(folder, again=("master-0",)) as second:
        assert second.request(first.path("master-0"))[0] == 403
        assert second.request(second.path("master-0"))[0] == 200
        assert second.path("master-1") == first.path("master-1")


def test_secrets_are_in_files_that_only_the_owner_reads(folder):
    with serving(folder) as running:
        for name in ("state.json", "master-0.ign", "master-0.txt"):
            assert (folder / "assets/deliver" / name).stat().st_mode & 0o777 == 0o600
    assert (folder / "assets/deliver").stat().st_mode & 0o777 == 0o700
    tokens = [p.token for p in running.delivery.parcels]
    assert len(set(tokens)) == 4
    assert all(len(token) == 43 for token in tokens)
    assert not list(folder.rglob("*ignition-delivery*"))


def test_preparing_twice_writes_the_same(folder):
    def snapshot():
        return {p.name: p.read_bytes() for p in (folder / "assets/deliver").iterdir()}

    first = call(folder, "--all", "--prepare", "--listen", HOST)
    before = snapshot()
    second = call(folder, "--all", "--prepare", "--listen", HOST)
    assert first.exit_code == second.exit_code == 0
    assert snapshot() == before
    assert "warning" not in second.output
    assert not any(p.token in first.output for p in _plan(folder).parcels)


def _plan(folder):
    place = run.choose_place((), HOST, 8443, None)
    return run.plan(open_workspace(folder), place, (), True, (), SystemEntropy())


def test_a_file_that_changed_since_voids_its_pointer(folder):
    call(folder, "--all", "--prepare", "--listen", HOST)
    (folder / "assets/master-1.ign").write_text("{}")
    said = call(folder, "--all", "--prepare", "--listen", HOST).output
    assert "assets/deliver/master-1.ign: warning: the pointer has changed" in said
    assert "master-0.ign: warning" not in said


def test_dry_run_writes_nothing(folder):
    done = call(folder, "--all", "--dry-run", "--listen", HOST)
    assert done.exit_code == 0
    assert "would serve" in done.output
    assert not (folder / "assets/deliver").exists()


def test_the_time_is_over(folder):
    done = call(folder, "master-0", "--listen", HOST, "--port", str(free_port()), "--timeout", "0.005")
    assert isinstance(done.exception, ToolError)
    assert "not delivered: master-0" in str(done.exception)


def test_nothing_left_ends_at_once(folder):
    before = Ledger(open_workspace(folder).store)
    with serving(folder, "master-0") as running:
        running.request(running.path("master-0"))
        running.thread.join()
    done = call(folder, "master-0", "--listen", HOST)
    assert done.exit_code == 0
    assert f"to {HOST}" in done.output
    assert before.receipts == {}


def test_one_server_a_folder(folder):
    with alone(open_workspace(folder).store):
        done = call(folder, "--all", "--listen", HOST, "--port", str(free_port()))
    assert isinstance(done.exception, ToolError)
    assert "another" in str(done.exception)


def test_what_another_server_delivered_before_the_lock_was_taken_is_not_served_again(folder, monkeypatch):
    """The other one serves the file and ends between the first look at the ledger and the lock."""
    other = open_workspace(folder).store
    call(folder, "master-0", "--prepare", "--listen", HOST)

    @contextmanager
    def late(store):
        Ledger(other).record("master-0", Receipt(**RECEIPT))
        with alone(store):
            yield

    monkeypatch.setattr(ledger, "alone", late)
    done = call(folder, "master-0", "--listen", HOST, "--port", str(free_port()), "--timeout", "0.005")
    assert done.exit_code == 0, done.exception
    assert "delivered 2026-01-02T03:04:05+00:00 to 192.0.2.7" in done.output
    assert "serving" not in done.output
    assert Ledger(other).receipts["master-0"].to == "192.0.2.7"


@pytest.mark.parametrize("link", ["deliver", "deliver/.lock"])
def test_the_lock_is_not_made_through_a_link(folder, tmp_path, link):
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "assets" / link).parent.mkdir(exist_ok=True)
    (folder / "assets" / link).symlink_to(outside if link == "deliver" else outside / "planted")
    with pytest.raises(LinkError, match="is a symbolic link to"), alone(open_workspace(folder).store):
        pass
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no node is named"),
        (("master-9",), "there is no node 'master-9'"),
        (("--again", "nobody"), "there is no node 'nobody'"),
        (("--all", "--listen", "here"), "is not an IP address"),
        (("--all", "--listen", "0.0.0.0"), "need a name or address"),
    ],
)
def test_bad_usage_says_what_to_do(folder, words, message):
    done = call(folder, *words)
    assert isinstance(done.exception, ConfigError)
    assert message in str(done.exception)
    assert "fix: " in str(done.exception)
    assert not (folder / "assets/deliver").exists()


def test_missing_files_name_their_stage(folder):
    (folder / "assets/master-0.ign").unlink()
    with pytest.raises(ConfigError, match="hardway build 08"):
        _plan(folder)


def plant(folder, **state):
    (folder / "assets/deliver").mkdir()
    (folder / "assets" / STATE).write_text(json.dumps(state))


DAMAGE = {
    "no receipts": {"nonces": {}},
    "numbers of no form": {"nonces": 3, "delivered": {}},
    "an empty number": {"nonces": {"bootstrap": ""}, "delivered": {}},
    "a number that is no UTF-8": {"nonces": {"bootstrap": "\ud800" * 43}, "delivered": {}},
    "a number that is none": {"nonces": {"bootstrap": 7}, "delivered": {}},
    **{
        f"{field} {value!r}": {"nonces": {}, "delivered": {"master-0": {**RECEIPT, field: value}}}
        for field, value in (
            ("at", "now"),
            ("at", 5),
            ("to", "192.0.2.7\nmaster-1 waits"),
            ("to", "\u202e"),
            ("hash", "sha512-0"),
            ("hash", None),
            ("end", "lost"),
            ("end", []),
            ("sent", "3"),
            ("size", True),
            ("size", -1),
            ("more", 1),
        )
    },
}


@pytest.mark.parametrize("state", DAMAGE.values(), ids=map(ascii, DAMAGE))
def test_a_damaged_record_is_not_taken_for_an_empty_one(folder, state):
    plant(folder, **state)
    with pytest.raises(ConfigError, match=r"damaged.*\n    fix: "):
        _plan(folder)


@pytest.mark.parametrize("planted", ["", "A" * 43])
def test_a_token_that_came_with_the_folder_opens_nothing(folder, planted):
    plant(folder, tokens={"bootstrap": planted}, delivered={})
    with serving(folder) as running:
        assert running.request(f"/bootstrap/{planted}") == (403, b"Forbidden.\n")


def test_a_token_is_made_from_a_key_that_whoever_plants_the_record_does_not_have(folder, tmp_path):
    known = {"bootstrap": "A" * 43}
    plant(folder, nonces=known, delivered={})
    theirs = tmp_path / "theirs"
    shutil.copytree(folder, theirs)
    (theirs / "assets/tls/root-ca.key").write_bytes((theirs / "assets/tls/etcd-signer.key").read_bytes())
    guess = Ledger(Store(theirs / "assets")).token("bootstrap", SystemEntropy())
    with serving(folder) as running:
        assert [running.request(f"/bootstrap/{token}")[0] for token in (guess, "A" * 43)] == [403, 403]
        assert running.request(running.path("bootstrap"))[0] == 200


def test_an_address_or_port_that_cannot_be_had(folder, tmp_path):
    with serving(folder_of(tmp_path / "other"), "master-0") as running:
        done = call(folder, "master-1", "--listen", HOST, "--port", str(running.port))
    assert isinstance(done.exception, ToolError)
    assert "--port" in str(done.exception)
    assert not (folder / "assets/deliver").exists()


def test_where_nobody_can_listen_earlier_pointers_stay(folder):
    call(folder, "master-0", "--prepare", "--listen", HOST)
    before = {p.name: p.read_bytes() for p in (folder / "assets/deliver").iterdir()}
    done = call(folder, "master-0", "--again", "--listen", "203.0.113.1")
    assert isinstance(done.exception, ToolError)
    assert "cannot listen on 203.0.113.1" in str(done.exception)
    assert {p.name: p.read_bytes() for p in (folder / "assets/deliver").iterdir()} == before


@pytest.mark.parametrize("words", [("--prepare",), ("--dry-run",), ()])
def test_a_gateway_that_is_elsewhere_is_no_place_to_fetch_from(folder, words):
    config = folder / "install-config.yaml"
    config.write_text(config.read_text().replace("192.168.126.0/24", "203.0.113.0/24"))
    done = call(folder, "master-0", *words)
    assert isinstance(done.exception, ConfigError)
    assert "203.0.113.1 is not an address of this machine" in str(done.exception)
    assert "with --listen ADDRESS" in str(done.exception)
    assert not (folder / "assets/deliver").exists()


def test_the_default_place_is_the_gateway_if_it_is_here():
    assert run.choose_place(("127.0.0.2",), None, 8443, None).url == "https://127.0.0.2:8443"
    away = run.choose_place(("203.0.113.1",), None, 8443, None)
    assert away.unreachable == "203.0.113.1 is not an address of this machine"
    assert run.choose_place(("fd00::1",), "::1", 8443, None).url == "https://[::1]:8443"
    assert run.choose_place((), "0.0.0.0", 1, "host.example.com").url == "https://host.example.com:1"


def test_verification_does_not_mind_the_folder(folder):
    from hardway.checks.files.table import TABLE
    from hardway.pipeline.verify import verify_files

    call(folder, "--all", "--prepare", "--listen", HOST)
    found = verify_files(open_workspace(folder), TABLE).errors
    assert {f.check for f in found} == {"operators.signing-keys"}  # its keys are quick to make
