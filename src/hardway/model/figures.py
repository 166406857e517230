"""Figures that more than one text names: measured once and kept here. Help texts take them from here; a test holds the
sentences of the README and the guide to them."""

from __future__ import annotations

from dataclasses import dataclass

WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    value: int
    unit: str
    measured: str  # on what, and how

    def __str__(self) -> str:
        return f"about {WORDS[self.value]} {self.unit}"


COMPILE = Figure(
    value=12,
    unit="minutes",
    measured="`hardway lab release build` with an empty cache, on two cores with nothing else to do: the programs of "
    "the core release and those of the nodes",
)
LAB_UP = Figure(
    value=3,
    unit="minutes",
    measured="`hardway lab up` with three masters and two workers, on two cores with nothing else to do, release "
    "compiled",
)
OPERATORS = Figure(
    value=12,
    unit="minutes",
    measured="`hardway lab up --road operators` with three masters and two workers, on two cores, release compiled",
)
MEMORY = Figure(
    value=2,
    unit="GiB",
    measured="what the processes of a lab with three masters, two workers and the bootstrap node hold, without files "
    "in memory: the largest of many samples of its control group, 1866 MiB",
)
