"""The table of images: complete in itself, and shown for what a release has."""

from __future__ import annotations

import re

from hardway.release import catalogue
from hardway.release.components import table as components
from tests.support.release import files as release


def test_every_row_has_all_four_words_and_a_repository():
    names = [row.name for row in components.TABLE]
    assert names == sorted(set(names))
    assert len(names) == 189
    for row in components.TABLE:
        assert all((row.why.what, row.why.readers, row.family_breaks)), row.name
        assert re.fullmatch(r"openshift/[a-z0-9_-]+", row.why.source), row.name


def test_no_two_images_are_for_the_same():
    said = [row.why.what for row in components.TABLE]
    twins = {what for what in said if said.count(what) > 1}
    assert twins == set()


def test_every_image_of_the_catalogue_is_known():
    rows = components.table(catalogue.release_for("4.18.0"))
    assert [row.name for row in rows] == sorted(catalogue.release_for("4.18.0").images)
    assert "unknown" not in {row.component.family for row in rows}


def test_an_unknown_image_is_shown_as_such():
    rows = {row.name: row for row in components.table(release.payload())}
    assert rows["something-new"].as_dict() == {
        "name": "something-new",
        "image": release.payload().images["something-new"],
        "family": "unknown",
        "familyBreaks": "",
        "what": components.UNKNOWN,
        "runs": "",
        "source": "https://example.com/something-new",
    }
    assert rows["etcd"].component.family == "control plane"


def test_text_and_markdown_hold_every_image_once_with_the_unknown_last():
    payload = release.payload()
    printed = components.text(components.table(payload))
    page = components.markdown(payload)
    for name in payload.images:
        assert len(re.findall(rf"^  {name} ", printed, re.MULTILINE)) == 1
        assert page.count(f"| `{name}` |") == 1
    assert printed.splitlines()[-2] == "unknown"
    assert page.startswith("# The images of release 4.18.0\n\n6 images")
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.count(" | ") for line in tables} == {3}
