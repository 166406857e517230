"""Scripts by their commands, and the kubelet by the flags that a script gives it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from hardway.compare.snapshot import Unit

KUBELET = "/usr/bin/kubelet"
SCRIPT = "/usr/local/bin/kubelet.sh"
BOOTKUBE = "/usr/local/bin/bootkube.sh"
SERVICE = "kubelet.service"
EXTRA = "${extra[@]}"  # how our script passes on what KUBELET_EXTRA_ARGS holds
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_STAGE = re.compile(r'^\s*record_service_stage_start "?([\w-]+)', re.MULTILINE)


def commands(script: str) -> list[list[str]]:
    """Each command in words, without comments; a script that no shell could read has none."""
    try:
        lines = [shlex.split(line, comments=True) for line in script.replace("\\\n", " ").splitlines()]
    except ValueError:
        return []
    return [words for words in lines if words]


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
