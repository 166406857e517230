"""The pages in a real browser."""

from __future__ import annotations

import json
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from hardway.compare.installer.comparison import compare
from hardway.drive import moments, sight
from hardway.drive.milestones.table import TABLE as MILESTONES
from hardway.drive.record import EVENTS, keeping
from hardway.explain.pictures import recording
from hardway.explain.pictures.canvas import width
from hardway.explain.pictures.table import PICTURES
from hardway.lab.owner import MARK
from hardway.lab.paths import lab_paths
from hardway.page.export import export
from hardway.page.frame import MENU
from hardway.page.site import open_site
from tests.support.browser import NARROW, WINDOW, browser, complaints, faults, requests, scheme, size
from tests.support.clusters import install_config
from tests.support.pages import serving
from tests.support.planting import REFERENCE, good
from tests.support.trees import build_folder, write_folder
from tests.unit.drive.test_decide import CLUSTER
from tests.unit.drive.test_sight import SEEN

HOSTILE = '"><script>window.hit=1</script><img src=x onerror=window.hit=1>'
NAME = "pages"
ARTIFACT = "artifact/manifest/cluster-dns-02-config.yml.html"
SMALL = ["guide/05-pki.html", ARTIFACT, "artifact/cert/root-ca.html", "yours/install-config.yaml.html"]
VIEWS = [*MENU, *SMALL]
SLOW = ("artifacts.html", "explain/failure.html", "explain/index.html", "guide/index.html")  # many rows of one kind
LOOKED_AT = [path for path in VIEWS if path not in SLOW]
WITH_PICTURES = ("index.html", "certificates.html", "stages.html", "guide/04-release-image.html")
DRAWN = Path(__file__).parents[3] / "docs" / "pictures"
SECONDS = 60
MOTION = "prefers-reduced-motion"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    changes = {"metadata": {"name": NAME}, "sshKey": f"{install_config()['sshKey']} {HOSTILE}"}
    found = write_folder(tmp_path_factory.mktemp("cluster") / "c", install_config(**changes), keys="ecdsa-p256")
    return build_folder(found).folder


