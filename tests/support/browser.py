"""Debian's Chromium, driven by selenium: a browser that nobody has used before, and what it said meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from tempfile import TemporaryDirectory
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)
WINDOW = (1200, 900)
NARROW = (360, 740)
SERIOUS = ("serious", "critical")


@contextmanager
def browser() -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with TemporaryDirectory(prefix="hardway-browser-") as home:
        options.add_argument(f"--user-data-dir={home}")
        driver = Chrome(options=options, service=ChromeService("/usr/bin/chromedriver"))
        try:
            yield driver
        finally:
            driver.quit()


def size(driver: Chrome, wide: int, high: int) -> None:
    """Of the page itself: a window of Chromium has a least width."""
    metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def scheme(driver: Chrome, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": name}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def log(driver: Chrome, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = driver.get_log(name)  # type: ignore[no-untyped-call]
    return found


def complaints(driver: Chrome) -> list[str]:
    """What the console has said since the last time."""
    return [row["message"] for row in log(driver, "browser") if row["level"] in ("SEVERE", "WARNING")]


def requests(driver: Chrome) -> list[str]:
    """Every address that pages have asked for since the last time."""
    messages = (json.loads(row["message"])["message"] for row in log(driver, "performance"))
    sent = (message["params"] for message in messages if message["method"] == "Network.requestWillBeSent")
    return [params["request"]["url"] for params in sent]


def faults(driver: Chrome) -> list[str]:
    """What axe finds serious on this page."""
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": _axe()})
    found: dict[str, Any] = driver.execute_async_script("axe.run(document).then(arguments[0])")
    return [
        f"{row['id']}: {node['target']} {node.get('failureSummary', '')[:300]}"
        for row in found["violations"]
        if row["impact"] in SERIOUS
        for node in row["nodes"]
    ]


def _axe() -> str:
    return files("axe_core_python").joinpath("axe.min.js").read_text()
