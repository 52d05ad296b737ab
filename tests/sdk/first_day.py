#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Goes from `gantry driver new` to a scheduled server as a new author does, with an installed Gantry alone: each language, a
driver, a filter and a weigher, and a wrong turn at each step, which must be answered by a sentence that says how to go on.

    first_day.py PREFIX [--only LANGUAGE] [--turns]    PREFIX is where Gantry was installed, /usr say
    first_day.py --install-from BUILD ...              installs that build first, for this run
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 200  # seconds until a command, or a condition, fails the walk
PROJECTS = [(language, kind) for language in ("c", "cpp", "rust") for kind in ("driver", "filter", "weigher")]
PROJECTS.append(("lua", "driver"))
MISTAKE = {"c": "static vod mistake;\n", "cpp": "static vod mistake;\n", "rust": "fn mistake() -> vod {}\n", "lua": "filter 'x' {\n"}
FLEET = '[[hosts]]\nname = "node{1..3}"\nvcpus = 8\nmemory_mb = 16384\nlocal_gb = 200\nstats = { rack = "r1", power_left_w = 900, inlet_celsius = 21.5 }\n'


class Site:
    """A directory with a configuration, a daemon and a simulated fleet, and the commands of one prefix."""

    def __init__(self, prefix, home):
        self.prefix, self.home, self.children = prefix, home, []
        places = [str(prefix / "bin"), str(prefix / "sbin"), str(Path.home() / ".cargo/bin"), "/usr/bin", "/bin"]
        self.environment = {"PATH": ":".join(places), "HOME": str(home), "GANTRY_CONFIG": str(home / "gantry.toml"),
                            "CARGO_HOME": str(Path.home() / ".cargo"), "RUSTUP_HOME": str(Path.home() / ".rustup"),
                            "LANG": "C.UTF-8"}
        (home / "drivers").mkdir()
        bundled = next(prefix.glob("lib*/**/gantry/drivers"))
        (home / "gantry.toml").write_text(
            f"driver_directories = ['{bundled}', '{home}/drivers']\nserver.socket = '{home}/socket'\nstore.path = '{home}/db'\n")
        self.environment["GANTRY_URL"] = f"unix://{home}/socket"
        (home / "fleet.toml").write_text(FLEET)

    def run(self, *words):
        return subprocess.run(words, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)

    def start(self, *words):
        log = open(self.home / f"{words[0]}.log", "w")
        self.children.append(subprocess.Popen(words, cwd=self.home, env=self.environment, stdout=log, stderr=log,
                                              start_new_session=True))

    def stop(self):
        for child in self.children:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def wait_for_hosts(self):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            ran = self.run("gantry", "-o", "json", "hosts-up", "compute")
            if ran.returncode == 0 and len(json.loads(ran.stdout)) == 3:
                return
            time.sleep(0.1)
        raise AssertionError("the hosts do not come up: " + ran.stderr)


