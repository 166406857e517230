"""Components are compiled once, into nothing half, to the same bytes, and a failure names its cause."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardway.labrelease import places
from hardway.labrelease.compile import all as compile
from hardway.labrelease.compile import toolchain
from hardway.labrelease.compile.causes import cause_of
from hardway.labrelease.components.row import Component, Native, Need, Program, Suite
from hardway.labrelease.components.table import COMPONENTS, component
from hardway.model.errors import ToolError
from hardway.model.why import because
from tests.support.go import module as go_module

SMALL = Component(
    name="small",
    version="0.1",
    module=go_module.MODULE,
    programs=(Program(package=f"{go_module.MODULE}/cmd", file="small"),),
    stamps=(("main.Version", "0.1"),),
    data=("manifests", "*/v*/crds"),
    sets=("core",),
    why=because("to be compiled quickly"),
)


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A proxy with the module, its pins, and a build cache that has the standard library after the first test."""
    folder = tmp_path_factory.mktemp("served")
    go_module.publish(folder / "proxy")
    with go_module.proxy(folder / "proxy") as address:
        go_module.pin(folder / "components" / "small", address, folder / "modules")
        yield SimpleNamespace(address=address, components=folder / "components", cache=folder / "go-build")


@pytest.fixture
def small(served, tmp_path, monkeypatch):
    """The small component, in caches of this test's own."""
    pins = tmp_path / "components"
    (pins / "small").mkdir(parents=True)
    for name in ("go.mod", "go.sum"):
        (pins / "small" / name).write_bytes((served.components / "small" / name).read_bytes())
    monkeypatch.setattr(places, "COMPONENTS", pins)
    for name, value in {
        "XDG_CACHE_HOME": tmp_path / "cache",
        "GOMODCACHE": tmp_path / "modules",
        "GOCACHE": served.cache,
        "GOPROXY": served.address,
    }.items():
        monkeypatch.setenv(name, str(value))
    return SMALL


def said(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return (done.stdout + done.stderr).strip()


def test_programs_are_named_and_stamped_and_data_is_copied(small):
    folder = compile.compiled(small)
    assert said(folder / "bin/small") == "0.1"
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    data = {"data/manifests/one.yaml", "data/manifests/deep/two.yaml", "data/a/v1/crds/a.yaml", "data/b/v1/crds/b.yaml"}
    assert set(files) == {"bin/small", *data}
    assert {files[name].stat().st_mode & 0o777 for name in data} == {0o644}
    assert files["data/manifests/deep/two.yaml"].read_text() == "kind: Two\n"


def test_tests_of_a_module_become_a_program_and_a_component_of_their_own(small):
    suite = Suite(package=f"{go_module.MODULE}/checks", file="small.test", parts=())
    folder = compile.compiled(replace(small, suites=(suite,), data=()))
    assert sorted(path.name for path in (folder / "bin").iterdir()) == ["small", "small.test"]
    assert said(folder / "bin/small.test") == "PASS"
    assert folder != compile.compiled(replace(small, data=()))


def test_what_is_compiled_is_not_compiled_again(small, monkeypatch):
    first = compile.compiled(small)
    monkeypatch.setenv("GOPROXY", "off")
    monkeypatch.setenv("GOMODCACHE", str(first / "nowhere"))
    told = []
    assert compile.compiled(small, progress=lambda *words: told.append(words)) == first
    assert told == []


def test_progress_counts_the_packages_and_the_components(small, tmp_path):
    other = replace(small, name="other", data=())
    (places.COMPONENTS / "other").symlink_to(places.COMPONENTS / "small")
    told = []
    compile.compile_all((small, other), progress=lambda *words: told.append(words))
    assert [name for name, done, total, what in told if what.endswith("done")] == ["small", "other"]
    assert all(0 <= done <= total for _, done, total, _ in told if total)
    assert told[-1][1] == told[-1][2] > 1
    assert re.fullmatch(r"component 2 of 2, \d+ s: done", told[-1][3])
    assert any("downloading example.test/small" in what for *_, what in told)


def test_two_builds_give_the_same_bytes(small, tmp_path, monkeypatch):
    """With C in it, cold, and with every cache at another place."""
    monkeypatch.delenv("GOCACHE")
    mixed = replace(small, tags=("native",), cgo=True, native=(Native(folder="helper/src", file="helper"),))
    built = []
    for place in ("here", "a/longer/way/there"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / place))
        monkeypatch.setenv("GOMODCACHE", str(tmp_path / place / "modules"))
        folder = compile.compiled(mixed)
        built.append({path.name: path.read_bytes() for path in (folder / "bin").iterdir()})
        assert not places.build_cache().exists()
    assert said(folder / "bin/small") == "0.14"
    assert said(folder / "bin/helper") == "in C"
    assert built[0] == built[1]


