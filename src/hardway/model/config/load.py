"""The user's edge: the texts that a user writes become one frozen cluster, or all that is wrong with them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hardway.lines.default import DEFAULT
from hardway.lines.find import known_lines, line_of, minor_of
from hardway.lines.line import Line
from hardway.model.cluster import Cluster, Release
from hardway.model.config.convert import convert, fill
from hardway.model.config.draft import Draft
from hardway.model.config.fields import INSTALL_CONFIG, shape
from hardway.model.config.reader import read
from hardway.model.config.reading import Reading
from hardway.model.config.rules import judge
from hardway.model.config.table import FieldRow
from hardway.model.derive import makers
from hardway.model.derive.checks import check_plan
from hardway.model.derive.cluster import make_cluster
from hardway.model.derive.plan import Plan, make_plan
from hardway.model.errors import ConfigError
from hardway.model.hosts import ROWS as HOSTS
from hardway.model.hosts import Hosts, read_hosts
from hardway.model.own.load import load_own
from hardway.model.problem import Problem
from hardway.model.settings.file import ROWS as SETTINGS
from hardway.model.settings.file import Options, Settings, read_settings
from hardway.model.userinfo import names_user

FIELDS: tuple[FieldRow, ...] = (*INSTALL_CONFIG, *HOSTS, *SETTINGS)

_PLAN_READS = (
    "metadata.name",
    "baseDomain",
    "networking.machineNetwork",
    "networking.serviceNetwork",
    "controlPlane.replicas",
    "compute",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Texts, not paths: the model reads no files."""

    install_config: str = field(repr=False)
    hosts: str | None = None
    settings: str | None = None
    manifests: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # the user's own, by file name
    unread: tuple[Problem, ...] = ()  # what of them is no file to read
    install_config_file: str = "install-config.yaml"
    hosts_file: str = "hosts.yaml"
    settings_file: str = "hardway.yaml"
    manifests_folder: str = "manifests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    cluster: Cluster
    settings: Settings
    hosts: Hosts
    warnings: tuple[Problem, ...]


def load(inputs: Inputs, release_for: Callable[[str], Release], options: Options | None = None) -> Loaded:
    """The cluster that the texts describe. ConfigError holds every problem, errors before warnings."""
    settings, settings_reading = read_settings(inputs.settings, inputs.settings_file, options or Options())
    hosts, hosts_reading = read_hosts(inputs.hosts, inputs.hosts_file)
    release = _release(settings, settings_reading, release_for)
    line = _line(release)
    reading = read(inputs.install_config, inputs.install_config_file, shape(line))
    draft = _judged(reading, release, line)
    plan = _planned(draft, hosts, reading, hosts_reading) if draft else None
    if release is not None:
        makers.judge(release, settings, settings_reading)
    own, wrong = load_own(inputs.manifests, inputs.manifests_folder, line)
    own_reading = Reading(file=inputs.manifests_folder)
    own_reading.problems += [*inputs.unread, *wrong]
    problems = _sorted(reading, hosts_reading, settings_reading, own_reading)
    if draft is None or plan is None or release is None or any(not problem.warning for problem in problems):
        raise ConfigError(problems)
    cluster = make_cluster(draft, plan, hosts, settings, release, own)
    return Loaded(cluster=cluster, settings=settings, hosts=hosts, warnings=problems)


def _release(settings: Settings, reading: Reading, release_for: Callable[[str], Release]) -> Release | None:
    asked = settings.release
    if reading.is_broken("release"):
        return None
    if names_user(asked):
        message = "an image's name must not contain a user or a password (the value is not shown)"
        fix = "write HOST/REPOSITORY:TAG, and put the password into the pullSecret of install-config.yaml"
        reading.error("settings.release-password", "release", message, fix)
        return None
    try:
        release = release_for(asked)
    except KeyError:
        release = None
    version = release.version if release else asked
    if minor_of(version) and line_of(version) is None:
        reading.error("settings.release-line", "release", *_other_line(version))
        return None
    if release is None:
        known = " or ".join(line.release for line in known_lines())
        message = f"release {asked[:80]!r} has not been read yet, and it is not {known}, which is built in"
        reading.error("settings.release", "release", message, "read it with `hardway build 04`")
    return release


def _other_line(version: str) -> tuple[str, str]:
    """What is wrong with a release of a line that nobody has written down, and the fix."""
    known = " and ".join(line.minor for line in known_lines())
    message = (
        f"is {version[:80]}, but hardway knows OpenShift {known} alone: the flags, feature gates and manifests that it "
        f"writes are those of {known} and do not fit {minor_of(version)}"
    )
    fix = f"name a release of {known}, such as {DEFAULT.release}; `hardway release info` reads a release of any version"
    return message, fix


def _line(release: Release | None) -> Line:
    """The release's line. Before a release is read, the newest line judges: it knows the words of those before it."""
    return (line_of(release.version) if release else None) or known_lines()[-1]


def _judged(reading: Reading, release: Release | None, line: Line) -> Draft | None:
    if reading.empty:
        reading.error("file.empty", "", "the file is empty", f"write an install-config with {_needed()}")
        return None
    if not reading.readable:
        return None
    convert(reading)
    fill(reading, shape(line))
    architecture = release.architecture if release else "multi"
    draft = Draft(reading.values, line, architecture)
    judge(draft, reading)
    return draft


def _needed() -> str:
    """The fields without which no file is complete."""
    paths = [row.path for row in INSTALL_CONFIG if row.required and "[]" not in row.path]
    *first, last = (path for path in paths if not any(other.startswith(f"{path}.") for other in paths))
    return f"{', '.join(first)} and {last}"


def _planned(draft: Draft, hosts: Hosts, reading: Reading, hosts_reading: Reading) -> Plan | None:
    if any(reading.is_broken(path) for path in _PLAN_READS):
        return None
    plan = make_plan(draft, hosts)
    check_plan(plan, hosts, draft, reading, hosts_reading)
    return plan


def _sorted(*readings: Reading) -> tuple[Problem, ...]:
    order = [(file, problem) for file, reading in enumerate(readings) for problem in reading.problems]
    order.sort(key=lambda item: (item[1].warning, item[0], item[1].file, item[1].line, item[1].column, item[1].path))
    return tuple(problem for _, problem in order)
