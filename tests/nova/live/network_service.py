# SPDX-License-Identifier: Apache-2.0
"""Stands in for Neutron: a deployment without networks and ports, and with the one extension without which Nova moves no
server to another cell. Argument: the port to listen on."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


EXTENSIONS = [{"alias": "binding-extended", "name": "Port Bindings Extended", "description": "", "updated": "", "links": []}]


class Nothing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        collection = self.path.partition("?")[0].rstrip("/").rpartition("/")[2].removesuffix(".json").replace("-", "_")
        content = json.dumps({collection: EXTENSIONS if collection == "extensions" else []}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_) -> None:
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Nothing).serve_forever()