class Walk:
    def __init__(self, site, language, kind):
        self.site, self.language, self.kind = site, language, kind
        self.name = f"our_{language}_{kind}"
        self.times, self.answers = {}, []

    def right(self, *words, code=0):
        began = time.monotonic()
        ran = self.site.run(*words)
        step = words[2] if words[:2] == ("gantry", "driver") else words[1]
        self.times[step] = self.times.get(step, 0) + time.monotonic() - began
        assert ran.returncode == code, f"{' '.join(words)}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def wrong(self, code, answer, *words):
        """The command ends with the code, and says what to do. `answer`: a regular expression."""
        ran = self.site.run(*words)
        said = ran.stderr + ran.stdout
        assert ran.returncode == code, f"{' '.join(words)}: expected exit {code}, found {ran.returncode}\n{said}"
        found = re.search(answer, said)
        assert found, f"{' '.join(words)}: expected {answer}, found\n{said}"
        line = next(line for line in said.splitlines() if found.group(0).splitlines()[0] in line)
        self.answers.append((" ".join(words), line))

    def source(self):
        project = self.site.home / self.name
        if self.language == "rust":
            return project / "src/lib.rs"
        ending = self.language
        return next(file for file in sorted(project.glob("*." + ending)) if "test" not in file.name)

    def new(self):
        chosen = ("--lang", self.language, "--kind", self.kind)
        self.wrong(2, "a letter, then letters", "gantry", "driver", "new", "1" + self.name, *chosen)
        self.wrong(2, "expected one of c, cpp, rust, lua", "gantry", "driver", "new", self.name, "--lang", "go")
        self.right("gantry", "driver", "new", self.name, *chosen)
        self.wrong(1, "name another directory", "gantry", "driver", "new", self.name, *chosen)

    def build(self):
        """Returns the file that is tested and installed."""
        if self.language == "lua":
            self.wrong(2, "needs no build.*`gantry driver dev` tries it", "gantry", "driver", "build", self.name)
            return f"{self.name}/{self.name}.lua"
        self.wrong(1, "found nothing of that name", "gantry", "driver", "build", self.name + "s")
        text = self.source().read_text()
        self.source().write_text(text + MISTAKE[self.language])
        self.wrong(1, re.escape(self.source().name) + r":\d+:", "gantry", "driver", "build", self.name)
        self.source().write_text(text)
        return json.loads(self.right("gantry", "driver", "build", self.name, "-o", "json"))[0]["path"]

    def judge(self, file):
        source = str(self.source().relative_to(self.site.home))
        if self.language == "lua":
            self.wrong(1, "expected a file that can be read", "gantry", "driver", "test", self.name + ".lua")
        else:
            self.wrong(78, "name the built .so file", "gantry", "driver", "test", source)
        self.wrong(2, "expected (one of|none)", "gantry", "driver", "test", file, "--option", "no_such=1")
        self.right("gantry", "driver", "test", file, "--grade", "gold")

    def develop(self):
        decider = "filter" if self.kind != "driver" else self.name
        self.wrong(78, "expected one of .*", "gantry", "driver", "dev", self.name, "--once", "--set", f"driver.{decider}.no_such=1")
        self.wrong(1, "nowhere.json: cannot be opened", "gantry", "driver", "dev", self.name, "--once", "--request", "nowhere.json")
        shown = self.right("gantry", "driver", "dev", self.name, "--once")
        assert "chosen" in shown, shown

    def install(self, file):
        if self.language == "lua":
            self.wrong(78, "gantry-lua.7. has how to configure it", "gantry", "driver", "install", file)
            return self.configure_policy(file)
        self.wrong(78, "expected a shared object, found a directory", "gantry", "driver", "install", self.name)
        if self.kind != "driver":
            self.wrong(1, 'set scheduler_driver = "filter" first', "gantry", "driver", "install", file, "--restart")
            (self.site.home / "conf.d").mkdir(exist_ok=True)
            (self.site.home / "conf.d/10-site.toml").write_text("scheduler_driver = 'filter'\n")
        self.right("gantry", "driver", "install", file, "--dry-run")
        self.right("gantry", "driver", "install", file, "--restart")
        if self.kind == "filter":
            self.enable_filters(file)

    def enable_filters(self, file):
        """As the project's README says: in `enabled_filters` of [driver.filter]."""
        facts = json.loads(self.right("gantry", "driver", "inspect", file, "-o", "json"))
        filters = [offer["name"] for offer in facts["offers"] if offer["kind"].startswith("gantry.filter/")]
        drop_in = self.site.home / "conf.d/95-enabled.toml"
        drop_in.write_text("[driver.filter]\nenabled_filters = ['RamFilter', 'NoSuchFilter']\n")
        self.wrong(78, "NoSuchFilter", "gantry", "config", "check")
        drop_in.write_text(f"[driver.filter]\nenabled_filters = {['ComputeFilter', 'RamFilter', *filters]}\n")
        self.right("gantry", "restart", "--wait")

    def configure_policy(self, file):
        (self.site.home / "conf.d").mkdir(exist_ok=True)
        drop_in = self.site.home / "conf.d/95-policy.toml"
        policy = self.site.home / file
        drop_in.write_text(f"scheduler_driver = '{self.name}'\n[driver.{self.name}]\nfile = 'lua.so'\npolicy = '{policy}'\n"
                           "fallback = 'simple'\n")
        text = policy.read_text()
        policy.write_text(text + MISTAKE["lua"])
        self.wrong(78, r"\.lua:\d+: ", "gantryd", "--check-config")
        policy.write_text(text)
        self.right("gantry", "restart", "--wait")

    def place(self):
        self.site.wait_for_hosts()
        server = self.name.replace("_", "-")
        self.wrong(2, "m1.tiny", "gantry", "server", "create", "--flavor", "m9.huge", server)
        self.wrong(3, "No valid host", "gantry", "server", "create", "--memory-mb", "999999", "--vcpus", "500", server + "-large")
        self.right("gantry", "server", "create", "--flavor", "m1.tiny", server)
        shown = json.loads(self.right("gantry", "server", "show", server, "-o", "json"))
        assert shown["host"].startswith("node"), shown
        explained = self.right("gantry", "select", "--flavor", "m1.tiny", "--explain")
        decider = "filter" if self.kind != "driver" else self.name
        assert f"driver {decider} " in explained, explained
        self.right("gantry", "server", "delete", server)

    def remove(self):
        if self.language != "lua":
            self.wrong(1, "has installed, found " + self.name, "gantry", "driver", "remove", self.name + "s")
            (self.site.home / "conf.d/95-enabled.toml").unlink(missing_ok=True)
            self.right("gantry", "driver", "remove", self.name, "--restart")
            return (self.site.home / "conf.d/10-site.toml").unlink(missing_ok=True)
        (self.site.home / "conf.d/95-policy.toml").unlink()
        self.right("gantry", "restart", "--wait")

    def whole(self):
        self.new()
        file = self.build()
        self.judge(file)
        self.develop()
        self.install(file)
        self.place()
        self.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix", type=Path, nargs="?", default=Path("/usr"))
    parser.add_argument("--install-from", type=Path, metavar="BUILD")
    parser.add_argument("--only", choices=sorted(MISTAKE), help="a language")
    parser.add_argument("--turns", action="store_true", help="prints each wrong turn with its answer")
    arguments = parser.parse_args()
    base = Path.home() / ".cache" / "gantry-tests"  # only this user may write there, as gantryd wants
    base.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(dir=base))
    if arguments.install_from:
        arguments.prefix = home / "prefix"
        subprocess.run(["cmake", "--install", arguments.install_from, "--prefix", arguments.prefix], check=True, capture_output=True)
    site = Site(arguments.prefix.resolve(), home)
    walks = [Walk(site, *project) for project in PROJECTS if arguments.only in (None, project[0])]
    if not shutil.which("cargo", path=site.environment["PATH"]):
        walks = [walk for walk in walks if walk.language != "rust"]
        print("rust is left out: there is no cargo")
    try:
        site.start("gantryd")
        site.start("gantry", "agent", "--simulate", "fleet.toml")
        site.wait_for_hosts()
        for walk in walks:
            walk.whole()
    finally:
        site.stop()
        shutil.rmtree(home)
    print("seconds that the commands take")
    for walk in walks:
        print(f"{walk.language:5} {walk.kind:8}",
              ", ".join(f"{step} {spent:.1f}" for step, spent in walk.times.items()),
              f"= {sum(walk.times.values()):.1f}")
    answers = dict(answer for walk in walks for answer in walk.answers)
    print(f"{len(answers)} wrong turns, each answered by what to do")
    if arguments.turns:
        for words, line in answers.items():
            print(f"  $ {words}\n  {line.replace(str(home), '~')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
