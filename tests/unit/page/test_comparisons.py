"""The page of comparisons: what an installer wrote beside ours, each difference with its row, and no secret of it."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from hardway.compare.contents import content
from hardway.compare.installer.comparison import OURS, compare
from hardway.page.comparisons import pages
from hardway.page.site import Site
from tests.support.installer_like import installer_like
from tests.support.leaks import leaks
from tests.support.planting import DNS, REFERENCE, edit, good
from tests.support.trees import built


def body(report=None):
    [page] = pages(Site(workspace=built(), installer=report))
    return page.body


@pytest.fixture(scope="module")
def report():
    return compare(REFERENCE, lambda text: good())


def test_each_difference_stands_below_its_row_with_both_sides(report):
    parts = body(report).split("<details")[1:]
    named = {re.search("<strong>(.*?)</strong>", part)[1]: unescape(part) for part in parts}
    rows = {one.row.name: one.row for one in report.differences if one.row}
    assert named.keys() == rows.keys()
    for one in report.differences:
        part = named[one.row.name]
        assert f"<td>{f'{one.thing} {one.aspect}'.replace('|', ' | ')}</td>" in part
        assert all(word in re.sub("<.*?>", "", part) for word in one.row.what.replace("`", "").split())
    assert '<th scope="col">openshift-install</th><th scope="col">hardway</th>' in body(report)


def test_what_no_row_explains_comes_first():
    config = json.loads(good())
    edit(config, DNS, lambda b: b["spec"].update(baseDomain="<script>alert(1)</script>"))
    text = body(compare(REFERENCE, lambda _: json.dumps(config).encode()))
    assert "No row explains these" in text
    assert f"<td>{DNS} spec.baseDomain</td><td><code>ocp4.example.com</code></td>" in text
    assert "<script>" not in text


def test_without_a_file_the_page_says_how_to_name_one():
    assert "--installer FILE" in body()
    assert "--installer FILE" not in body(compare(REFERENCE, lambda text: good()))


def test_no_key_of_the_installers_file_is_on_the_page(tmp_path):
    config = installer_like()
    config["storage"]["files"] = [f for f in config["storage"]["files"] if not f["path"].startswith(OURS)]
    (tmp_path / "bootstrap.ign").write_text(json.dumps(config))
    files = {file["path"]: file for file in config["storage"]["files"]}
    keys = {path: content(file) for path, file in files.items() if path.endswith(".key")}
    assert len(keys) > 10
    text = body(compare(tmp_path / "bootstrap.ign", lambda text: good()))
    assert "bootstrap.ign has" in text
    assert str(tmp_path) not in text
    assert leaks(text, keys) == []
