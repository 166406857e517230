"""HTML from values. A text is escaped; only what a function of this module has made is taken as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from hardway.io.harmless import harmless

VOID = frozenset({"input", "meta", "link", "br"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Part = str | None


def text(value: str) -> Html:
    return value if isinstance(value, Html) else Html(escape(harmless(value)))


def join(parts: Iterable[Part], between: str = "") -> Html:
    return Html(between.join([text(part) for part in parts if part is not None]))


def tag(name: str, /, *parts: Part, **attributes: str | bool) -> Html:
    """`class_` and `for_` are the attributes of that name; in a name, `_` stands for a dash."""
    words = [name]
    for key, value in attributes.items():
        attribute = key.strip("_").replace("_", "-")
        if value is True:
            words.append(attribute)
        elif value is not False and value != "":
            words.append(f'{attribute}="{escape(harmless(value))}"')
    head = f"<{' '.join(words)}>"
    return Html(head if name in VOID else f"{head}{join(parts)}</{name}>")


def code(value: str) -> Html:
    return tag("code", value)


def prose(value: str) -> Html:
    """Words between backquotes as what they are: something to type."""
    pieces = re.split("`([^`]*)`", value)
    return join(code(piece) if number % 2 else piece for number, piece in enumerate(pieces))


def rows(pairs: Iterable[tuple[str, Part]]) -> Html:
    """Labels and what they say; a pair that says nothing is left out."""
    return tag("dl", *(join((tag("dt", label), tag("dd", said))) for label, said in pairs if said))


def table(head: Sequence[Part], lines: Iterable[Sequence[Part]], caption: str = "", class_: str = "") -> Html:
    """It scrolls by itself where the window is too narrow for it."""
    top = tag("tr", *(tag("th", cell, scope="col") for cell in head))
    body = (tag("tr", *(tag("td", cell) for cell in cells)) for cells in lines)
    inner = tag("table", tag("caption", caption) if caption else None, tag("thead", top), tag("tbody", *body))
    return tag(
        "div", inner, class_=f"wide {class_}".strip(), tabindex="0", role="region", aria_label=caption or "table"
    )


def items(parts: Iterable[Part]) -> Html:
    return tag("ul", *(tag("li", part) for part in parts))
