"""Texts by what they mean to their readers: scripts, systemd's files, settings, logins. Spelling is no difference."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hardway.compare.contents import commands
from hardway.compare.installer.snapshot import Settings, Unit

KUBELET = "/usr/bin/kubelet"
SCRIPT = "/usr/local/bin/kubelet.sh"
BOOTKUBE = "/usr/local/bin/bootkube.sh"
SERVICE = "kubelet.service"
EXTRA = "${extra[@]}"  # how our script passes on what KUBELET_EXTRA_ARGS holds
COMMENTS = ("#", ";")
GENERATED = "<a key made for this installation>"
MADE = "ssh-rsa "  # what both make, to be let in for looking at a machine that failed
MEANINGS: Mapping[str, Callable[[str], Any]] = {
    "/etc/containers/registries.conf": tomllib.loads,
    "/etc/profile.d/proxy.sh": shlex.split,
    "/root/.docker/config.json": json.loads,
}
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_STAGE = re.compile(r'^\s*record_service_stage_start "?([\w-]+)', re.MULTILINE)


def meaning(path: str, text: str) -> Any:
    """The file as its reader understands it; the text itself where nobody says how to read it."""
    try:
        return MEANINGS.get(path, str.strip)(text)
    except ValueError:
        return text


def settings(texts: Iterable[str]) -> Settings:
    """Several of systemd's files read as one, which is how systemd reads a unit's drop-ins."""
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


def logins(users: Mapping[str, Mapping[str, Any]], own: str) -> dict[str, Any]:
    """Users, with every key that the program made itself as just that: it is another one each time."""
    return {name: {**user, **_keys(user, own)} for name, user in users.items()}


def _keys(user: Mapping[str, Any], own: str) -> dict[str, Any]:
    listed = user.get("sshAuthorizedKeys") or []
    if not isinstance(listed, list):
        return {}
    keys = [str(key).strip() for key in listed]
    return {"sshAuthorizedKeys": [key if key == own or not key.startswith(MADE) else GENERATED for key in keys]}


def stages(script: str) -> tuple[str, ...]:
    """What the installer's bootkube.sh does, in its own names for it."""
    return tuple(_STAGE.findall(script))


def kubelet_flags(texts: Mapping[str, str], units: Mapping[str, Unit]) -> dict[str, str]:
    """What the kubelet is started with, as far as the files say it; the last of two counts, as it does for it."""
    environment = _environment(texts, units.get(SERVICE))
    found: dict[str, str] = {}
    for word in _arguments(texts.get(SCRIPT, ""), environment):
        name, _, value = word.partition("=")
        found[name] = _VARIABLE.sub(lambda match: environment.get(match[1] or match[2], match[0]), value)
    return found


def _arguments(script: str, environment: Mapping[str, str]) -> list[str]:
    for words in commands(script):
        if KUBELET in words:
            extra = environment.get("KUBELET_EXTRA_ARGS", "").split()
            given = words[words.index(KUBELET) + 1 :]
            return [each for word in given for each in (extra if word == EXTRA else [word])]
    return []


def _environment(texts: Mapping[str, str], unit: Unit | None) -> dict[str, str]:
    """Variables of the service: what the unit says itself, then its files as far as they are in the config."""
    service = (unit.settings or {}).get("Service", {}) if unit else {}
    files = [texts.get(file.removeprefix("-"), "") for file in service.get("EnvironmentFile", ())]
    pairs = [pair.partition("=") for pair in (*service.get("Environment", ()), *"\n".join(files).splitlines())]
    return {name.strip(): value.strip().strip("'\"") for name, _, value in pairs}
