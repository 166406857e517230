"""The command and what it prints: text, JSON and the page; nothing secret in any of them."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from html.parser import HTMLParser

import pytest
import yaml

from hardway.compare.rendered.comparison import compare
from hardway.compare.rendered.page import MARK, page
from hardway.compare.row import AREAS
from hardway.model.errors import ConfigError
from tests.support.hardway_program import hardway

VOID = {"meta", "input", "br"}
SIGNER = "assets/manifests/openshift-etcd-etcd-signer.yaml"


class Tags(HTMLParser):
    """Whether every element is closed where it has to be, and what it refers to."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(text):
    tags = Tags()
    tags.feed(text)
    tags.close()
    assert tags.open == []
    return tags


def break_it(folder):
    body = yaml.safe_load((folder / SIGNER).read_text())
    body["metadata"]["annotations"]["auth.openshift.io/certificate-issuer"] = "<script>alert(1)</script>&\"'"
    (folder / SIGNER).write_text(yaml.safe_dump(body))


def test_text_and_page_say_it_and_the_exit_code_is_0(small, tmp_path):
    done = hardway("compare", small, "--html", tmp_path / "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 unexplained." in done.stdout
    assert f"api: the CRDs of OpenShift's configuration API. To get it: `hardway -C {small} render api`" in done.stdout
    assert done.stdout.endswith(f"Page: {tmp_path / 'page.html'}\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["page.html"]
    again = hardway("-C", small, "compare", "--html", tmp_path / "page.html", "-o", "json")
    assert again.returncode == 0
    assert json.loads(again.stdout)["ok"] is True


def test_json_has_every_difference_with_its_reason(small):
    found = json.loads(hardway("compare", small, "-o", "json").stdout)
    assert (found["ok"], found["unexplained"]) == (True, [])
    assert [m["operator"] for m in found["missing"]] == ["api"]
    assert {d["area"] for d in found["expected"]} == set(AREAS)
    assert all(d["why"] and d["without"] and d["source"] and d["row"] for d in found["expected"])


def test_an_unexplained_difference_ends_with_4(copied, tmp_path):
    break_it(copied)
    done = hardway("compare", copied, "--html", tmp_path / "page.html")
    assert done.returncode == 4
    assert done.stderr.strip() == "some differences have no explanation"
    assert "UNEXPLAINED manifests: Secret openshift-etcd/etcd-signer metadata.annotations" in done.stdout
    tags = parsed((tmp_path / "page.html").read_text())
    assert "script" not in tags.seen
    assert "<script>alert(1)</script>&\"'" in tags.text
    assert ("id", "show-unexplained") in tags.attributes


def test_the_page_loads_nothing_and_shows_an_area_alone(small):
    text = page(compare(small))
    tags = parsed(text)
    assert MARK in text[:200]
    assert not {"script", "link", "img", "iframe", "object", "a", "base", "form"} & set(tags.seen)
    assert not {"src", "href", "srcset", "style", "onclick"} & {name for name, _ in tags.attributes}
    assert not re.search(r"url\(|@import", text)
    assert "default-src &#x27;none&#x27;" in text
    for area in AREAS:
        assert f"#show-{area}:checked ~ main section:not(.{area}) {{ display: none; }}" in text
        assert ("class", area) in tags.attributes


def secrets(folder):
    """Every line of every key, every password and token of the folder."""
    for path in (folder / "assets").rglob("*"):
        if path.is_file() and path.name != "bootstrap.ign":
            text = path.read_text(errors="replace")
            yield from re.findall(r"-----BEGIN [A-Z ]*PRIVATE KEY-----\n([^-]{60,})", text)
            for value in re.findall(r"\b(LS0tLS1CRUdJT[\w+/=]+)", text):
                if b"PRIVATE" in b64decode(value):
                    yield value
    yield (folder / "assets/auth/kubeadmin-password").read_text().strip()
    yield "ZXhhbXBsZTpleGFtcGxl"  # the pull secret's


def test_nothing_secret_is_printed(copied):
    for file in (copied / "assets/manifests").glob("secret-*.yaml"):
        body = yaml.safe_load(file.read_text())
        body["data"]["other"] = "c2VjcmV0LW9mLXRoZS1wbGFudA=="
        file.write_text(yaml.safe_dump(body))
    key = (copied / "assets/tls/etcd-signer.key").read_text()
    pod = copied / "assets/bootstrap-manifests/etcd-member-pod.yaml"
    pod.write_text(pod.read_text().replace("--logger=zap", '"' + key.replace("\n", "\\n") + '"'))
    report = compare(copied)
    assert not report.ok
    known = set(secrets(copied)) | {"c2VjcmV0LW9mLXRoZS1wbGFudA==", "secret-of-the-plant"}
    assert len(known) > 30
    for text in (report.as_text(), json.dumps(report.as_dict()), page(report)):
        lines = {line for one in known for line in one.split() if len(line) > 15}
        assert [line for line in lines if line in text] == []


def test_without_a_render_it_is_said_how_to_get_one(copied):
    shutil.rmtree(copied / "assets/rendered")
    done = hardway("compare", copied)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"fix: `hardway -C {copied} render --all`" in done.stderr


def test_one_operator_alone_is_compared(copied):
    for name in ("etcd", "kube-apiserver", "machine-config", "config", "kube-controller-manager", "kube-scheduler"):
        shutil.rmtree(copied / "assets/rendered" / name)
    report = compare(copied)
    assert report.ok, report.as_text()
    assert list(report.compared) == ["cvo"]
    assert "`hardway render etcd`" in report.as_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "nowhere"], "nowhere: there is no such folder.\n    fix:"),
        (["compare", "empty"], "there is no manifests, no bootstrap-manifests, no plan/cluster.yaml"),
        (["compare", "c", "--html", "none/page.html"], "there is no folder none.\n    fix:"),
        (["compare", "c", "--html", "c/install-config.yaml"], "this is not a page of a comparison.\n    fix:"),
    ],
)
def test_wrong_usage_changes_nothing(words, said, copied):
    (copied.parent / "empty").mkdir()
    before = (copied / "install-config.yaml").read_bytes()
    done = hardway(*words, cwd=copied.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert (copied / "install-config.yaml").read_bytes() == before


BROKEN = [
    "a: [",
    "",
    "[]",
    "7",
    "kind: Pod\nmetadata: {}\nspec: 7\n",
    "kind: Pod\nmetadata: {name: x}\nspec: {containers: [7]}\n",
    "kind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: 7}]}\n",
    "kind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: x, env: [{}], args: x, ports: [x]}], volumes: x}\n",
    "kind: {}\nmetadata: []\n",
    "kind: Service\nmetadata: {name: x, annotations: [1], labels: x}\ndata: [x]\n",
    "kind: x\napiServerArguments: {a: x}\nservingInfo: []\nauditConfig: {policyConfiguration: {rules: [7]}}\n",
    "\x00",
]
FILES = [
    "rendered/etcd/etc-kubernetes/manifests/etcd-member-pod.yaml",
    "rendered/kube-apiserver/config",
    "rendered/kube-controller-manager/cpc-config",
    "rendered/etcd/manifests/openshift-etcd-svc.yaml",
    "manifests/openshift-etcd-svc.yaml",
    "bootstrap-manifests/kube-apiserver-pod.yaml",
    "bootstrap-configs/audit-policy.yaml",
    "bootstrap-configs/cluster-policy-controller-config.yaml",
    "plan/cluster.yaml",
    "bootstrap.ign",
]


def judged(folder):
    try:
        return "fine" if compare(folder).ok else "different"
    except ConfigError as refused:
        return str(refused)


@pytest.mark.parametrize("file", FILES)
def test_a_broken_file_is_named_or_is_a_difference(file, copied):
    place = copied / "assets" / file
    for text in BROKEN:
        place.write_text(text)
        said = judged(copied)
        assert said == "different" or (file in said and "fix:" in said), (text, said)