@pytest.fixture(scope="module")
def lab(folder, tmp_path_factory):
    """The record of a lab of this cluster, as `lab up` writes it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        home = lab_paths(NAME).folder
        home.mkdir(parents=True)
        (home / MARK).write_text(json.dumps({"lab": NAME, "cluster": str(folder.resolve()), "id": "x"}))
        write(home, "reached", 1, "etcd answers", milestone="bootstrap-etcd")
        write(home, "trouble", 5, f"a line {HOSTILE}")
        yield home


def write(home, kind, seconds, text, **more):
    with (home / EVENTS).open("a") as stream:
        stream.write(json.dumps({"kind": kind, "seconds": seconds, "text": text, **more}) + "\n")


@pytest.fixture(scope="module")
def server(folder, lab):
    with serving(folder, compare(REFERENCE, lambda text: good())) as found:
        yield found


@pytest.fixture(scope="module")
def driver(server):
    with browser() as found:
        size(found, *WINDOW)
        found.get(server.url)
        wait(found, lambda: found.find_elements(By.CSS_SELECTOR, "main h1"))
        yield found


def wait(driver, condition):
    return WebDriverWait(driver, SECONDS).until(lambda _: condition())


def at(server, path):
    return f"http://127.0.0.1:{server.server_port}/{path}"


def open_view(driver, server, path):
    driver.get(at(server, path))
    wait(driver, lambda: driver.execute_script("return document.readyState") == "complete")


def test_no_view_complains_or_asks_elsewhere_or_is_too_wide(driver, server):
    driver.get_log("performance")
    size(driver, *NARROW)
    wide = []
    for path in VIEWS:
        open_view(driver, server, path)
        if driver.execute_script("return document.scrollingElement.scrollWidth") > NARROW[0]:
            wide.append(path)
    size(driver, *WINDOW)
    assert wide == []
    assert complaints(driver) == []
    asked = [url for url in requests(driver) if url.startswith("http")]
    assert len(asked) > len(VIEWS)
    assert [url for url in asked if not url.startswith(at(server, ""))] == []
    assert driver.execute_script("return window.hit") is None


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious(driver, server, colours):
    scheme(driver, colours)
    found = {}
    for path in LOOKED_AT:
        open_view(driver, server, path)
        driver.execute_script("document.querySelector('details')?.setAttribute('open', '')")
        found[path] = faults(driver)
    dark = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    scheme(driver, "light")
    assert (dark == "rgb(13, 17, 23)") == (colours == "dark")
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_from_a_field_to_the_line_of_install_config(driver, server):
    open_view(driver, server, ARTIFACT)
    file = driver.find_element(By.CLASS_NAME, "annotated")
    file.find_element(By.PARTIAL_LINK_TEXT, "install-config.yaml:").send_keys(Keys.ENTER)
    wait(driver, lambda: "yours/install-config.yaml" in driver.current_url)
    target = driver.find_element(By.CSS_SELECTOR, ":target")
    assert target.text.strip() == f"name: {NAME}"
    assert "<script>window.hit=1</script>" in driver.find_element(By.TAG_NAME, "main").text


def test_the_keyboard_reaches_the_content_and_the_search(driver, server):
    open_view(driver, server, "explain/failure.html")
    driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    wait(driver, lambda: driver.switch_to.active_element.get_attribute("id") == "content")
    driver.switch_to.active_element.send_keys(Keys.TAB)
    driver.switch_to.active_element.send_keys("not yet valid")
    shown = [row for row in driver.find_elements(By.TAG_NAME, "article") if row.is_displayed()]
    assert "failure/F02" in [row.find_element(By.TAG_NAME, "h2").text for row in shown]
    assert 0 < len(shown) < 10


def test_a_command_is_copied_and_run_and_what_it_prints_is_shown(driver, server):
    open_view(driver, server, "guide/05-pki.html")
    permission = {"permission": {"name": "clipboard-write"}, "setting": "granted"}
    driver.execute_cdp_cmd("Browser.setPermission", permission)
    copy = driver.find_element(By.CSS_SELECTOR, "button.copy")
    copy.send_keys(Keys.ENTER)
    wait(driver, lambda: copy.text == "Copied")
    commands = driver.find_elements(By.CSS_SELECTOR, "[data-run]")
    command = next(one for one in commands if "explain" in one.get_attribute("data-command"))
    command.find_element(By.CSS_SELECTOR, "button.run").send_keys(Keys.ENTER)
    result = wait(driver, lambda: command.find_element(By.XPATH, "following-sibling::div[@class='result']"))
    wait(driver, lambda: "Printed now, exit code 0" in result.text)
    printed = result.find_element(By.TAG_NAME, "pre").text
    open_view(driver, server, "guide/05-pki.html")
    again = wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".result"))[0]
    assert again.find_element(By.TAG_NAME, "pre").text == printed
    assert "Printed on" in again.text
    assert complaints(driver) == []


def test_the_page_follows_a_lab_and_plays_what_happened(driver, server, lab):
    open_view(driver, server, "lab.html")
    assert "etcd answers" in driver.find_element(By.CSS_SELECTOR, ".events").text
    assert HOSTILE in driver.find_element(By.CSS_SELECTOR, ".events").text
    wait(driver, lambda: driver.execute_script("return lookAgain.last !== undefined"))
    write(lab, "reached", 9, "the API answers", milestone="bootstrap-api")
    wait(driver, lambda: "the API answers" in driver.find_element(By.CSS_SELECTOR, ".events").text)
    slider = driver.find_element(By.CSS_SELECTOR, ".player input")
    slider.send_keys(Keys.HOME)
    assert "the API answers" not in driver.find_element(By.CSS_SELECTOR, ".events").text
    driver.find_element(By.CSS_SELECTOR, ".player button").send_keys(Keys.ENTER)
    wait(driver, lambda: "the API answers" in driver.find_element(By.CSS_SELECTOR, ".events").text)
    assert driver.execute_script("return window.hit") is None


def test_a_real_run_that_is_replayed_changes_a_page_that_is_open(driver, server, lab):
    """Event by event as `lab up` has recorded them, and what a turn of its loop sees."""
    run = recording.run()
    half = next(index for index, event in enumerate(run) if event.milestone == "etcd-grown")
    open_view(driver, server, "lab.html")
    wait(driver, lambda: driver.execute_script("return lookAgain.last !== undefined"))
    driver.execute_script("window.opened = 1")
    for event in run[:half]:
        keeping(lab, lambda event: None)(event)
    wait(driver, lambda: reached(driver)[-1:] == ["masters-ready"])
    sight.keeping(lab, CLUSTER)(SEEN)
    wait(driver, lambda: "csr-b" in driver.find_element(By.TAG_NAME, "main").text)
    for event in run[half:]:
        keeping(lab, lambda event: None)(event)
    wait(driver, lambda: reached(driver) == [row.name for row in MILESTONES])
    text = driver.find_element(By.TAG_NAME, "main").text
    assert "kube-system/kube-scheduler master-1" in text
    assert f"Events of the last run: {len(run)}, in {run[-1].seconds:.0f} s." in text
    assert driver.execute_script("return window.opened") == 1  # it was never loaded again


def test_what_was_seen_is_played_with_the_run(driver, server, lab):
    clock = iter((0, 1, 4, 9))
    look = moments.keeping(lab, CLUSTER, lambda: "7 requests", lambda: next(clock))
    for leases in ({}, {"kube-system/kube-scheduler": "master-1"}, {"kube-system/kube-scheduler": "master-2"}):
        look(replace(SEEN, leases=leases))
    open_view(driver, server, "lab.html")
    slider, past = (driver.find_element(By.CSS_SELECTOR, name) for name in (".player input", ".past"))
    assert past.get_property("hidden")
    slider.send_keys(Keys.HOME)
    assert not past.get_property("hidden")
    shown = []
    for _ in range(10):
        shown.append(next((name for name in ("master-1", "master-2") if f"kube-scheduler {name}" in past.text), ""))
        slider.send_keys(Keys.ARROW_RIGHT)
    assert shown == [""] * 4 + ["master-1"] * 5 + ["master-2"]
    assert "7 requests" in past.text
    lanes = driver.find_element(By.CSS_SELECTOR, ".lanes")
    assert 0 < len(lanes.find_elements(By.CSS_SELECTOR, ".later")) < len(lanes.find_elements(By.CSS_SELECTOR, "rect"))
    slider.send_keys(Keys.END)
    assert past.get_property("hidden")
    assert lanes.find_elements(By.CSS_SELECTOR, ".later") == []
    assert complaints(driver) == []


def reached(driver):
    """In one step: the page may change meanwhile."""
    marks = "[...document.querySelectorAll('.milestones li:not(.quiet):has(svg)[data-milestone]')]"
    return driver.execute_script(f"return {marks}.map((one) => one.dataset.milestone)")


OVERLAPS = """
const found = [];
const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
const holds = (a, b) => a.left <= b.left && a.top <= b.top + 2 && a.right >= b.right && a.bottom >= b.bottom - 2;
const within = (point, a) =>
  point.x > a.left && point.x < a.right && point.y > a.top + 3 && point.y < a.bottom - 3;
