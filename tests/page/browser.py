# SPDX-License-Identifier: Apache-2.0
"""Debian's headless Chromium, driven over WebDriver by the standard library alone."""

import base64
import http.client
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
         "--hide-scrollbars"]
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Right": "\ue014", "Down": "\ue015", "End": "\ue010", "Home": "\ue011"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def programs():
    """The browser and its driver; None where one is missing."""
    found = shutil.which("chromium"), shutil.which("chromedriver")
    return found if all(found) else None


class Browser:
    def __init__(self):
        chromium, chromedriver = programs()
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen([chromedriver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = self._announced_port()
        options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={self.profile}", "--window-size=1280,900"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.session = "/session/" + self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.ask("POST", "/timeouts", {"script": 120000})

    def _announced_port(self):
        for line in self.process.stdout:
            words = line.decode()
            if "successfully on port " in words:
                return int("".join(each for each in words.split("on port ")[1] if each.isdigit()))
        raise RuntimeError("chromedriver ended without a port")

    def _ask(self, verb, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        try:
            connection.request(verb, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{value['error']}: {value['message'][:800]}")
        return value

    def ask(self, verb, path, body=None):
        return self._ask(verb, self.session + path, body)

    def open(self, url):
        """A page of its own, without what the one before has kept in memory."""
        self.ask("POST", "/url", {"url": "about:blank"})
        self.ask("POST", "/url", {"url": url})

    def run(self, script, *args):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(args)})

    def run_and_wait(self, script, *args):
        """A script whose last argument is what it calls at its end."""
        return self.ask("POST", "/execute/async", {"script": script, "args": list(args)})

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def wait_until(self, script, *args, seconds=30):
        """Waits for what a script returns to be true, and returns it."""
        until = time.monotonic() + seconds
        while True:
            found = self.run(script, *args)
            if found:
                return found
            if time.monotonic() > until:
                shown = self.run("return document.body.innerText.slice(0, 2000)")
                raise AssertionError(f"waited {seconds} s in vain for: {script} {args}\nthe page shows:\n{shown}")
            time.sleep(0.05)

    def wait_for_text(self, text, seconds=30):
        self.wait_until("return document.body.innerText.includes(arguments[0])", text, seconds=seconds)

    def find(self, css):
        return self.ask("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.ask("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        self.ask("POST", f"/element/{self.find(css)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys as a keyboard does: where the focus is."""
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def colours(self, scheme, motion="no-preference"):
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.devtools("Emulation.setEmulatedMedia", features=features)

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=width < 500)

    def picture(self, file, whole=False):
        """Writes a PNG of what is in sight, or of the whole page."""
        more = {}
        if whole:
            size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000), "scale": 1}
            more = {"captureBeyondViewport": True, "clip": clip}
        data = self.devtools("Page.captureScreenshot", format="png", **more)["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the browser has complained of since the last look: errors, and what the page's policy has stopped."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def requested(self):
        """The addresses that were asked for since the last look."""
        events = [json.loads(entry["message"])["message"] for entry in self.ask("POST", "/se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(30)
            self.process.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)