def test_the_users_build_cache_is_used_and_left(small, served):
    compile.compiled(small)
    assert any(served.cache.iterdir())
    assert not places.build_cache().exists()


def test_the_users_flags_do_not_leak_in(small, tmp_path, monkeypatch):
    (tmp_path / "env").write_text("GOFLAGS=-tags=leaked\n")
    monkeypatch.setenv("GOENV", str(tmp_path / "env"))
    assert said(compile.compiled(small) / "bin/small") == "0.1"
    monkeypatch.setenv("GOFLAGS", "-tags=leaked")
    assert said(compile.compiled(replace(small, data=())) / "bin/small") == "0.1"


def test_each_thing_that_decides_the_outcome_gives_another_folder(small):
    go = toolchain.find()
    changed = [
        replace(small, stamps=()),
        replace(small, tags=("native",)),
        replace(small, cgo=True),
        replace(small, data=()),
        replace(small, programs=(replace(small.programs[0], file="other"),)),
    ]
    places_of = {compile.place(row, go) for row in (small, *changed)}
    places_of.add(compile.place(small, replace(go, version="1.99.0")))
    sums = places.COMPONENTS / "small" / "go.sum"
    sums.write_text(sums.read_text() + "\n")
    places_of.add(compile.place(small, go))
    assert len(places_of) == len(changed) + 3


def test_another_patch_release_of_go_is_no_reason_to_compile_again(small):
    go = toolchain.find()
    assert compile.place(small, replace(go, version="1.26.1")) == compile.place(small, replace(go, version="1.26.9"))


PROCESS = """
import sys
from pathlib import Path
from hardway.labrelease import places
from hardway.labrelease.compile import all as compile
from tests.real.labrelease.compile.test_compile import SMALL
places.COMPONENTS = Path(sys.argv[1])
told = []
print(compile.compiled(SMALL, progress=lambda *words: told.append(words[3])))
print(sum(what.endswith("s: done") for what in told))
"""


