"""The chapters as pages, with this cluster's own values; commands can be copied, and pictures are drawn anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import join as join_path
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from hardway.page import texts
from hardway.page.frame import Page, link
from hardway.page.html import Html, code, join, tag
from hardway.page.pictures import Pictures
from hardway.page.served.commands import words_of
from hardway.page.site import Site
from hardway.page.values import pieces, replaced

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

HERE = "guide"
ELSEWHERE = {
    "../reference/failures.md": "explain/failure.html",
    "../reference/README.md": "explain/index.html",
    "../glossary.md": "explain/term.html",
    "../comparison.md": "comparisons.html",
}
"""Pages of the documentation that have their like here. Others are in the repository alone, and are named."""
FAILURE = re.compile(r"\b(F\d\d)\b")
PROMPT, MORE = "$ ", "> "
NOTE = (
    "Names, networks and addresses are those of this cluster, and are marked. Numbers and other output are from the "
    "sample cluster that the guide is written for."
)


def pages(site: Site) -> Iterator[Page]:
    pictures = Pictures(site.workspace.loaded.cluster)
    for name, text in texts.everything().items():
        path = f"{HERE}/{'index' if name == texts.INDEX else name}.html"
        body = Chapter(site, path, pictures).html(text)
        yield Page(path=path, title=replaced(texts.heading(text), site.own_values), body=body)


class Chapter:
    """One text, for the page at `path`."""

    def __init__(self, site: Site, path: str, pictures: Pictures) -> None:
        self._site, self._path, self._pictures = site, path, pictures

    def html(self, text: str) -> Html:
        renderer = self._markdown()
        _, _, below = text.partition("\n")  # the title is the page's
        made = Html(renderer.render(below))
        return join((tag("p", NOTE, class_="note") if self._site.own_values else None, made))

    def _markdown(self) -> MarkdownIt:
        from markdown_it import MarkdownIt

        made = MarkdownIt("commonmark", {"html": False}).enable("table")
        rules: dict[str, Any] = {
            "text": self._text,
            "code_inline": self._code,
            "fence": self._fence,
            "image": self._image,
            "link_open": self._link_open,
            "link_close": self._link_close,
            "table_open": lambda *_: '<div class="wide" tabindex="0" role="region" aria-label="table"><table>',
            "table_close": lambda *_: "</table></div>",
            "heading_open": self._heading,
        }
        for name, rule in rules.items():
            made.renderer.rules[name] = rule  # type: ignore[attr-defined]
        return made

    def _values(self, content: str) -> Html:
        """With this cluster's values, each of them marked."""
        found = pieces(content, self._site.own_values)
        return join(tag("span", piece, class_="own", title=f"sample: {was}") if was else piece for piece, was in found)

    def _text(self, tokens: list[Token], index: int, *_: Any) -> str:
        """The id of a failure leads to it, unless the words are a link already."""
        content = tokens[index].content
        if _inside_a_link(tokens[:index]):
            return self._values(content)
        return join(self._failure(piece) or self._values(piece) for piece in FAILURE.split(content))

    def _failure(self, piece: str) -> Html | None:
        target = self._site.target(f"failure/{piece}") if FAILURE.fullmatch(piece) else ""
        return tag("a", piece, href=link(self._path, target)) if target else None

    def _code(self, tokens: list[Token], index: int, *_: Any) -> str:
        content = tokens[index].content
        target = self._site.target(content)
        made = code(self._values(content))
        return tag("a", made, href=link(self._path, target)) if target else made

    def _heading(self, tokens: list[Token], index: int, *_: Any) -> str:
        token = tokens[index]
        name = re.sub(r"[^a-z0-9]+", "-", tokens[index + 1].content.lower()).strip("-")
        return f'<{token.tag} id="{name}">'

    def _fence(self, tokens: list[Token], index: int, *_: Any) -> str:
        token = tokens[index]
        if token.info.strip() == "console":
            return console(replaced(token.content, self._site.own_values), self._values)
        return tag("pre", code(self._values(token.content)), tabindex="0")

    def _image(self, tokens: list[Token], index: int, *_: Any) -> str:
        token = tokens[index]
        name = str(token.attrs["src"]).rpartition("/")[2].removesuffix(".svg")
        return self._pictures.figure(name, token.content)

    def _link_open(self, tokens: list[Token], index: int, *_: Any) -> str:
        href = self._href(str(tokens[index].attrs["href"]))
        outside = href.startswith("https://")
        return f'<a href="{Html(href)}"{" rel=noreferrer" if outside else ""}>' if href else '<span class="elsewhere">'

    def _link_close(self, tokens: list[Token], index: int, *_: Any) -> str:
        opened = next(t for t in reversed(tokens[:index]) if t.type == "link_open")
        written = str(opened.attrs["href"])
        if self._href(written):
            return "</a>"
        return f"</span> {tag('small', f'(in the repository: {_in_repository(written)})')}"

    def _href(self, written: str) -> str:
        """Where it leads here; nothing, if the page is in the repository alone."""
        if written.startswith(("https://", "#")):
            return written
        file, _, anchor = written.partition("#")
        target = ELSEWHERE.get(file) or (f"{HERE}/{file.removesuffix('.md')}.html" if "/" not in file else "")
        return link(self._path, f"{target}#{anchor}" if anchor else target) if target else ""


def _inside_a_link(before: list[Token]) -> bool:
    kinds = [token.type for token in before]
    return kinds.count("link_open") > kinds.count("link_close")


def _in_repository(written: str) -> str:
    """The path of a page that a chapter names."""
    return normpath(join_path("docs/guide", written.partition("#")[0]))


def console(content: str, shown: Any) -> Html:
    """Commands, each to be copied, and what they print."""
    parts: list[Html] = []
    for is_command, lines in _blocks(content.splitlines()):
        if is_command:
            words = "\n".join(line[len(PROMPT) :] for line in lines)
            parts.append(_command(words, shown("\n".join(lines))))
        else:
            parts.append(tag("pre", tag("samp", shown("\n".join(lines))), class_="output", tabindex="0"))
    return tag("div", *parts, class_="console")


def _command(words: str, shown: Html) -> Html:
    may_run = words_of(words) is not None
    return tag("div", tag("pre", code(shown)), class_="command", data_command=words, data_run=may_run)


def _blocks(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """Runs of lines: one command with the lines that continue it, or output."""
    block: list[str] = []
    command = False
    for line in lines:
        begins = line.startswith(PROMPT)
        goes_on = command and line.startswith(MORE)
        if block and (begins or (command and not goes_on)):
            yield command, block
            block = []
        if begins or not goes_on:
            command = begins
        block.append(line)
    if block:
        yield command, block
