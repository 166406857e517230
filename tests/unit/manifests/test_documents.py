"""What holds for every manifest: reasons, names, order, and that nothing is applied into nowhere."""

from __future__ import annotations

from collections import Counter

import pytest

from hardway.emit.document import leaves
from hardway.manifests.cvo import OVERRIDES
from tests.support.manifests import CONFIGURATIONS, configured

KUBERNETES_NAMESPACES = {"kube-system"}


def object_key(body):
    about = body["metadata"]
    return body["apiVersion"].rpartition("/")[0], body["kind"], about.get("namespace", ""), about["name"]


def bodies(name):
    made = configured(name)
    return {document.path: document.body(made.given(document.address)) for document in made.documents}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_value_has_a_reason(name):
    made = configured(name)
    bare = [
        f"{document.path}: {path}"
        for document in made.documents
        for path, value in leaves(document.body(made.given(document.address)))
        if document.covering(path, value) is None
    ]
    assert bare == []


def test_every_reason_has_a_value_in_some_configuration():
    offered, used = set(), set()
    for name in CONFIGURATIONS:
        made = configured(name)
        for document in made.documents:
            offered |= {f"field/{document.file}#{reason}" for reason in document.fields}
            for path, value in leaves(document.body(made.given(document.address))):
                places = (path[: n + 1] for n in range(len(path)))
                found = (document.reason(p, value if p == path else None) for p in places)
                used |= {reason[0] for reason in found if reason}
    assert sorted(offered - used) == []


def test_every_reason_says_who_reads_it_what_breaks_and_where_that_is_known_from():
    for name in CONFIGURATIONS:
        for document in configured(name).documents:
            assert all((document.why.what, document.why.readers, document.why.breaks, document.why.source))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_no_object_is_there_twice(name):
    found = Counter(object_key(body) for body in bodies(name).values())
    assert [key for key, count in found.items() if count > 1] == []


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_namespace_that_is_used_is_brought_along(name):
    found = bodies(name).values()
    brought = {body["metadata"]["name"] for body in found if body["kind"] == "Namespace"}
    used = {body["metadata"].get("namespace") for body in found} - {None}
    assert used - brought == KUBERNETES_NAMESPACES


def test_namespaces_come_before_everything_else():
    kinds = [body["kind"] for body in bodies("default").values()]
    assert kinds == sorted(kinds, key=lambda kind: kind != "Namespace")
    assert kinds.count("Namespace") == 12


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_overrides_name_exactly_the_objects_of_their_files(name):
    made = configured(name)
    found = bodies(name)
    rows = [row for row in OVERRIDES if row.when(made.cluster)]
    assert [row.file for row in rows] == sorted(row.file for row in rows)
    assert [row.entry() for row in rows] == [
        dict(zip(("group", "kind", "namespace", "name"), object_key(found[row.file]), strict=True))
        | {"unmanaged": True}
        for row in rows
    ]


def test_files_are_secret_and_addresses_follow_their_names():
    for asset in (a for a in configured("default").graph.values() if a.stage in ("03", "07")):
        assert asset.mode == 0o600
        if asset.address.startswith("manifest/"):
            assert asset.address == f"manifest/{asset.path.rsplit('/', 1)[-1]}"


def test_the_patch_takes_the_overrides_away():
    assert configured("default").content("manifest/original_cvo_overrides.patch") == b'{"spec":{"overrides":null}}'
