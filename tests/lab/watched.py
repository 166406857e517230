"""The page of the running cluster in a browser, while something else brings the cluster up."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support.browser import browser, complaints
from tests.support.hardway_program import COMMAND
from tests.support.waiting import until

PAUSE = 0.5  # seconds between two looks; the page itself asks again every two
READ = """
const marks = [...document.querySelectorAll(".milestones li:has(svg)[data-milestone]")];
return [marks.map((one) => one.dataset.milestone), document.querySelector("main").innerText, window.opened === 1];
"""


@dataclass(frozen=True)
class Look:
    """What the page had at one time."""

    reached: tuple[str, ...]
    text: str
    same: bool  # it was not loaded again


@dataclass
class Watched:
    looks: list[Look] = field(default_factory=list)  # one for each change
    complaints: list[str] = field(default_factory=list)

    def has_reached(self, milestone: str) -> bool:
        return bool(self.looks) and milestone in self.looks[-1].reached


@contextmanager
def watched(folder: Path, **environment: str) -> Iterator[Watched]:
    """From `hardway guide --web`, which is asked by nobody else meanwhile."""
    command = [*COMMAND, "-C", str(folder), "guide", "--web"]
    with (
        subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True) as server,
        browser() as driver,
    ):
        found, end = Watched(), Event()
        thread = Thread(target=_watch, args=(driver, found, end), daemon=True)
        try:
            assert server.stdout
            address = re.search(r"http\S+", server.stdout.readline())
            assert address, "the server has printed no address"
            driver.get(address[0])
            until(lambda: driver.find_elements(By.CSS_SELECTOR, "main h1"))
            driver.get(address[0].partition("?")[0] + "lab.html")
            driver.execute_script("window.opened = 1")
            thread.start()
            yield found
        finally:
            end.set()
            if thread.is_alive():
                thread.join()
            found.complaints = complaints(driver)
            server.send_signal(signal.SIGINT)


def _watch(driver: Chrome, found: Watched, end: Event) -> None:
    """In a thread of its own, which alone uses the browser until it ends."""
    while not end.is_set():
        reached, text, same = driver.execute_script(READ)
        look = Look(tuple(reached), text, same)
        if not found.looks or look != found.looks[-1]:
            found.looks.append(look)
        end.wait(PAUSE)
