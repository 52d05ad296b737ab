# SPDX-License-Identifier: Apache-2.0
"""The services' REST interfaces, as a client of theirs uses them."""

import json
import threading
import time
import urllib.error
import urllib.request

from home import SECRET, Home


class Refused(Exception):
    """An answer other than success. `text` is the service's own."""

    def __init__(self, status: int, text: str):
        super().__init__(f"{status}: {text}")
        self.status = status
        self.text = text


def request(method: str, url: str, headers: dict[str, str], body=None, timeout: float = 60):
    """Returns the answer's headers and document."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    kind = {"Content-Type": "application/octet-stream" if isinstance(body, bytes) else "application/json"}
    ask = urllib.request.Request(url, data, {**kind, "Accept": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(ask, timeout=timeout) as answer:
            content = answer.read()
            return answer.headers, json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        raise Refused(error.code, _reason(error.read().decode(errors="replace"))) from None


def _reason(text: str) -> str:
    """The sentence for the user in a service's document of an error."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    if isinstance(document, dict):
        for value in document.values():
            if isinstance(value, dict) and "message" in value:
                return value["message"]
            if isinstance(value, list) and value and isinstance(value[0], dict):
                return value[0].get("detail", text)
    return text


class Cloud:
    """One user in one project."""

    def __init__(self, home: Home, project: str = "admin"):
        self._home = home
        self._project = project
        self._token = ""
        self._renewal = 0.0
        self._lock = threading.Lock()
        self.project_id = ""

    def token(self) -> str:
        with self._lock:
            if time.monotonic() >= self._renewal:
                domain = {"name": "Default"}
                headers, document = request("POST", self._home.url("keystone") + "/v3/auth/tokens", {}, {"auth": {
                    "identity": {"methods": ["password"],
                                 "password": {"user": {"name": "admin", "domain": domain, "password": SECRET}}},
                    "scope": {"project": {"name": self._project, "domain": domain}},
                }})
                self._token = headers["X-Subject-Token"]
                self._renewal = time.monotonic() + 3600
                self.project_id = document["token"]["project"]["id"]
            return self._token

    def _ask(self, service: str, version: dict[str, str], method: str, path: str, body=None):
        return request(method, self._home.url(service) + path, {"X-Auth-Token": self.token(), **version}, body)[1]

    def nova(self, method: str, path: str, body=None):
        return self._ask("nova-api", {"OpenStack-API-Version": "compute 2.93"}, method, "/v2.1" + path, body)

    def placement(self, method: str, path: str, body=None):
        return self._ask("placement", {"OpenStack-API-Version": "placement 1.36"}, method, path, body)

    def glance(self, method: str, path: str, body=None):
        return self._ask("glance", {}, method, path, body)

    def keystone(self, method: str, path: str, body=None):
        return self._ask("keystone", {}, method, path, body)

    def answers(self, service: str, path: str = "/") -> bool:
        try:
            request("GET", self._home.url(service) + path, {}, timeout=5)
            return True
        except Refused as refusal:
            return refusal.status < 500
        except (OSError, ValueError):
            return False
