"""The pages of a whole cluster: they lead to each other, load nothing else, and say what the tables say."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from hardway.checks.failures import TABLE as FAILURES
from hardway.explain.place import explain_file
from hardway.page import chapters, findings, texts
from hardway.page.export import files
from hardway.page.frame import MENU, Frame
from hardway.page.site import Site, artifact
from hardway.stages.table import TABLE as STAGES
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.pages import exported
from tests.support.trees import build_folder, built, write_folder

ROOT = Path(__file__).parents[3]
PATH_OF_ONE = "artifact/cert/kube-apiserver-lb-server.html"
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.tags = [], [], [], []
        self.inline = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" and "href" in found else []
        self.loads += [found[name] for name in ("src", "href") if tag in ("script", "link", "img") and name in found]
        self.inline |= "style" in found or any(name.startswith("on") for name in found)


@cache
def read():
    return {path: Reader(text) for path, text in exported().items() if path.endswith(".html")}


def test_every_link_leads_to_a_page_and_a_place_on_it():
    broken = []
    for path, page in read().items():
        for link in (one for one in page.links if not one.startswith("https://")):
            file, _, anchor = link.partition("#")
            target = normpath(join(dirname(path), file)) if file else path
            if target not in read() or (anchor and anchor not in read()[target].ids):
                broken.append(f"{path}: {link}")
    assert sum(len(page.links) for page in read().values()) > 5000
    assert broken == []


def test_no_page_has_two_places_of_one_name():
    assert [path for path, page in read().items() if len(page.ids) != len(set(page.ids))] == []


def test_pages_load_their_own_style_script_and_icon_and_nothing_else():
    loads = {normpath(join(dirname(path), one)) for path, page in read().items() for one in page.loads}
    assert loads == {"style.css", "script.js", "icon.svg"}
    assert [path for path, page in read().items() if page.inline or "style" in page.tags] == []
    assert [path for path, page in read().items() if page.tags.count("script") != 1] == []
    assert [path for path in read() if "default-src &#x27;none&#x27;" not in exported()[path]] == []


def test_every_artifact_stage_chapter_and_failure_is_there():
    graph = built().graph
    assert {artifact(address) for address in graph} <= set(read())
    assert {f"guide/{name}.html" for name in texts.chapters()} <= set(read())
    assert set(MENU) <= set(read())
    assert {f"stage-{row.number}" for row in STAGES} <= set(read()["stages.html"].ids)
    assert {row.id for row in FAILURES} <= set(read()["explain/failure.html"].ids)


def test_a_line_has_the_reason_that_explain_gives():
    workspace = built()
    path = "manifests/cluster-dns-02-config.yml"
    lines = (workspace.store.root / path).read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "baseDomain:" in line and "#" not in line)
    found = explain_file(workspace, workspace.store.root / path, number)
    text = exported()["artifact/manifest/cluster-dns-02-config.yml.html"]
    part = next(part for part in text.split('<div class="part">') if f'id="L{number}"' in part)
    assert found.why.what in part.replace("&#x27;", "'")
    assert found.address in part


def test_a_line_leads_to_the_line_of_install_config_that_decides_it():
    text = exported()["artifact/manifest/cluster-dns-02-config.yml.html"]
    [link] = set(re.findall(r'href="([^"]*install-config.yaml.html#L\d+)">install-config.yaml:\d+</a> and', text))
    number = link.rpartition("#L")[2]
    line = (built().folder / "install-config.yaml").read_text().splitlines()[int(number) - 1]
    assert line.strip() == "name: ocp4"


def fact(path, label):
    """What a page says beside a label."""
    return exported()[path].partition(f"<dt>{label}</dt><dd>")[2].partition("</dd>")[0]


def line_of(text):
    lines = (built().folder / "install-config.yaml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


@pytest.mark.parametrize(
    ("path", "decides"),
    [
        (PATH_OF_ONE, "baseDomain: example.com"),
        ("artifact/ignition/bootstrap.html", "networkType: OVNKubernetes"),
        ("artifact/kubeconfig/admin.html", "baseDomain: example.com"),
    ],
)
def test_a_file_leads_to_the_lines_that_decide_it(path, decides):
    said, line = fact(path, "you decide it in"), line_of(decides)
    found = f'<a href="../../yours/install-config.yaml.html#L{line}">install-config.yaml:{line}</a> <code>'
    assert re.search(rf"{re.escape(found)}[\w.]*{re.escape(decides)}</code>", said)
    assert re.search("<details><summary>and .* that you have not written</summary><ul><li>[a-z-]+.yaml", said)


def test_a_line_without_a_value_that_is_searched_leads_to_what_decides_it():
    text = exported()["artifact/manifest/cluster-network-02-config.yml.html"]
    line = line_of("networkType: OVNKubernetes")
    part = next(part for part in text.split('<div class="part">') if "  networkType: OVN" in part)
    assert f'You decide it in <a href="../../yours/install-config.yaml.html#L{line}">' in part


def test_a_line_of_install_config_names_what_it_decides_and_not_itself():
    text, line = exported()["yours/install-config.yaml.html"], line_of("name: ocp4")
    part = next(part for part in text.split('<div class="part">') if f'id="L{line}"' in part)
    assert "You decide" not in text
    assert re.search(r"It decides <details><summary>\d+: ", part)
    assert 'href="../artifact/manifest/cluster-dns-02-config.yml.html"' in part


def test_many_addresses_are_folded_and_few_are_not():
    folded = fact("artifact/ignition/bootstrap.html", "made from")
    assert re.match(r"<details><summary>\d+: \d+ key, ", folded)
    assert folded.count("<a ") == len(built().graph["ignition/bootstrap"].needs)
    assert "<details>" not in fact("artifact/kubeconfig/admin.html", "made from")


def test_a_certificate_has_its_place_its_end_and_who_trusts_it():
    text = exported()[PATH_OF_ONE]
    for said in ("cert/kube-apiserver-lb-signer", "bundle/kube-apiserver-lb-ca-bundle", "kubeconfig/admin", "00 UTC"):
        assert said in text
    assert "itself: it is the root of a tree" in exported()["artifact/cert/root-ca.html"]
    assert "../../certificates.html#cert~2Fkube-apiserver-lb-server" in read()[PATH_OF_ONE].links
    tree = read()["certificates.html"].links
    certificates = [address for address in built().graph if address.startswith("cert/")]
    assert sorted(artifact(address) for address in certificates) == sorted(tree_links(tree))


def tree_links(links):
    return [link for link in links if link.startswith("artifact/cert/")]


def test_a_defect_is_found_with_its_failure(tmp_path):
    now = FixedEntropy(now=datetime.now(UTC).replace(microsecond=0))
    workspace = build_folder(write_folder(tmp_path / "c", install_config(), keys="ecdsa-p256"), now)
    [before] = findings.pages(Site(workspace=workspace))
    (workspace.store.root / "tls/root-ca.key").chmod(0o644)
    [after] = findings.pages(Site(workspace=workspace))
    assert "tls/root-ca.key" not in before.body
    assert "tls/root-ca.key" in after.body
    assert Reader(after.body).links.count("explain/check.html#pki.modes") == 1
    assert after.body.count('<section class="finding">') == before.body.count('<section class="finding">') + 1


def test_words_to_type_are_marked_and_no_backquote_is_left():
    left = {}
    for path, text in exported().items():
        shown = (
            re.sub(r"<(pre|code|samp)\b.*?</\1>|<[^>]*>", "", text, flags=re.DOTALL) if path.endswith("html") else ""
        )
        left |= {path: shown.partition("`")[2][:40]} if "`" in shown else {}
    assert left == {}


def test_a_chapter_leads_to_its_failures_and_no_link_is_in_another():
    assert '<a href="../explain/failure.html#F08">F08</a>' in exported()["guide/05-pki.html"]
    nested = re.compile("<a [^>]*>(?:(?!</a>).)*<a ", re.DOTALL)
    assert [path for path, text in exported().items() if nested.search(text)] == []


def test_a_page_that_is_in_the_repository_alone_is_named():
    named = re.findall(r"in the repository: ([\w./-]+)\)", "".join(exported().values()))
    assert "docs/history.md" in named
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("value", [HOSTILE, f"`{HOSTILE}`", "[x](javascript:alert(1))", "a\x1b[31mb"])
def test_a_value_of_a_chapter_cannot_become_markup(value):
    """No valid name is like that; the pages do not rely on it."""
    site = Site(workspace=built())
    vars(site)["own_values"] = {"ocp4.example.com": value, "ocp4": value, "192.168.126.0/24": value}
    made = {page.path: page for page in chapters.pages(site)}
    before = {path: Reader(exported()[path]) for path in made}
    seen = 0
    for path, page in made.items():
        text = Frame(cluster=value).whole(page)
        seen += text.count("alert(1)") + text.count("31mb")
        assert set(Reader(text).tags) <= {*before[path].tags, "p", "span", "code"}, path
        assert not Reader(text).inline
        assert not [link for link in Reader(text).links if "javascript" in link]
        assert "\x1b" not in text
    assert seen > 50


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """The pages of a cluster with other names and networks, and a comment that tries to be HTML."""
    networks = install_config()["networking"] | {"machineNetwork": [{"cidr": "10.7.0.0/24"}]}
    key = f"{install_config()['sshKey']} {HOSTILE}"
    config = install_config(baseDomain="own.test", metadata={"name": "blue"}, networking=networks, sshKey=key)
    workspace = build_folder(write_folder(tmp_path_factory.mktemp("others") / "c", config, keys="ecdsa-p256"))
    return {path: content.decode() for path, content in files(Site(workspace=workspace)).items()}


def test_the_chapters_have_this_clusters_values(others):
    guide = "".join(others[path] for path in others if path.startswith("guide/"))
    shown = re.sub(r' title="sample: [^"]*"', "", guide)
    assert "api.<span" in guide
    assert "blue.own.test" in shown
    assert "ocp4.example.com" not in shown
    assert "192.168.126.101" not in shown
    assert 'data-command="' in guide


def test_what_a_user_writes_is_text(others):
    everything = "".join(others[path] for path in others if path.endswith(".html"))
    assert "alert(1)" in everything
    assert "<script>" not in everything
    assert "<img" not in everything
