"""The picture of the graph, drawn from the graph itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hardway.graph.asset import Asset, Graph

WHITE = "#ffffff"


def dot(graph: Graph, colours: Mapping[str, str]) -> str:
    """Graphviz source: an arrow from each asset to what is made of it, each in its stage's colour."""
    lines = ["digraph hardway {", '  rankdir="LR"; node [shape=box, style=filled, fontname="sans-serif"];']
    for address, asset in graph.items():
        lines.append(f'  "{address}" [fillcolor="{colours.get(asset.stage, WHITE)}"];')
    for address, asset in graph.items():
        lines.extend(f'  "{need}" -> "{address}";' for need in asset.needs)
    return "\n".join([*lines, "}"]) + "\n"


def mermaid(graph: Graph, colours: Mapping[str, str]) -> str:
    """The same for a block ```mermaid in Markdown. The text is black, also where the page around it is dark."""
    ids = {address: f"a{number}" for number, address in enumerate(graph)}
    lines = ["flowchart LR"]
    for address, asset in graph.items():
        lines.append(f'  {ids[address]}["{_mermaid_text(address)}"]:::stage{asset.stage}')
    for address, asset in graph.items():
        lines.extend(f"  {ids[need]} --> {ids[address]}" for need in asset.needs)
    for stage in sorted({asset.stage for asset in graph.values()}):
        lines.append(f"  classDef stage{stage} fill:{colours.get(stage, WHITE)},stroke:#555555,color:#000000")
    return "\n".join(lines) + "\n"


def _mermaid_text(text: str) -> str:
    """Mermaid reads `#` as the beginning of a character's code."""
    return text.replace("#", "#35;").replace('"', "#quot;")


def rows(assets: Iterable[Asset]) -> list[dict[str, object]]:
    """The same as data."""
    return [
        {"address": a.address, "stage": a.stage, "path": a.path, "kind": a.kind, "needs": list(a.needs)} for a in assets
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
