"""Pictures say what the tables say, no text lies on another, and what a user has written is text."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardway.drive.csr.kinds import KINDS
from hardway.drive.csr.rules import RULES
from hardway.drive.milestones.table import BY_NAME
from hardway.drive.milestones.table import TABLE as MILESTONES
from hardway.explain.architecture.layers import LAYERS
from hardway.explain.pages import default_cluster
from hardway.explain.pictures import recording
from hardway.explain.pictures.canvas import SIZES, width
from hardway.explain.pictures.etcd import moments
from hardway.explain.pictures.table import PICTURES
from hardway.explain.pictures.trust import NOTHING
from hardway.network.frontends import TABLE as FRONTENDS
from hardway.pki import bundles
from hardway.pki.families import rows
from hardway.stages.table import TABLE as STAGES
from tests.support.clusters import install_config, load_cluster

SVG = "{http://www.w3.org/2000/svg}"
DOCS = Path(__file__).parents[3] / "docs"
CLUSTER = default_cluster()


def texts(svg):
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def words(name, cluster=CLUSTER):
    return {word.strip(",") for text in texts(PICTURES[name](cluster)) for word in text.split()}


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_in_the_docs_is_what_the_tables_draw(name):
    assert (DOCS / "pictures" / f"{name}.svg").read_text() == PICTURES[name](CLUSTER), "run `make reference`"


def test_every_picture_is_shown_somewhere_with_words_for_who_cannot_see_it():
    pages = "\n".join(
        page.read_text() for page in (DOCS.parent / "README.md", *DOCS.glob("*.md"), *DOCS.glob("guide/*.md"))
    )
    assert {path.stem for path in DOCS.glob("pictures/*.svg")} == PICTURES.keys()
    for name in PICTURES:
        before, found, _ = pages.partition(f"pictures/{name}.svg)")
        assert found, name
        assert len(before.rpartition("![")[2]) > 40, name


def test_the_stages_are_all_there_with_their_milestones():
    assert {stage.title for stage in STAGES} <= set(texts(PICTURES["stages"](CLUSTER)))
    assert {row.name for row in MILESTONES} <= words("stages")


def test_every_certificate_hangs_below_its_signer_and_every_bundle_is_named():
    drawn = texts(PICTURES["trust"](CLUSTER))
    known = rows(CLUSTER)
    found, signer = {}, ""
    for text in drawn:
        name = text.partition(" × ")[0]
        if name in {row.name for row in known if row.is_ca}:
            signer = name
        elif name in {row.name for row in known}:
            found[name] = signer
    assert found == {row.name: row.signer for row in known if not row.is_ca}
    trusted = {text.removeprefix("trusted in ") for text in drawn if text.startswith("trusted in ")}
    assert trusted == {bundle.name for bundle in bundles.TABLE}


def test_every_signer_stands_below_its_family():
    found, family = {}, ""
    signers = {row.name: row.family for row in rows(CLUSTER) if row.is_ca}
    for text in texts(PICTURES["trust"](CLUSTER)):
        family = text.removeprefix("family ") if text.startswith("family ") else family
        found |= {text: family} if text in signers else {}
    assert found == signers


def test_a_signer_without_certificates_says_so():
    drawn = texts(PICTURES["trust"](CLUSTER))
    known = rows(CLUSTER)
    idle = {row.name for row in known if row.is_ca} - {row.signer for row in known}
    assert [drawn[index - 2] for index, text in enumerate(drawn) if text == NOTHING] == sorted(idle)


def test_names_ports_and_nodes_are_the_plans():
    drawn = words("ways")
    assert {f":{row.port}" for row in FRONTENDS} <= drawn
    assert {part for node in CLUSTER.nodes for part in (node.name, node.address)} <= drawn
    assert {CLUSTER.api_host, CLUSTER.api_int_host, *CLUSTER.api_vips, *CLUSTER.ingress_vips} <= drawn


def test_etcd_is_counted():
    assert [(len(m.members), m.majority, m.spare) for m in moments(CLUSTER)] == [
        (1, 1, 0),
        (2, 2, 0),
        (3, 2, 1),
        (4, 3, 1),
        (3, 2, 1),
    ]
    svg = ElementTree.fromstring(PICTURES["etcd"](CLUSTER))
    assert [c.get("class") for c in svg.iter(f"{SVG}circle")].count("lane") == 1 + 2 + 3 + 4 + 3


def test_both_requests_and_all_rules_are_drawn():
    assert {kind.signer for kind in KINDS} | {rule.name for rule in RULES} <= words("requests")
    drawn = texts(PICTURES["requests"](CLUSTER))
    assert drawn.count("certificate") == len(KINDS)
    first, second = drawn.index("certificate"), drawn.index(f"as system:node:{CLUSTER.masters[0].name}")
    assert drawn[first + 1] == f"now it is system:node:{CLUSTER.masters[0].name}"
    assert first < second


def test_every_package_is_drawn():
    assert {package.name for layer in LAYERS for package in layer} <= words("packages")


def test_the_release_begins_with_the_digest_that_the_cluster_has():
    first, *_, last = [text for text in texts(PICTURES["release"](CLUSTER)) if "@sha256:" in text]
    assert CLUSTER.release.image.startswith(first.rstrip("…"))
    assert CLUSTER.release.image_for("etcd").startswith(last.rstrip("…"))


def test_the_recording_has_every_milestone_of_its_run_and_of_the_table_at_its_time():
    drawn = texts(PICTURES["lab-up"](CLUSTER))
    names = [row.name for row in MILESTONES]
    reached = recording.reached(recording.run())
    assert list(reached) == names
    assert [text for text in drawn if text in names] == names
    for name, event in reached.items():
        assert drawn[drawn.index(name) - 1] == event.stage == BY_NAME[name].stage
        assert drawn[drawn.index(name) + 1] == f"{event.seconds:.0f} s"
    assert recording.run()[-1].kind == "finished"


def test_the_recording_is_of_the_example_cluster_and_has_every_step_on_its_nodes():
    svg = ElementTree.fromstring(PICTURES["lab-up"](CLUSTER))
    steps = [event.text for event in recording.run() if event.kind == "acted"]
    assert sorted(group.findtext(f"{SVG}title", "") for group in svg.iter(f"{SVG}g") if len(group) > 1) == sorted(steps)
    assert {node.name for node in CLUSTER.nodes} == {event.node for event in recording.run() if event.kind == "acted"}


def test_the_recording_moves_only_for_who_wants_it_and_is_small():
    svg = PICTURES["lab-up"](CLUSTER)
    moving = svg.partition("@media (prefers-reduced-motion: no-preference) {")[2].partition("@keyframes")[0]
    assert svg.count("animation:") == moving.count("animation:") > 0
    assert len(svg) < 100_000


@pytest.mark.parametrize(("masters", "workers"), [(1, 0), (3, 0), (3, 2), (5, 9)])
@pytest.mark.parametrize("name", PICTURES)
def test_no_text_lies_on_another_or_outside(name, masters, workers):
    cluster = load_cluster(install_config(masters, workers)).cluster
    svg = ElementTree.fromstring(PICTURES[name](cluster))
    wide, high = (float(svg.get(side, "")) for side in ("width", "height"))
    places = [placed(element) for element in svg.iter(f"{SVG}text")]
    for left, top, right, bottom, text in places:
        assert (max(left, 0), max(top, 0), min(right, wide), min(bottom, high)) == (left, top, right, bottom), text
    for one, other in combinations(places, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one[4], other[4])


def placed(element):
    kind, text = element.get("class", ""), element.text or ""
    x, y, long = float(element.get("x")), float(element.get("y")), width(text, kind)
    left = x - long / 2 if element.get("text-anchor") == "middle" else x
    return left, y - SIZES[kind] * 0.8, left + long, y + SIZES[kind] * 0.2, text


@pytest.mark.parametrize("name", PICTURES)
def test_a_hostile_name_is_only_text(name):
    hostile = "</text><script>alert(1)</script>"
    nodes = tuple(replace(node, name=f"{hostile}{node.name}") for node in CLUSTER.nodes)
    svg = ElementTree.fromstring(PICTURES[name](replace(CLUSTER, name=hostile, nodes=nodes)))
    assert not list(svg.iter(f"{SVG}script"))
