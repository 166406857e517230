"""systemd's files by what they say: section, key, values. Comments and line breaks are no difference."""

from __future__ import annotations

from collections.abc import Iterable

from hardway.compare.snapshot import Settings

COMMENTS = ("#", ";")


def settings(texts: Iterable[str]) -> Settings:
    """Several files read as one, which is how systemd reads a unit's drop-ins."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for text in texts:
        section = found.setdefault("", {})
        for line in text.replace("\\\n", " ").splitlines():
            said = line.strip()
            if said.startswith("[") and said.endswith("]"):
                section = found.setdefault(said[1:-1], {})
            elif said and not said.startswith(COMMENTS):
                key, _, value = said.partition("=")
                section[key.strip()] = (*section.get(key.strip(), ()), " ".join(value.split()))
    return {name: keys for name, keys in found.items() if keys}
