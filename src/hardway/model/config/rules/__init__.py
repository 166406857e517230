"""What an install-config must obey: the installer's rules, and those that it leaves to the cluster to die of."""

from __future__ import annotations

from hardway.model.config.draft import Draft
from hardway.model.config.reading import Reading
from hardway.model.config.rules import (
    access,
    features,
    mirrors,
    names,
    networks,
    ovn,
    platforms,
    pools,
    proxy,
    publishing,
    pull_secret,
    trust,
)

RULES = (
    *names.RULES,
    *platforms.RULES,
    *networks.RULES,
    *ovn.RULES,
    *pools.RULES,
    *pull_secret.RULES,
    *access.RULES,
    *trust.RULES,
    *proxy.RULES,
    *mirrors.RULES,
    *publishing.RULES,
    *features.RULES,
)


def judge(draft: Draft, reading: Reading) -> None:
    """Run every rule whose fields could be read; what they find goes to the reading."""
    unread = frozenset(path for rule in RULES for path in rule.reads if reading.is_broken(path))
    for rule in RULES:
        if not unread.isdisjoint(rule.reads):
            continue
        for flaw in rule.check(draft):
            report = reading.warn if flaw.warning else reading.error
            report(rule.id, flaw.path, flaw.message, flaw.fix)
