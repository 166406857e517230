"""What a picture is drawn on. Text is measured before it is drawn: whatever holds a text is made wide enough for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

SIZES = {"": 13, "name": 13, "code": 12, "small": 11, "head": 15}
"""In pixels, by kind of text."""
WIDE = {"": 0.65, "name": 0.75, "code": 0.62, "small": 0.59, "head": 0.75}
"""Of a letter, in parts of its size: no text is wider than that in DejaVu, the widest of the usual fonts."""
STYLE = """\
  <style>
    :root { color-scheme: light dark }
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .name { font-weight: 600 }
    .head { font-weight: 600; font-size: 15px }
    .code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace }
    .small { font-size: 11px; fill: #59636e }
    .box { fill: #f6f8fa; stroke: #818b98 }
    .band { fill: #fff1d6; stroke: none }
    .lane { fill: #cfe3fb; stroke: #4a7fb8 }
    .gone { fill: none; stroke: #818b98; stroke-dasharray: 4 3 }
    .line { fill: none; stroke: #818b98; stroke-width: 1.2 }
    .later { fill: none; stroke: #818b98; stroke-width: 1.2; stroke-dasharray: 5 4 }
    .arrowhead { fill: #818b98 }
    .grid { fill: none; stroke: #d1d9e0 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .small { fill: #9198a1 }
      .box { fill: #151b23; stroke: #656c76 }
      .band { fill: #3b2e12 }
      .lane { fill: #17304d; stroke: #5a8fc7 }
      .gone, .line, .later { stroke: #656c76 }
      .arrowhead { fill: #656c76 }
      .grid { stroke: #30363d }
    }
  </style>
  <marker id="arrowhead" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
    <path class="arrowhead" d="M0 0 8 4 0 8z"/>
  </marker>"""

Point = tuple[float, float]


def width(words: str, kind: str = "") -> float:
    return len(words) * SIZES[kind] * WIDE[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    title: str
    description: str  # what the picture says, for whoever cannot see it
    drawn: list[str] = field(default_factory=list)

    def text(self, at: Point, words: str, kind: str = "", anchor: str = "start") -> None:
        style = f' class="{kind}"' if kind else ""
        side = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.drawn.append(f'  <text{style}{side} x="{at[0]:g}" y="{at[1]:g}">{escape(words)}</text>')

    def box(self, at: Point, size: Point, kind: str = "box") -> None:
        place = f'x="{at[0]:g}" y="{at[1]:g}" width="{size[0]:g}" height="{size[1]:g}"'
        self.drawn.append(f'  <rect class="{kind}" {place} rx="5"/>')

    def circle(self, at: Point, radius: float, kind: str = "box") -> None:
        self.drawn.append(f'  <circle class="{kind}" cx="{at[0]:g}" cy="{at[1]:g}" r="{radius:g}"/>')

    def path(self, words: str, kind: str = "line", *, head: bool = False) -> None:
        end = ' marker-end="url(#arrowhead)"' if head else ""
        self.drawn.append(f'  <path class="{kind}"{end} d="{words}"/>')

    def line(self, points: Iterable[Point], kind: str = "line", *, head: bool = False) -> None:
        self.path("M" + "L".join(f"{x:g} {y:g}" for x, y in points), kind, head=head)

    def bend(self, start: Point, end: Point, kind: str = "line") -> None:
        """An arrow from left to right."""
        (x, y), (to_x, to_y) = start, end
        half = (to_x - x) / 2
        self.path(f"M{x:g} {y:g}C{x + half:g} {y:g} {to_x - half:g} {to_y:g} {to_x:g} {to_y:g}", kind, head=True)

    def svg(self, size: Point) -> str:
        wide, high = (round(side) for side in size)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
            ' role="img" aria-labelledby="title description">',
            f'  <title id="title">{escape(self.title)}</title>',
            f'  <desc id="description">{escape(self.description)}</desc>',
            STYLE,
            *self.drawn,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"
