"""What a lab that is up takes over of a component's new programs."""

from __future__ import annotations

import pytest

from hardway.lab.reach import PARTS, reach
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.components.table import component
from hardway.lines.default import DEFAULT

OPERATORS = ("etcd", "kube-apiserver")


@pytest.mark.parametrize(
    ("name", "operators", "rolled", "kept"),
    [
        ("service-ca-operator", OPERATORS, (), ()),
        ("etcd", OPERATORS, ("etcd",), ()),
        (
            "kubernetes",
            OPERATORS,
            ("kube-apiserver",),
            ("kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet"),
        ),
        ("cluster-policy-controller", OPERATORS, (), ("cluster-policy-controller",)),
        (
            "cluster-policy-controller",
            (*OPERATORS, "kube-controller-manager"),
            ("cluster-policy-controller",),
            (),
        ),
        ("kube-rbac-proxy", OPERATORS, (), ("kube-rbac-proxy",)),
    ],
)
def test_an_operator_rolls_out_what_it_makes_and_nodes_keep_the_rest(name, operators, rolled, kept):
    found = reach(name, operators)
    assert tuple(part.program for part in found.rolled) == rolled
    assert tuple(part.program for part in found.kept) == kept
    assert found.nothing == (not rolled and bool(kept))


def test_every_part_is_a_program_of_a_component_that_a_checkout_can_have():
    for part in PARTS:
        assert part.component in BY_NAME
        assert part.program in {program.file for program in component(part.component).programs}
        assert not part.operator or part.operator in {row.name for row in DEFAULT.operators if row.pods}


def test_programs_that_stay_are_told_by_their_reason():
    told = reach("kubernetes", OPERATORS).told
    assert told == (
        "kube-controller-manager, kube-scheduler, kube-proxy: its static pod is made by hand; "
        "kubelet: it is part of the nodes"
    )
