#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads random nova.conf files of a deployment with Nova's own libraries and with `gantry config show`, and compares.

    nova_deployment.py GANTRY [--cases 300] [--seed N]

Needs python3-nova (Zed). Each case sets options of the broker, of the question for placement and of the logins, under
their names in Zed and the older ones that Zed still reads, in one to three files. Where Nova refuses a value, Gantry has
to refuse the files; otherwise each option has to have Nova's value, set or not. Exit status 1: a case differs; its files
are kept. 77: Nova 26 is not installed.
"""

import argparse
import json
import logging
import pathlib
import random
import subprocess
import sys
import tempfile
import tomllib

try:
    import nova.conf.scheduler
    import nova.conf.service
    import nova.conf.utils
    import nova.conf.workarounds
    from keystoneauth1 import loading
    from nova.version import version_string
    from oslo_config import cfg
    from oslo_messaging import transport
    from oslo_messaging._drivers import amqp, impl_rabbit
    from oslo_messaging.rpc import dispatcher
except ImportError as problem:
    print("expected python3-nova: %s" % problem, file=sys.stderr)
    sys.exit(77)

BASE = """[DEFAULT]
transport_url = rabbit://nova:hidden@127.0.0.1/
one = 1
[database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova
[api_database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova_api
[placement]
auth_type = password
auth_url = http://127.0.0.1:5000
username = placement
password = hidden
[neutron]
auth_url = http://127.0.0.1:5000
"""
# Values that the two take differently on purpose: what Gantry cannot serve, secrets, bounds that Nova does not have.
LEFT_OUT = {"auth_type", "password", "timeout", "rabbit_ha_queues", "workers", "max_attempts",
            "heartbeat_timeout_threshold"}
# An empty number is none: Gantry takes the default then, and shows 0 for no bound.
NO_BOUND = "max_placement_results"
# What Gantry asks of a login, and Nova of Keystone.
NEEDED = {"auth_url", "username"}


def services():
    login = [o for o in loading.get_auth_plugin_conf_options("password") if not o.dest.startswith("default_domain")]
    service = loading.get_session_conf_options() + nova.conf.utils.get_ksa_adapter_opts("")
    return login + service


def known_options():
    yield from (("oslo_messaging_rabbit", o) for o in impl_rabbit.rabbit_opts + amqp.amqp_opts)
    yield from (("scheduler", o) for o in nova.conf.scheduler.scheduler_opts)
    yield from (("workarounds", o) for o in nova.conf.workarounds.ALL_OPTS)
    yield from (("DEFAULT", o) for o in nova.conf.service.service_opts)
    yield from (("DEFAULT", o) for o in transport._transport_opts + dispatcher._dispatcher_opts)
    for section in ("placement", "neutron"):
        yield from ((section, o) for o in services())


def gantry_shows(gantry, files):
    named = "nova.config_files=" + json.dumps([str(f) for f in files])
    zed = "driver.filter.compatibility=zed"
    ran = subprocess.run([gantry, "--config", "/dev/null", "-o", "json", "--set", named, "--set", zed, "config", "show"],
                         capture_output=True)
    if ran.returncode == 78:
        return None
    if ran.returncode != 0:
        raise SystemExit("exit status %d: %s" % (ran.returncode, ran.stderr.decode()))
    rows = json.loads(ran.stdout)
    return {r["key"]: tomllib.loads("v = " + r["value"])["v"] for r in rows if r["key"].startswith("[")}


def nova_reads(files, options):
    conf = cfg.ConfigOpts()
    values = {}
    try:
        for section, option in options:
            conf.register_opt(option, group=None if section == "DEFAULT" else section)
        conf.register_opt(cfg.StrOpt("one"))
        conf([], default_config_files=[str(f) for f in files], default_config_dirs=[])
        for section, option in options:
            value = conf[option.dest] if section == "DEFAULT" else conf[section][option.dest]
            location = conf.get_location(option.dest, None if section == "DEFAULT" else section)
            is_set = location is not None and location.location == cfg.Locations.user
            if is_set and value is None and not isinstance(option, (cfg.StrOpt, cfg.ListOpt)):
                value = 0 if option.dest == NO_BOUND else option.default
            values["[%s] %s" % (section, option.dest)] = "" if value is None else value
        return values
    except (cfg.Error, ValueError):
        return None


def random_value(rng, option):
    if rng.random() < 0.02:
        return rng.choice(["", "x", "1.5", "yes", "$one", "$nothing", "a,b", "'", "$$one"])
    if isinstance(option, cfg.BoolOpt):
        return rng.choice(["true", "False", "YES", "no", "1", "0", "on", "oFF"])
    if isinstance(option, cfg.IntOpt):
        return rng.choice(["1", "7", "+3", "1_000", "007", "50", "$one"])
    if isinstance(option, cfg.ListOpt):
        return rng.choice(["a", "a,b", "a, b ,c", "a,b,", "admin,\n  public"])
    if option.dest == "rabbit_login_method":
        return rng.choice(["PLAIN", "AMQPLAIN", "EXTERNAL", "plain"])
    return rng.choice(["os", "a b", "a=b", "#x", "http://h:1/p?q", "'quoted'", "\u00e4", "$one/$one", "a$$b"])


def names_of(section, option):
    yield section, option.dest
    for older in option.deprecated_opts:
        if older.name or older.group:
            yield older.group or section, (older.name or option.dest).replace("-", "_")


def random_file(rng, options):
    lines = []
    for _ in range(rng.randint(0, 15)):
        section, option = rng.choice(options)
        section, name = rng.choice(list(names_of(section, option)))
        lines += ["[%s]" % section, name + " = " + random_value(rng, option)]
    return "\n".join(lines) + "\n"


def difference(by_nova, by_gantry):
    if by_nova is None or by_gantry is None:
        return None if by_nova is by_gantry else "only %s refuses them" % ("Nova" if by_nova is None else "Gantry")
    for name, theirs in by_nova.items():
        ours = by_gantry[name]
        if ours != theirs or type(ours) is not type(theirs):
            return "%s: Nova %r, Gantry %r" % (name, theirs, ours)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gantry")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    if not version_string().startswith("26."):
        print("expected Nova 26, found %s" % version_string(), file=sys.stderr)
        return 77
    logging.disable()  # of names that are deprecated
    rng = random.Random(arguments.seed)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="gantry-nova-deployment-"))
    transport.set_transport_defaults("nova")
    base = directory / "0.conf"
    base.write_text(BASE)
    shown = gantry_shows(arguments.gantry, [base])
    options = [(s, o) for s, o in known_options() if "[%s] %s" % (s, o.dest) in shown and o.dest not in LEFT_OUT]
    random_options = [(s, o) for s, o in options if o.dest not in NEEDED]
    refused = 0
    for case in range(arguments.cases):
        files = [base] + [directory / ("%d.conf" % number) for number in range(1, rng.randint(2, 4))]
        for file in files[1:]:
            file.write_text(random_file(rng, random_options))
        by_nova = nova_reads(files, options)
        fault = difference(by_nova, gantry_shows(arguments.gantry, files))
        if fault:
            print("case %d of seed %d, files %s: %s" % (case, arguments.seed, " ".join(map(str, files)), fault))
            return 1
        refused += by_nova is None
    for file in directory.iterdir():
        file.unlink()
    directory.rmdir()
    print("%d cases of %d options agree, %d of them refused by both; seed %d"
          % (arguments.cases, len(options), refused, arguments.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
