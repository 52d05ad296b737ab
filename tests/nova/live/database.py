# SPDX-License-Identifier: Apache-2.0
"""The database server, and dumps of all that a scenario can change."""

import os
import subprocess
import time

import pymysql

from home import PORTS, SECRET, Home
from processes import Process, await_condition, run

# What a dump holds. Users and images are made once and stay.
CHANGING = ("nova_api", "nova", "nova_cell0", "nova_cell2", "placement")
FIXED = ("keystone", "glance")
KEPT_TABLES = ("alembic_version", "migrate_version")


class Database:
    def __init__(self, home: Home):
        self.home = home
        data = home.file("state", "mariadb")
        self.socket = home.file("state", "mariadb.sock")
        # Of its own: at its start a server removes the temporary tables of others in the same folder, and these crash.
        temporary = home.file("state", "mariadb-temporary")
        self.process = Process(home, "mariadb", [
            "/usr/sbin/mariadbd", "--no-defaults", f"--datadir={data}", f"--socket={self.socket}", f"--tmpdir={temporary}",
            "--bind-address=127.0.0.1", f"--port={PORTS['database']}", "--user=root", "--max-connections=500",
            "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=512M", "--max-allowed-packet=128M",
            "--character-set-server=utf8mb3", "--skip-name-resolve",
        ])
        self._data = data
        self._temporary = temporary

    def start(self) -> None:
        if not self._data.exists():
            run(self.home, "setup.log", "mariadb-install-db", "--no-defaults", f"--datadir={self._data}", "--user=root",
                "--auth-root-authentication-method=normal", "--skip-test-db")
        self._temporary.mkdir(exist_ok=True)
        self.process.start()
        await_condition("MariaDB answers", self._answers, process=self.process)
        with self.connect("root") as connection, connection.cursor() as cursor:
            for name in (*CHANGING, *FIXED):
                cursor.execute(f"create database if not exists {name}")
            cursor.execute(f"create user if not exists nova@'127.0.0.1' identified by '{SECRET}'")
            cursor.execute("grant all on *.* to nova@'127.0.0.1'")

    def _answers(self) -> bool:
        try:
            self.connect("root").close()
            return True
        except pymysql.MySQLError:
            return False

    def connect(self, user: str = "nova") -> pymysql.Connection:
        if user == "root":
            return pymysql.connect(unix_socket=str(self.socket), user="root", autocommit=True)
        return pymysql.connect(host="127.0.0.1", port=PORTS["database"], user=user, password=SECRET, autocommit=True)

    def rows(self, query: str, *arguments) -> list[tuple]:
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute(query, arguments)
            return list(cursor.fetchall())

    def write(self, query: str, *arguments) -> None:
        self.rows(query, *arguments)

    # ---- dumps

    def _dump_file(self, name: str):
        return self.home.file("dumps", f"{name}.sql")

    def has_dump(self, name: str) -> bool:
        return self._dump_file(name).exists()

    def dump(self, name: str) -> None:
        part = self.home.file("dumps", f"{name}.part")
        ignored = [f"--ignore-table={base}.{table}" for base in CHANGING for table in KEPT_TABLES]
        with part.open("wb") as file:
            subprocess.run(
                ["mariadb-dump", "--no-defaults", f"--socket={self.socket}", "--user=root", "--no-create-info", "--no-create-db",
                 "--skip-triggers", "--single-transaction", "--hex-blob", *ignored, "--databases", *CHANGING],
                stdout=file, check=True,
            )
        os.replace(part, self._dump_file(name))

    def restore(self, name: str) -> None:
        """Puts back what the dump holds, in place of what there is. Services that write meanwhile must be stopped."""
        began = time.monotonic()
        with self.connect("root") as connection, connection.cursor() as cursor:
            cursor.execute("set foreign_key_checks = 0")
            cursor.execute("select table_schema, table_name from information_schema.tables where table_type = 'BASE TABLE' and "
                           f"table_schema in ({', '.join(['%s'] * len(CHANGING))})", CHANGING)
            for base, table in cursor.fetchall():
                if table not in KEPT_TABLES:
                    cursor.execute(f"delete from `{base}`.`{table}`")
        with self._dump_file(name).open("rb") as file:
            subprocess.run(["mariadb", "--no-defaults", f"--socket={self.socket}", "--user=root"], stdin=file, check=True)
        self.last_restore_seconds = time.monotonic() - began