def test_two_processes_compile_once(small):
    command = [sys.executable, "-c", PROCESS, str(places.COMPONENTS)]
    paths = [str(Path(__file__).parents[4] / "src"), str(Path(__file__).parents[4])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {answer[0] for answer in answers} == {str(compile.place(small, toolchain.find()))}
    assert sorted(answer[1] for answer in answers) == ["0", "1"]


def test_an_interruption_leaves_nothing_half_and_the_next_run_goes_on(small, monkeypatch):
    monkeypatch.delenv("GOCACHE")

    def interrupt(_name, done, _total, _what):
        if done > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile.compiled(small, progress=interrupt)
    assert [path.name for path in places.programs().iterdir()] == [".lock"]
    assert places.build_cache().exists()
    assert said(compile.compiled(small) / "bin/small") == "0.1"
    assert not places.build_cache().exists()


def failure(row):
    with pytest.raises(ToolError) as caught:
        compile.compiled(row)
    assert [path.name for path in places.programs().iterdir()] == [".lock"]
    return str(caught.value)


def test_a_module_that_is_not_what_go_sum_says_is_refused(small):
    sums = places.COMPONENTS / "small" / "go.sum"
    sums.write_text(re.sub(r"(v0\.1\.0 h1:)....", r"\1AAAA", sums.read_text()))
    message = failure(small)
    assert "cause: a module's content is not what go.sum says" in message
    assert "command: env CGO_ENABLED=0 " in message


def test_go_sum_without_the_module_is_refused(small):
    (places.COMPONENTS / "small" / "go.sum").write_text("")
    assert "go.mod and go.sum of the component do not belong together" in failure(small)


def test_a_version_that_the_proxy_does_not_serve(small, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    with go_module.proxy(tmp_path / "empty") as address:
        monkeypatch.setenv("GOPROXY", address)
        assert "cause: the module proxy does not serve the pinned version" in failure(small)


def test_a_proxy_that_is_not_there_and_its_password(small, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    with go_module.proxy(tmp_path / "gone") as address:
        pass
    monkeypatch.setenv("GOPROXY", address.replace("http://", "https://me:sesame@"))
    message = failure(small)
    assert "cause: the module proxy cannot be reached" in message
    assert "sesame" not in message


def test_a_forbidden_download(small, monkeypatch):
    monkeypatch.setenv("GOPROXY", "off")
    assert "GOPROXY=off forbids" in failure(small)


def test_a_missing_header_is_found_before_anything_is_compiled(small):
    needs = (Need(package="libnone-dev", header="none/none.h"), Need(package="nothing", program="no-such-program"))
    message = failure(replace(small, cgo=True, needs=needs))
    assert message.endswith("fix: apt-get install libnone-dev nothing")
    assert "command:" not in message


def test_a_missing_compiler_is_found_before_anything_is_compiled(small, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    message = failure(replace(small, cgo=True, needs=(Need(package="libc6-dev", header="stdio.h"),)))
    assert "fix: apt-get install gcc libc6-dev" in message


def test_c_that_does_not_compile_names_the_header(small):
    message = failure(replace(small, native=(Native(folder="broken/src", file="broken"),)))
    assert "no/such.h" in message
    assert "cause: a C header is missing" in message


def test_a_folder_that_the_module_does_not_have(small):
    assert "the module has no folder nowhere" in failure(replace(small, data=("nowhere",)))


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        ("write /x/go-build/trim.txt: no space left on device", "the disk is full"),
        ("github.com/x/y@v1.0.0: verifying module: checksum mismatch\nSECURITY ERROR", "not what go.sum says"),
        ("reading https://p/x.zip: 404 Not Found\n\tserver response: not found", "does not serve"),
        ('Get "https://p/x": dial tcp: lookup p: no such host', "cannot be reached"),
        ('cgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH', "no C compiler"),
        ("Package libseccomp was not found in the pkg-config search path.", "pkg-config"),
        ("x.c:2:10: fatal error: blkid/blkid.h: No such file or directory", "a C header is missing"),
        ("/usr/local/go/pkg/tool/linux_amd64/link: signal: killed", "out of memory"),
    ],
)
def test_what_go_prints_is_led_back_to_its_cause(printed, cause):
    assert cause in cause_of(printed).cause


def test_no_cause_is_made_up():
    assert cause_of("./main.go:3:1: syntax error: non-declaration statement outside function body") is None


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("kubernetes", "kubelet --version"),
        ("kubernetes", "kube-apiserver --version"),
        ("kubernetes", "kubectl version --client"),
        ("etcd", "etcd --version"),
        ("etcd", "etcdutl version"),
        ("ignition", "ignition --version"),
        ("ignition", "ignition-validate --version"),
        ("cri-o", "crio --version"),
    ],
)
def test_the_real_programs_tell_the_version_of_their_row(name, command):
    program, *words = command.split()
    done = subprocess.run(
        [compile.compiled(component(name)) / "bin" / program, *words], capture_output=True, text=True, check=True
    )
    assert component(name).version in done.stdout


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["cluster-version-operator", "machine-config-operator"])
def test_the_real_operators_carry_their_pin(name):
    (_, pin), *_ = component(name).stamps
    folder = compile.compiled(component(name)) / "bin"
    assert {path.name for path in folder.iterdir()} == {program.file for program in component(name).programs}
    assert all(pin.encode() in path.read_bytes() for path in folder.iterdir())


@pytest.mark.timeout(3600)
def test_the_definitions_that_the_version_operator_needs_are_in_the_data():
    data = compile.compiled(next(row for row in COMPONENTS if row.name == "api")) / "data"
    found = {path.name for path in (data / "config/v1/zz_generated.crd-manifests").iterdir()}
    assert "0000_00_cluster-version-operator_01_clusteroperators.crd.yaml" in found
    assert "0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml" in found
    assert len(list((data / "payload-manifests/crds").iterdir())) == 98
