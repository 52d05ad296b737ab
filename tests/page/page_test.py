# SPDX-License-Identifier: Apache-2.0
"""The web page of a real gantryd in Debian's headless Chromium. Pictures of each view go to the directory PICTURES.

    page_test.py PROGRAM_DIRECTORY DRIVER_DIRECTORY PICTURES

Exit status 77: there is no Chromium here (packaging/install-packages --page). Accessibility is checked by axe, which
comes from npm, into PICTURES, and is no part of this repository: without it that one test is skipped.
"""

import contextlib
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
import browser
import page_fleet
from running_daemon import RunningDaemon

PROGRAMS, DRIVERS, PICTURES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
HOSTS = 10_000
AXE = PICTURES / "node_modules" / "axe-core" / "axe.min.js"
SLOW = 120  # seconds that a loaded machine may take

# [address, bytes] of each file of the page that was loaded.
LOADED = """
const files = performance.getEntriesByType("resource").filter((each) => each.name.includes("/ui/"));
return [...files, performance.getEntriesByType("navigation")[0]].map((each) => [each.name, each.decodedBodySize]);
"""
LIGHTNESS = """
const [red, green, blue] = getComputedStyle(document.querySelector(arguments[0])).backgroundColor.match(/\\d+/g);
return (Number(red) + Number(green) + Number(blue)) / 3;
"""
HAS_LINK = "return [...document.querySelectorAll('main a')].some((each) => each.textContent === arguments[0])"
LAST_ROW = "return document.querySelector('.sheet.tall tbody tr:last-child').getAttribute('aria-rowindex') === arguments[0]"
# Moves the range or number field at a label.
MOVE = """
const slider = [...document.querySelectorAll(".slider")].find((each) => each.innerText.startsWith(arguments[0]));
const input = slider.querySelector(`input[type=${arguments[1]}]`);
input.value = arguments[2];
input.dispatchEvent(new Event("input"));
"""
ASKED_OF_LATE = """
return performance.getEntriesByType("resource").some(
  (each) => each.startTime > performance.now() - 2000 && each.name.includes("/v1/"));
"""
RUN_AXE = """
const done = arguments[0];
const node = (each) => `${each.html.slice(0, 160)} ${each.failureSummary.slice(0, 300)}`;
const line = (each) => `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map(node).join(" | ")}`;
axe.run(document, {resultTypes: ["violations"]}).then(
  (result) => done(result.violations.map(line)), (error) => done([String(error)]));
"""

CONFIGURATION = """
scheduler_driver = ["filter", "volume"]
scheduling.service_down_time = 86400
server.listen = ["{address}"]
server.require_tokens = {tokens}
"""


def fetch_axe():
    """Whether axe-core is there, after an attempt to fetch it by npm where that is installed."""
    if not AXE.exists() and shutil.which("npm"):
        words = ["npm", "install", "--no-audit", "--no-fund", "--prefix", PICTURES, "axe-core@4"]
        with contextlib.suppress(subprocess.TimeoutExpired):  # a machine without a way to the registry
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    return AXE.exists()


class Served:
    """A gantryd with a fleet, at an address for browsers."""

    def __init__(self, hosts, tokens="false", address="127.0.0.1:0"):
        self.daemon = RunningDaemon(PROGRAMS, DRIVERS, CONFIGURATION.format(tokens=tokens, address=address))
        self.servers = page_fleet.build(self.call, hosts) if hosts else []
        log = (self.daemon.directory / "gantryd.log").read_text()
        self.origin = log.split("listening address=")[1].split()[0]
        self.page = self.origin + "/ui/"

    def call(self, method, args):
        answer = self.daemon.ask("POST", "/v1/" + method, body={"args": args})
        if answer.status != 200:
            raise RuntimeError(f"{method}: {answer.text[:500]}")
        return answer.json["result"]

    def stop(self):
        self.daemon.stop()


# View by its name in pictures: its address, and a text that it shows once it has its answer.
def views(served):
    def latest(outcome):
        return served.call("list_decisions", {"outcome": outcome, "limit": 1})[0]["id"]

    placed, refused = latest("placed"), latest("no_valid_host")
    return {
        "scheduler": ("#/", "Calls by method"),
        "fleet": ("#/fleet", "On hosts"),
        "decisions": ("#/decisions", "no valid host"),
        "decision": (f"#/decisions/{placed}", "Every host"),
        "refusal": (f"#/decisions/{refused}", "What would have found a host"),
        "what-if": ("#/what-if", "Hosts by weight"),
        "host": ("#/hosts/az2-c05000", "Every column"),
    }


