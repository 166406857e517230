"""`--source NAME=DIR`: what is refused, all of it at once."""

from __future__ import annotations

import re

import pytest

from hardway.labrelease.checkouts.read import chosen_set, read
from hardway.model.errors import ConfigError
from tests.support.lab import checkout


@pytest.fixture
def folder(tmp_path):
    return checkout.write(tmp_path)


@pytest.fixture
def file(tmp_path):
    return checkout.describe(tmp_path)


def refused(folder, file):
    with pytest.raises(ConfigError) as caught:
        read([f"small-operator={folder}"], [file])
    assert all(problem.fix for problem in caught.value.problems)
    return str(caught.value)


def test_a_whole_checkout_is_taken(folder, file):
    [found] = read([f"small-operator={folder}"], [file])
    assert (found.name, found.folder, found.vendored, found.workspace) == ("small-operator", folder, False, None)


def test_a_vendored_one_is_told_from_what_a_module_proxy_leaves(folder, file):
    (folder / "vendor").mkdir()
    (folder / "vendor/modules.txt").write_text("")
    (folder / "go.work").write_text("go 1.24\n")
    [found] = read([f"small-operator={folder}"], [file])
    assert (found.vendored, found.workspace) == (False, folder / "go.work")
    (folder / "vendor/example.test").mkdir()
    assert found.vendored


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    texts = ["service-ca-operatr=x", "etcd", f"api={tmp_path / 'none'}", f"service-ca-operator={tmp_path}"]
    with pytest.raises(ConfigError) as caught:
        read(texts, [checkout.describe(tmp_path)])
    said = str(caught.value)
    assert "did you mean service-ca-operator?" in said
    assert "--source etcd: has no folder" in said
    assert f"--source api={tmp_path / 'none'}: there is no such folder" in said
    assert f"--source service-ca-operator={tmp_path}: this is no Go module" in said
    assert f"{tmp_path / 'manifests'}: the checkout of service-ca-operator has no files there" in said
    assert "describes small-operator, which no --source names" in said


def test_a_component_is_named_once(folder, file):
    with pytest.raises(ConfigError, match="named twice"):
        read([f"small-operator={folder}"] * 2, [file])


def test_another_module_is_refused(folder):
    with pytest.raises(ConfigError) as caught:
        read([f"service-ca-operator={folder}"])
    wanted = "is of the module example.test/small-operator, and service-ca-operator is github.com/openshift/service-ca"
    assert wanted in str(caught.value)


def test_a_program_that_the_checkout_does_not_have(folder, file):
    (folder / "cmd/small-operator/main.go").unlink()
    assert "has no Go files, and small-operator is compiled from there" in refused(folder, file)


def test_no_manifests(folder, file):
    for path in (folder / "manifests").iterdir():
        path.unlink()
    assert f"{folder / 'manifests'}: the checkout of small-operator has no files there" in refused(folder, file)
    (folder / "manifests/readme").write_text("")
    assert "there is no file that matches *.yaml" in refused(folder, file)


def test_an_image_that_nobody_lists(folder, file):
    path = folder / "manifests/0000_50_small-operator_01_deployment.yaml"
    path.write_text(checkout.DEPLOYMENT.replace("placeholder.test/small-operator:latest", "quay.test/unknown:v1"))
    said = refused(folder, file)
    assert f"{path}:1:1: error: a container has the image quay.test/unknown:v1, which image-references does not" in said


def test_the_name_of_an_image_cannot_write_a_line_of_its_own(folder, file):
    path = folder / "manifests/0000_50_small-operator_01_deployment.yaml"
    image = re.compile('"?placeholder.test/small-operator:latest"?')
    path.write_text(image.sub(r'"a\\nFORGED: all is well"', checkout.DEPLOYMENT))
    assert "a container has the image a\\nFORGED: all is well, which" in refused(folder, file)


def test_image_references_that_do_not_list_the_component(folder, file):
    references = folder / "manifests/image-references"
    references.write_text(checkout.REFERENCES.replace("name: small-operator", "name: other"))
    assert f"{references}:1:1: error: does not list the image small-operator" in refused(folder, file)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("image-references", "spec: {}\n", "it has no spec.tags"),
        ("image-references", "spec: {tags: [{name: 'a b', from: {name: x}}]}\n", "a tag lacks its name"),
        ("image-references", "{", "this is not YAML"),
        ("broken.yaml", "image: [\n", "this is not YAML"),
    ],
)
def test_files_that_cvo_could_not_read(folder, file, name, text, message):
    (folder / "manifests" / name).write_text(text)
    assert message in refused(folder, file)


def test_the_set_is_the_smallest_that_has_them_all(folder, file):
    small = read([f"small-operator={folder}"], [file])
    assert chosen_set((), None) == "core"
    assert chosen_set(small, None) == "operators"
    assert chosen_set(small, "operators") == "operators"
    with pytest.raises(ConfigError, match="--set core: small-operator is no component of this set"):
        chosen_set(small, "core")
