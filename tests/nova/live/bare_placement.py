# SPDX-License-Identifier: Apache-2.0
"""Placement's API with nothing between: what a claim costs without any scheduler."""

import http.client
import json
import urllib.parse


class BarePlacement:
    def __init__(self, endpoint: str, token: str):
        self._address = urllib.parse.urlsplit(endpoint).netloc
        self._headers = {"X-Auth-Token": token, "OpenStack-API-Version": "placement 1.36", "Content-Type": "application/json",
                         "Accept": "application/json"}

    def call(self, method: str, path: str, body: dict | None = None) -> int:
        """The status of the answer, which is read to its end."""
        connection = http.client.HTTPConnection(self._address, timeout=60)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode(), self._headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    def put(self, consumer: str, claim: str) -> int:
        return self.call("PUT", f"/allocations/{consumer}", claim_body(claim))

    def post(self, claims: dict[str, str]) -> int:
        return self.call("POST", "/allocations", {consumer: claim_body(claim) for consumer, claim in claims.items()})

    def delete(self, consumer: str) -> int:
        return self.call("DELETE", f"/allocations/{consumer}")


def claim_body(claim: str) -> dict:
    """The allocation request of a Selection as the claim of a new consumer."""
    return {**json.loads(claim), "project_id": "admin", "user_id": "admin", "consumer_generation": None}
