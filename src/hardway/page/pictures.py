"""Pictures in a page: drawn for this cluster, with text that can be searched. Their style is the page's."""

from __future__ import annotations

import re

from hardway.explain.pictures.table import PICTURES
from hardway.model.cluster import Cluster
from hardway.page.html import Html, tag


class Pictures:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def figure(self, name: str, said: str) -> Html:
        """The picture of this name; `said` is what it shows, for whoever cannot see it."""
        drawn = PICTURES[name](self._cluster)
        plain = re.sub(r"\s*<style>.*?</style>", "", drawn, flags=re.DOTALL)
        own = re.sub(r'\bid="(\w+)"', rf'id="{name}-\1"', plain).replace("url(#", f"url(#{name}-")
        own = own.replace('aria-labelledby="title description"', f'aria-labelledby="{name}-title {name}-description"')
        svg = Html(own.replace("<svg ", '<svg class="picture" ', 1))
        return tag(
            "figure", tag("div", svg, class_="wide", tabindex="0", role="group", aria_label=said), class_="drawn"
        )
