"""The stages as a script for the bootstrap node, made from the table: its calls, its copies, its markers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from shlex import quote

from hardway.bootkube.operators.row import Copy, Facts, Operator
from hardway.bootkube.operators.table import TABLE as OPERATORS
from hardway.bootkube.renders import STANDS_IN, function
from hardway.bootkube.row import Stage
from hardway.bootkube.table import TABLE
from hardway.model.cluster import Cluster

PATH = "/usr/local/bin/bootkube-stages.sh"
END = '[[ ${BASH_SOURCE[0]} != "$0" ]] || main_stages "$@"\n'
UNKNOWN = "$(image_for "  # in a value: the release does not have it


@cache
def _functions() -> str:
    """What is the same for every cluster: a real file beside this module."""
    return files("hardway.bootkube").joinpath("stages.sh").read_text(encoding="utf-8")


def script(cluster: Cluster) -> str:
    facts = Facts(release=cluster.release)
    renders = ["\n".join(_render(operator, facts)) for operator in OPERATORS]
    stages = "\n".join(f"    {call(stage, cluster)}" for stage in TABLE)
    return "\n\n".join([_functions().rstrip(), *renders, f"stages() {{\n{stages}\n}}", END])


def call(stage: Stage, cluster: Cluster) -> str:
    """The line of a stage: its number, its name, its marker, and what it runs."""
    hosts = {"${api}": cluster.api_host, "${api-int}": cluster.api_int_host}
    facts = Facts(release=cluster.release)
    words = [hosts.get(word) or facts.fill(word) for word in stage.command.split()]
    known = ["" if word.startswith(UNKNOWN) else word for word in words]
    return " ".join(["stage", stage.number, f"'{stage.name}'", *map(quote, (stage.marker, *known))])


def _render(operator: Operator, facts: Facts) -> Iterator[str]:
    """A function named after the stage."""
    yield f"# {operator.name}: {operator.why.what}"
    yield f"{function(operator.stage)}() {{"
    if why_not := facts.missing(operator):
        instead = STANDS_IN[operator.stage].partition(": ")[2] if operator.stage in STANDS_IN else "nothing"
        yield f"    say {quote(f'{why_not}; in its place: {instead}')}"
    else:
        late = " ".join(flag.name for flag in operator.flags if flag.late)
        words = [word for word in operator.argv(facts) if UNKNOWN not in word]
        head = [operator.output, late, facts.image(operator.image), operator.program]
        yield f"    render {' '.join(map(quote, head))} \\"
        yield " \\\n".join(f"        {quote(word)}" for word in words)
        for copy in operator.copies:
            yield f"    # {copy.why}"
            yield f"    {_copy(operator, copy)}"
    yield "}"


def _copy(operator: Operator, copy: Copy) -> str:
    """The pattern is the shell's to fill in."""
    source = f'"$opt"/{copy.source or operator.output}/{copy.pattern}'
    place = f'"$root"{copy.target}' if copy.target.startswith("/") else f'"$opt"/{copy.target}'
    return f"put_into {place.rstrip('/')} {source}" if copy.target.endswith("/") else f"put {source} {place}"