class WithPage(unittest.TestCase):
    hosts = 200
    tokens = "false"

    @classmethod
    def setUpClass(cls):
        cls.served = Served(cls.hosts, cls.tokens)
        cls.addClassCleanup(cls.served.stop)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.colours("light")
        self.browser.requested()
        self.browser.complaints()

    def show(self, address, text):
        self.browser.open(self.served.page + address)
        self.browser.wait_for_text(text, SLOW)

    def picture(self, name, whole=True):
        self.browser.picture(PICTURES / f"{name}.png", whole)

    def text_of(self, css):
        return self.browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", css)


class AtTenThousandHosts(WithPage):
    hosts = HOSTS

    def test_each_view_shows_itself_asks_its_own_origin_alone_and_breaks_no_rule_of_its_policy(self):
        for name, (address, text) in views(self.served).items():
            with self.subTest(name):
                self.show(address, text)
                self.picture(f"{name}-light")
                requested = [url for url in self.browser.requested() if not url.startswith(("about:", "data:"))]
                self.assertTrue(requested)
                self.assertEqual([url for url in requested if not url.startswith(self.served.origin + "/")], [])
                self.assertEqual(self.browser.complaints(), [])

    def test_pictures_for_readers_are_small(self):
        address, text = views(self.served)["decision"]
        for name, address, text, scheme in (("fleet", "#/fleet", "On hosts", "light"), ("decision", address, text, "dark")):
            self.browser.colours(scheme)
            self.browser.size(1200, 760)
            self.show(address, text)
            self.picture(f"reader-{name}", whole=False)
            self.assertLess((PICTURES / f"reader-{name}.png").stat().st_size, 120_000)

    def test_the_files_are_at_most_three_hundred_kilobytes(self):
        self.show("#/fleet", "On hosts")
        for address, text in views(self.served).values():
            self.browser.run("location.hash = arguments[0]", address)
            self.browser.wait_for_text(text, SLOW)
        sizes = dict(self.browser.run(LOADED))
        print(f"the page has {len(sizes)} files, {sum(sizes.values())} bytes in all")
        self.assertLessEqual(sum(sizes.values()), 300_000)

    def test_how_long_the_first_paint_takes_is_told(self):
        for name, (address, text) in views(self.served).items():
            self.show(address, text)
            paint = self.browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
            print(f"first paint of {name} at {HOSTS} hosts: {paint:.0f} ms")

    def test_dark_and_phone_views_fit_without_scrolling_sideways(self):
        self.browser.colours("dark", "reduce")
        for name, (address, text) in views(self.served).items():
            with self.subTest(name):
                for width, height, suffix in ((1280, 900, "dark"), (360, 780, "phone")):
                    self.browser.size(width, height)
                    self.show(address, text)
                    self.picture(f"{name}-{suffix}")
                    self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    self.assertLess(self.lightness_of("body"), 60)

    def lightness_of(self, css):
        return self.browser.run(LIGHTNESS, css)

    def test_the_switch_of_colours_holds_against_the_system_and_over_a_reload(self):
        self.show("#/", "Topics")
        light = self.lightness_of("body")
        self.browser.click("#theme")
        self.assertLess(self.lightness_of("body"), light)
        self.show("#/", "Topics")
        self.assertLess(self.lightness_of("body"), light)
        self.browser.click("#theme")
        self.assertEqual(self.lightness_of("body"), light)

    def test_names_from_outside_are_text(self):
        self.show("#/hosts/" + page_fleet.HOSTILE.replace("%", "%25").replace("/", "%2F"), "Every column")
        self.assertEqual(self.text_of("h1"), page_fleet.HOSTILE)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img, main script').length"), 0)
        self.show("#/fleet", "On hosts")
        self.browser.type("main input[type=search]", "<script>")
        self.browser.wait_until(HAS_LINK, page_fleet.HOSTILE)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img, main script').length"), 0)
        self.assertIn("Gantry", self.browser.run("return document.title"))

    def test_the_keyboard_goes_through_the_picture_and_opens_a_host(self):
        self.show("#/fleet", "On hosts")
        self.browser.run("document.querySelector('canvas').focus()")
        self.browser.press("Right", "Right", "Down")
        told = self.browser.run("return document.activeElement.getAttribute('aria-valuetext')")
        self.assertRegex(told, r"^az1-c\d+, .*% of memory$")
        self.browser.press("Enter")
        self.browser.wait_for_text("Every column", SLOW)
        self.assertEqual(self.text_of("h1"), told.split(",")[0])

    def test_the_keyboard_reaches_each_part_of_the_frame_and_the_content(self):
        self.show("#/", "Topics")
        reached = []
        for _ in range(12):
            self.browser.press("Tab")
            reached.append(self.browser.run("return document.activeElement.textContent.trim() || document.activeElement.id"))
        frame = ["Skip to the content", "Gantry", "Scheduler", "Fleet", "Decisions", "What if", "find-text", "Live", "Dark"]
        self.assertEqual(reached[:9], frame)
        self.browser.run("document.querySelector('.skip').focus()")
        self.browser.press("Enter")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "main")

    def test_a_view_that_is_gone_to_is_told_and_has_the_focus(self):
        self.show("#/", "Topics")
        self.browser.click("nav a[href='#/decisions']")
        self.browser.wait_for_text("Latest decisions", SLOW)
        self.assertEqual(self.browser.run("return document.activeElement.textContent"), "Decisions")
        self.assertEqual(self.browser.run("return document.querySelector('nav [aria-current]').textContent"), "Decisions")
        self.browser.wait_until("return document.querySelector('#spoken').textContent === 'Decisions'")

    def test_a_decision_tells_why_not_of_any_host(self):
        address, text = views(self.served)["refusal"]
        self.show(address, text)
        self.browser.type("form input[name=host]", "az2-c05000")
        self.browser.press("Enter")
        self.browser.wait_for_text("AvailabilityZoneFilter: zone '", SLOW)

    def test_a_long_list_of_hosts_makes_only_the_rows_in_sight_and_filters(self):
        address, text = views(self.served)["decision"]
        self.show(address, text)
        self.browser.wait_for_text("10,000 hosts", SLOW)
        self.assertLess(self.browser.run("return document.querySelectorAll('.sheet.tall tbody tr').length"), 80)
        self.browser.run("document.querySelector('.sheet.tall').scrollTop = 1e7")
        self.browser.wait_until(LAST_ROW, "10001")
        self.browser.type("main input[placeholder='Host or reason']", "az2-c0500")
        self.browser.wait_for_text("of 10,000", SLOW)

    def test_a_multiplier_moves_the_order_and_nothing_is_changed(self):
        before = [self.served.call("status", {})[name] for name in ("claims", "instances", "casts")]
        self.show("#/what-if", "Hosts by weight")
        first = self.text_of("main .two-thirds tbody tr td:nth-child(2)")
        self.assertIn(first, self.text_of(".verdict"))
        self.browser.run(MOVE, "RAMWeigher", "range", "-5")
        self.browser.wait_for_text("With your multipliers the first server would go to", SLOW)
        self.assertNotEqual(self.text_of("main .two-thirds tbody tr td:nth-child(2)"), first)
        self.assertEqual([self.served.call("status", {})[name] for name in ("claims", "instances", "casts")], before)

    def test_a_request_that_fits_nowhere_says_so(self):
        self.show("#/what-if", "Hosts by weight")
        self.browser.run(MOVE, "vCPUs", "number", "5000")
        self.browser.wait_for_text("No valid host", SLOW)
        self.assertIn("CoreFilter", self.text_of(".verdict"))

    def test_a_pause_asks_nothing_until_it_ends(self):
        self.show("#/", "Topics")
        self.browser.click("#pause")
        self.assertEqual(self.browser.run("return document.querySelector('#pause').getAttribute('aria-pressed')"), "true")
        self.browser.run_and_wait("setTimeout(arguments[0], 500)")
        self.browser.requested()
        self.browser.run_and_wait("setTimeout(arguments[0], 4500)")
        self.assertEqual([url for url in self.browser.requested() if "/v1/" in url], [])
        self.browser.click("#pause")
        self.browser.wait_until(ASKED_OF_LATE)

    def test_axe_finds_nothing(self):
        if not fetch_axe():
            self.skipTest(f"no axe-core here: npm install --prefix {PICTURES} axe-core")
        # The page's own policy lets no other script in, so axe comes by the way of the tester.
        for scheme in ("light", "dark"):
            for width in (1280, 360):
                self.browser.colours(scheme)
                self.browser.size(width, 900)
                for name, (address, text) in views(self.served).items():
                    with self.subTest(f"{name}, {scheme}, {width}"):
                        self.show(address, text)
                        self.browser.run(AXE.read_text(encoding="utf-8"))
                        found = self.browser.run_and_wait(RUN_AXE)
                        self.assertEqual(found, [])


