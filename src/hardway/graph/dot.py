"""The picture of the graph, drawn from the graph itself."""

from __future__ import annotations

from collections.abc import Mapping

from hardway.graph.asset import Graph

WHITE = "#ffffff"


def dot(graph: Graph, colours: Mapping[str, str]) -> str:
    """Graphviz source: an arrow from each asset to what is made of it, each in its stage's colour."""
    lines = ["digraph hardway {", '  rankdir="LR"; node [shape=box, style=filled, fontname="sans-serif"];']
    for address, asset in graph.items():
        lines.append(f'  "{address}" [fillcolor="{colours.get(asset.stage, WHITE)}"];')
    for address, asset in graph.items():
        lines.extend(f'  "{need}" -> "{address}";' for need in asset.needs)
    return "\n".join([*lines, "}"]) + "\n"


def rows(graph: Graph) -> list[dict[str, object]]:
    """The same as data."""
    return [
        {"address": a.address, "stage": a.stage, "path": a.path, "kind": a.kind, "needs": list(a.needs)}
        for a in graph.values()
    ]


def tree(graph: Graph, address: str) -> str:
    """What one asset is made of, indented; a thing shown before is not unfolded again."""
    seen: set[str] = set()
    lines: list[str] = []

    def walk(name: str, depth: int) -> None:
        again = name in seen
        lines.append(f"{'  ' * depth}{name}{' (above)' if again and graph[name].needs else ''}")
        if not again:
            seen.add(name)
            for need in graph[name].needs:
                walk(need, depth + 1)

    walk(address, 0)
    return "\n".join(lines) + "\n"
