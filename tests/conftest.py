"""Which test runs when, and how long it may take."""

from __future__ import annotations

import signal
from collections.abc import Generator
from typing import Any

import pytest
import pytest_timeout
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from hardway.tools.patience import Patience
from tests.support import scratch, turn

TICK = 5.0  # seconds between two looks at a test's time limit
LABS = turn.Turn()
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # a busy machine breaks nothing
SHARED = scratch.SCRATCH  # before any worker is started


def pytest_configure() -> None:
    """A run in a shell's background ignores Ctrl-C, and so would every program that a test interrupts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return turn.LabsTogether(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The labs take longest, so they begin."""
    items.sort(key=lambda item: not turn.is_lab(item.nodeid))
    for item in items:
        if turn.is_lab(item.nodeid):
            item.add_marker(pytest.mark.timeout(turn.SECONDS))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """Around everything else, the test's time limit included: a wait for the turn is not the test's."""
    if turn.is_lab(item.nodeid):
        LABS.take()
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path != item.path:
            LABS.give()


@pytest.hookimpl(optionalhook=True)
def pytest_timeout_set_timer(item: Any, settings: pytest_timeout.Settings) -> bool:
    """The time limit of a test is for a machine that has time for it, as all limits are."""
    patience = Patience(settings.timeout)

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def look(*_: object) -> None:
        if patience.ended():
            stop()
            pytest_timeout.timeout_sigalrm(item, settings)

    item.cancel_timeout = stop
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, min(TICK, settings.timeout), TICK)
    return True