class WithTokens(WithPage):
    hosts = 20
    tokens = "true"

    def setUp(self):
        super().setUp()
        self.browser.open(self.served.page)
        self.browser.run("sessionStorage.clear()")

    def test_the_page_asks_for_a_token_says_how_to_get_one_and_keeps_it_in_the_tab_alone(self):
        self.show("#/", "This daemon wants an access token")
        self.assertIn("gantry token create --role reader", self.text_of("#banner"))
        self.picture("token-light")
        token = self.daemon_token("reader")
        self.browser.type("#banner input[type=password]", token)
        self.browser.press("Enter")
        self.browser.wait_for_text("Calls by method", SLOW)
        self.assertEqual(self.text_of("#banner"), "")
        kept = self.browser.run("return [Object.values(sessionStorage), Object.values(localStorage), document.cookie]")
        self.assertEqual(kept, [[token], [], ""])
        self.browser.click("#token")
        self.browser.wait_for_text("This daemon wants an access token", SLOW)
        self.assertEqual(self.browser.run("return sessionStorage.length"), 0)

    def test_a_token_of_another_role_is_told_plainly(self):
        self.show("#/", "This daemon wants an access token")
        self.browser.type("#banner input[type=password]", self.daemon_token("agent", "--host", "az1-c00001"))
        self.browser.press("Enter")
        self.browser.wait_for_text("This token may not do that", SLOW)

    def daemon_token(self, role, *more):
        return self.served.daemon.gantry("token", "create", "--role", role, *more, "-o", "value", f"page-{role}").split()[-1]


