#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the real placement on loopback, without Keystone. DATABASE is a file of SQLite, or a URL of SQLAlchemy.

    serve_placement.py DATABASE PORT [--lose-answer-of NUMBER]

PORT 0: any. Prints the port as soon as it serves. Exit status 77: python3-placement is not installed.
--lose-answer-of: the connection of the claim of that number, counted from 1, ends after placement has done it.
"""

import logging
import pathlib
import shutil
import sys
import tempfile
from socketserver import ThreadingMixIn
from wsgiref import simple_server

try:
    from oslo_config import cfg
    from placement import conf, db_api, deploy
except ImportError:
    print("python3-placement is not installed: packaging/install-packages --nova", file=sys.stderr)
    sys.exit(77)


class Server(ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class Handler(simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


def load(database):
    is_url = "://" in database
    file = pathlib.Path(tempfile.mkdtemp()) / "placement.conf" if is_url else pathlib.Path(f"{database}.conf")
    connection = database if is_url else f"sqlite:///{database}"
    file.write_text(f"""[placement_database]
connection = {connection}
sync_on_startup = true
[api]
auth_strategy = noauth2
""")
    config = cfg.ConfigOpts()
    conf.register_opts(config)
    config([], default_config_files=[str(file)])
    if is_url:
        shutil.rmtree(file.parent)
    db_api.configure(config)
    return deploy.loadapp(config)


def losing(app, number):
    claims = 0

    def application(environ, start_response):
        nonlocal claims
        is_claim = environ["REQUEST_METHOD"] in ("PUT", "POST") and environ["PATH_INFO"].startswith("/allocations")
        claims += is_claim
        lost = is_claim and claims == number
        answer = app(environ, start_response)
        if lost:
            list(answer)
            raise ConnectionAbortedError("the answer is lost, as the test asks")
        return answer

    return application


def main():
    database, port = sys.argv[1], int(sys.argv[2])
    logging.disable(logging.CRITICAL)
    app = load(database)
    if "--lose-answer-of" in sys.argv:
        app = losing(app, int(sys.argv[sys.argv.index("--lose-answer-of") + 1]))
    server = simple_server.make_server("127.0.0.1", port, app, Server, Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