for (const svg of document.querySelectorAll("svg:has(text)")) {
  const boxes = [...svg.querySelectorAll("text")].map((one) => [one.textContent, one.getBoundingClientRect()]);
  const shapes = [...svg.querySelectorAll("rect, circle")].map((one) => one.getBoundingClientRect());
  boxes.forEach(([text, a], index) => boxes.slice(index + 1).forEach(([other, b]) => {
    if (meet(a, b)) found.push(`${text} / ${other}`);
  }));
  for (const [text, a] of boxes)
    if (shapes.some((shape) => meet(a, shape) && !holds(shape, a))) found.push(`${text} / the edge of a shape`);
  for (const line of svg.querySelectorAll("path:not(.arrowhead)"))
    for (let at = 0; at <= line.getTotalLength(); at += 3) {
      const point = line.getPointAtLength(at).matrixTransform(line.getScreenCTM());
      const on = boxes.find(([, a]) => within(point, a));
      if (on) { found.push(`${on[0]} / a line`); break; }
    }
}
return [document.querySelectorAll("svg text").length, found];
"""
TEXTS = """
const texts = [...document.querySelectorAll("text")];
return texts.map((one) => [one.textContent, one.getAttribute("class") || "", one.getComputedTextLength()]);
"""


def test_no_text_of_a_picture_lies_on_another_on_an_edge_or_on_a_line(driver, server):
    files = [path.as_uri() for path in sorted(DRAWN.glob("*.svg"))]
    assert len(files) == len(PICTURES)
    seen = 0
    for address in [*files, *(at(server, path) for path in WITH_PICTURES)]:
        driver.get(address)
        count, overlaps = driver.execute_script(OVERLAPS)
        seen += count
        assert overlaps == [], address
    assert seen > 400


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_is_wider_than_it_was_measured_before_it_was_drawn(driver, name):
    driver.get((DRAWN / f"{name}.svg").as_uri())
    texts = driver.execute_script(TEXTS)
    assert texts
    assert [text for text, kind, long in texts if long > width(text, kind)] == []


def test_nothing_moves_for_who_asks_for_that(driver, server):
    for wish, moves in (("no-preference", True), ("reduce", False)):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": MOTION, "value": wish}]})
        driver.get((DRAWN / "lab-up.svg").as_uri())
        assert (driver.execute_script("return document.getAnimations().length") > 0) == moves
        open_view(driver, server, "guide/05-pki.html")
        scrolled = driver.execute_script("return getComputedStyle(document.documentElement).scrollBehavior")
        assert scrolled == ("smooth" if moves else "auto")
        assert driver.execute_script("return document.getAnimations().length") == 0
    scheme(driver, "light")


def test_an_export_opens_without_a_server(driver, folder, lab, tmp_path):
    export(open_site(folder), tmp_path / "out")
    complaints(driver)
    driver.get((tmp_path / "out/explain/failure.html").as_uri())
    assert driver.find_element(By.ID, "search").is_displayed()
    driver.find_element(By.LINK_TEXT, "Stages").click()
    wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, ".stages li"))
    assert complaints(driver) == []


class Foreign(BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>foreign</title><h1>foreign</h1>")

    def log_message(self, *_):
        pass


ASK = """
const [url, done] = arguments;
const post = { method: "POST", body: "hardway status", credentials: "include", mode: "no-cors" };
Promise.allSettled([fetch(url, { credentials: "include" }), fetch(url + "run", post)])
  .then((all) => done(all.map((one) => one.status === "fulfilled" ? one.value.type : "failed")));
"""


def test_another_sites_page_learns_nothing(driver, server):
    with ThreadingHTTPServer(("127.0.0.1", 0), Foreign) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        driver.get(f"http://localhost:{other.server_port}/")
        found = driver.execute_async_script(ASK, at(server, ""))
        other.shutdown()
    assert found in (["failed", "opaque"], ["failed", "failed"])


def test_a_wrong_token_opens_nothing(server):
    with browser() as fresh:
        for path in ("?token=0123", "", "index.html"):
            fresh.get(at(server, path))
            text = fresh.find_element(By.TAG_NAME, "body").text
            assert NAME not in text
            assert "token" in text or "address that the command printed" in text