class WhenTheDaemonIsAway(unittest.TestCase):
    def test_the_page_says_so_and_goes_on_once_it_is_back(self):
        served = Served(0)
        window = browser.Browser()
        self.addCleanup(window.close)
        window.open(served.page)
        window.wait_for_text("Ready", SLOW)
        window.wait_for_text("No decision was asked for", SLOW)
        served.stop()
        window.wait_for_text("The daemon does not answer", SLOW)
        self.assertIn("systemctl status gantryd", window.run("return document.querySelector('#banner').innerText"))
        window.picture(PICTURES / "away-light.png")
        self.assertIn("What stands below was true at", window.run("return document.querySelector('.health').innerText"))
        back = Served(0, address=served.origin.removeprefix("http://"))
        self.addCleanup(back.stop)
        window.wait_until("return document.querySelector('#banner').innerText === ''", seconds=SLOW)
        window.wait_for_text("Ready", SLOW)


class WhenTheDaemonHangs(unittest.TestCase):
    def test_each_view_says_within_seconds_that_nobody_answers_and_how_old_its_numbers_are(self):
        served = Served(50)
        self.addCleanup(served.stop)
        window = browser.Browser()
        self.addCleanup(window.close)
        process = served.daemon.process
        for address, text in (("#/", "Topics"), ("#/fleet", "On hosts"), ("#/what-if", "Hosts by weight")):
            with self.subTest(view=address):
                window.open(served.page + address)
                window.wait_for_text(text, SLOW)
                window.run("window.stopped = performance.now()")
                process.send_signal(signal.SIGSTOP)
                try:
                    window.wait_until("return !document.querySelector('#silence').hidden", seconds=SLOW)
                    self.assertLess(window.run("return performance.now() - window.stopped"), 10_000)
                    said = window.run("return document.querySelector('#silence').innerText")
                    self.assertRegex(said, r"^No answer for \d+ s\. What stands below is \d+ s old\.$")
                    grey = "return getComputedStyle(document.querySelector('main')).filter"
                    self.assertEqual(window.run(grey), "grayscale(1)")
                    window.wait_until(f"return document.querySelector('#silence').innerText !== {said!r}", seconds=SLOW)
                    window.picture(PICTURES / f"hangs-{address[2:] or 'scheduler'}.png")
                finally:
                    process.send_signal(signal.SIGCONT)
                window.wait_until("return document.querySelector('#silence').hidden", seconds=SLOW)
                self.assertEqual(window.run(grey), "none")


if __name__ == "__main__":
    if browser.programs() is None:
        print("skipped: chromium and chromedriver are not installed; packaging/install-packages --page brings them")
        sys.exit(77)
    PICTURES.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
