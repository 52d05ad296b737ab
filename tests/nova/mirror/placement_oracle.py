#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the real placement random questions about random forests of providers, in process and on SQLite in memory.

    placement_oracle.py FIRST_SEED FORESTS QUESTIONS

Prints a line of JSON with the names of classes and traits, then for each seed a line with the providers and a line for
each question with placement's answer. After half of the questions a line names inventories of which other amounts are
used from there on. Equal arguments print equal lines. Exit status 77: python3-placement is not
installed.
"""

import functools
import json
import logging
import os
import random
import struct
import sys
import tempfile
import urllib.parse

try:
    import jsonschema
    import sqlalchemy
    import webob
    from oslo_config import cfg
    from placement import conf, db_api, deploy
    from placement.db.sqlalchemy import models
except ImportError:
    print("python3-placement is not installed: packaging/install-packages --nova", file=sys.stderr)
    sys.exit(77)

CLASSES = ["VCPU", "MEMORY_MB", "DISK_GB", "PCPU", "SRIOV_NET_VF", "CUSTOM_A", "CUSTOM_B"]
TRAITS = ["HW_CPU_X86_AVX2", "COMPUTE_NODE", "STORAGE_DISK_SSD", "CUSTOM_GOLD", "CUSTOM_RED", "CUSTOM_RARE"]
UNKNOWN_TRAIT = "CUSTOM_UNKNOWN"
SHARES = "MISC_SHARES_VIA_AGGREGATE"
TOTALS = [1, 2, 4, 8, 10, 16, 50, 100, 4096]
RATIOS = [1.0, 1.0, 1.0, 1.1, 1.3, 1.5, 16.0, 0.9, 0.5, 2.5, 0.1, 9.99, 1.7, 0.7, 1.3]


class SentFloat(sqlalchemy.types.TypeDecorator):
    """A FLOAT as MariaDB sends it: six digits, though it computes with all."""

    impl = sqlalchemy.Float
    cache_ok = True

    def process_result_value(self, value, dialect):
        return None if value is None else float(f"{value:.6g}")


def stored(ratio):
    """What four bytes hold of a ratio."""
    return struct.unpack("f", struct.pack("f", ratio))[0]


def provider_uuid(number):
    return f"00000000-0000-4000-8000-{number:012x}"


def aggregate_uuid(number):
    return f"a0000000-0000-4000-8000-{number:012x}"


class Forest:
    """Providers with inventories, usages, traits and aggregates."""

    def __init__(self, rng):
        self.rng = rng
        kind = rng.choices(["flat", "nested", "shared", "both"], [3, 3, 2, 3])[0]
        self.has_trees = kind in ("nested", "both")
        self.has_sharing = kind in ("shared", "both")
        self.aggregates = rng.randint(1, 4)
        self.has_short_floats = rng.random() < 0.5  # as in MariaDB
        self.plain = rng.random() < 0.6  # few limits, so that questions of many groups have answers
        self.has_devices = False
        self.providers = []
        for _ in range(rng.choice([1, 2, 3, 5, 8, 8, 12, 20, 40])):
            self.add_tree()
        if self.has_sharing:
            for _ in range(rng.randint(1, 3)):
                self.add_sharing()
        rng.shuffle(self.providers)
        self.number()

    def add_tree(self):
        root = self.add(None, self.some(["VCPU", "MEMORY_MB", "DISK_GB"], 0.92) + self.some(CLASSES, 0.15))
        if self.has_trees and self.rng.random() < 0.1:
            self.add_devices(root)
        if not self.has_trees or self.rng.random() < 0.3:
            return
        members = [root]
        for _ in range(self.rng.randint(1, 5)):
            members.append(self.add(self.rng.choice(members), self.some(CLASSES, 0.35)))

    def add_devices(self, root):
        """Providers of some devices each, as Nova reports PCI devices."""
        rng = self.rng
        self.has_devices = True
        for _ in range(rng.choice([4, 5, 5, 6])):
            total = rng.choice([1, 1, 1, 2, 8])
            self.add(root, [])["inventories"]["CUSTOM_B"] = {
                "total": total, "reserved": 0, "ratio": 1.0, "min": 1, "max": rng.choice([total, 2147483647]), "step": 1,
                "used": rng.choice([[], [], [], [1]])}

    def add_sharing(self):
        parent = None
        if self.has_trees and self.rng.random() < 0.25:
            parent = self.rng.choice(self.providers)
        sharing = self.add(parent, self.some(["DISK_GB"], 0.9) + self.some(CLASSES, 0.15))
        sharing["traits"].add(SHARES)
        if self.rng.random() < 0.9:
            sharing["aggregates"].add(self.rng.randrange(self.aggregates))

    def some(self, names, chance):
        return [name for name in names if self.rng.random() < chance]

    def add(self, parent, classes):
        rng = self.rng
        provider = {
            "parent": parent,
            "inventories": {name: self.inventory() for name in sorted(set(classes))},
            "traits": set(self.some(TRAITS[:-1], 0.4)),
            "aggregates": set(self.some(range(self.aggregates), 0.35)),
        }
        if rng.random() < 0.02:
            provider["traits"].add(TRAITS[-1])
        self.providers.append(provider)
        return provider

    def inventory(self):
        rng = self.rng
        if self.plain and rng.random() < 0.8:
            return {"total": rng.choice([8, 16, 100]), "reserved": 0, "ratio": rng.choice([1.0, 16.0]), "min": 1,
                    "max": 2147483647, "step": 1, "used": []}
        total = rng.choice(TOTALS)
        ratio = rng.choice(RATIOS)
        if rng.random() < 0.05:
            total, ratio = 1000, 1.001  # Python finds less room than the database
        reserved = rng.choice([0, 0, 0, 1, total // 2, total])
        reserved = min(reserved, total)
        capacity = int((total - reserved) * ratio)
        used = rng.choice([0, 0, 0, capacity - 1, capacity - 2, capacity, capacity // 2, capacity + 3])
        parts = []
        for _ in range(rng.randint(1, 3)):
            part = rng.randint(0, max(used, 0))
            parts.append(part)
            used -= part
        parts = [part for part in parts + [used] if part > 0]
        return {"total": total, "reserved": reserved, "ratio": ratio, "min": rng.choice([1, 1, 1, 1, 2, 3]),
                "max": rng.choice([total, total, 2147483647, 2147483647, 2147483647, 2]),
                "step": rng.choice([1, 1, 1, 1, 1, 2, 3]), "used": parts}

    def number(self):
        """Gives the providers ids and uuids; neither follows from the other or from the tree's shape."""
        ids = self.rng.sample(range(1, 3 * len(self.providers) + 1), len(self.providers))
        for provider, number in zip(self.providers, ids):
            provider["id"] = number
            provider["uuid"] = provider_uuid(self.rng.randrange(1 << 32) << 12 | number)
        for provider in self.providers:
            root = provider
            while root["parent"] is not None:
                root = root["parent"]
            provider["root"] = root


class Database:
    """Placement's tables in memory, and the names in them."""

    def __init__(self):
        models.Inventory.__table__.c.allocation_ratio.type = SentFloat()
        # Placement checks its own constant schemas and makes equal aliases of its tables at each request.
        jsonschema.validators.validator_for({}).check_schema = classmethod(lambda cls, schema: None)
        sqlalchemy.alias = functools.cache(sqlalchemy.alias)
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("[placement_database]\nconnection = sqlite://\nsync_on_startup = true\n"
                       "[api]\nauth_strategy = noauth2\n")
            file.flush()
            config = cfg.ConfigOpts()
            conf.register_opts(config)
            config([], default_config_files=[file.name])
        db_api.configure(config)
        self.app = deploy.loadapp(config)
        self.engine = db_api.get_placement_engine()
        with self.engine.begin() as connection:
            for table, names in ((models.Trait, [*TRAITS, SHARES]), (models.ResourceClass, CLASSES)):
                rows = table.__table__
                connection.execute(rows.delete().where(rows.c.name.notin_(names)))
                known = {row.name for row in connection.execute(rows.select())}
                for name in names:
                    if name not in known:
                        connection.execute(table.__table__.insert(), {"name": name})
            self.traits = {row.name: row.id for row in connection.execute(models.Trait.__table__.select())}
            self.classes = {row.name: row.id for row in connection.execute(models.ResourceClass.__table__.select())}

    def put(self, forest):
        rows = {table: [] for table in (models.ResourceProvider, models.Inventory, models.Allocation,
                                        models.ResourceProviderTrait, models.PlacementAggregate,
                                        models.ResourceProviderAggregate)}
        for number in range(forest.aggregates):
            rows[models.PlacementAggregate].append({"id": number + 1, "uuid": aggregate_uuid(number)})
        for provider in forest.providers:
            self.add_provider(provider, forest.has_short_floats, rows)
        with self.engine.begin() as connection:
            for table, values in rows.items():
                connection.execute(table.__table__.delete())
                if values:
                    connection.execute(table.__table__.insert(), values)

    def add_provider(self, provider, is_short, rows):
        own = provider["id"]
        rows[models.ResourceProvider].append({
            "id": own, "uuid": provider["uuid"], "name": provider["uuid"], "generation": 1,
            "root_provider_id": provider["root"]["id"],
            "parent_provider_id": provider["parent"]["id"] if provider["parent"] else None})
        for name, inventory in provider["inventories"].items():
            inventory["stored"] = stored(inventory["ratio"]) if is_short else inventory["ratio"]
            kind = {"resource_provider_id": own, "resource_class_id": self.classes[name]}
            rows[models.Inventory].append(kind | {
                "total": inventory["total"], "reserved": inventory["reserved"],
                "allocation_ratio": inventory["stored"],
                "min_unit": inventory["min"], "max_unit": inventory["max"], "step_size": inventory["step"]})
            for used in inventory["used"]:
                rows[models.Allocation].append(kind | {"consumer_id": provider_uuid(own), "used": used})
        for name in sorted(provider["traits"]):
            rows[models.ResourceProviderTrait].append({"trait_id": self.traits[name], "resource_provider_id": own})
        for number in sorted(provider["aggregates"]):
            rows[models.ResourceProviderAggregate].append({"aggregate_id": number + 1, "resource_provider_id": own})

    def change_use(self, forest, rng):
        """Changes what is used of some inventories, and returns the changes as the test reads them."""
        changes = []
        table = models.Allocation.__table__
        with self.engine.begin() as connection:
            for provider in rng.sample(forest.providers, min(3, len(forest.providers))):
                for name, inventory in provider["inventories"].items():
                    used = rng.choice([0, 1, int((inventory["total"] - inventory["reserved"]) * inventory["ratio"])])
                    inventory["used"] = [used] if used > 0 else []
                    kind = {"resource_provider_id": provider["id"], "resource_class_id": self.classes[name]}
                    connection.execute(table.delete().filter_by(**kind))
                    for amount in inventory["used"]:
                        connection.execute(table.insert(), kind | {"consumer_id": provider["uuid"], "used": amount})
                    changes.append([provider["id"], self.classes[name], sum(inventory["used"])])
        return changes

    def facts(self, forest):
        """The providers as the test reads them."""
        return [{
            "id": provider["id"], "uuid": provider["uuid"], "root": provider["root"]["id"],
            "parent": provider["parent"]["id"] if provider["parent"] else None,
            "inventories": [[self.classes[name], inventory["total"], inventory["reserved"], repr(inventory["ratio"]),
                             repr(inventory["stored"]), inventory["min"], inventory["max"], inventory["step"],
                             sum(inventory["used"])]
                            for name, inventory in provider["inventories"].items()],
            "traits": [self.traits[name] for name in sorted(provider["traits"])],
            "aggregates": [number + 1 for number in sorted(provider["aggregates"])],
        } for provider in forest.providers]

    def ask(self, query):
        request = webob.Request.blank("/allocation_candidates?" + query, headers={
            "x-auth-token": "admin", "openstack-api-version": "placement 1.36", "accept": "application/json"})
        response = request.get_response(self.app)
        answer = {"q": query, "status": response.status_int}
        if response.status_int == 200:
            body = json.loads(response.body)
            answer["requests"] = body["allocation_requests"]
            answer["summaries"] = sorted(body["provider_summaries"])
        return answer


class Questions:
    """Queries of GET /allocation_candidates, most of them as Nova writes them."""

    def __init__(self, rng, forest):
        self.rng = rng
        self.forest = forest

    def resources(self, names):
        rng = self.rng
        items = {}
        for name in rng.sample(names, min(len(names), rng.choice([1, 1, 2, 3]))):
            items[name] = self.edge(name) if rng.random() < 0.2 else rng.choice([1, 1, 1, 1, 1, 2, 2, 3, 4, 6, 10])
        if rng.random() < 0.01:
            items["CUSTOM_UNKNOWN"] = 1
        if rng.random() < 0.01:
            items[rng.choice(sorted(items))] = rng.choice([2147483647, 2147483648, 10 ** 15])
        listed = [f"{name}:{amount}" for name, amount in items.items()]
        return ",".join(sorted(listed) if rng.random() < 0.8 else listed)

    def edge(self, name):
        """An amount that some provider can just give, or half of it for two groups."""
        inventories = [provider["inventories"][name] for provider in self.forest.providers
                       if name in provider["inventories"]]
        if not inventories:
            return 1
        inventory = self.rng.choice(inventories)
        room = int((inventory["total"] - inventory["reserved"]) * inventory["ratio"]) - sum(inventory["used"])
        return max(1, self.rng.choice([room, room, room + 1, room // 2, (room + 1) // 2]))

    def traits(self):
        rng = self.rng
        names = rng.sample(TRAITS[:-1], rng.choice([1, 1, 2]))
        if rng.random() < 0.03:
            names.append(TRAITS[-1])
        if rng.random() < 0.03:
            names.append(UNKNOWN_TRAIT)
        if rng.random() < 0.02:
            names.append(SHARES)
        marked = [("!" if rng.random() < 0.4 else "") + name for name in names]
        if rng.random() < 0.01:
            marked.append("!" + marked[0])
        return ",".join(marked)

    def aggregates(self):
        rng = self.rng
        uuids = [aggregate_uuid(rng.randrange(self.forest.aggregates + (rng.random() < 0.1)))
                 for _ in range(rng.choice([1, 1, 2]))]
        return ("!" if rng.random() < 0.3 else "") + ("in:" if len(uuids) > 1 or rng.random() < 0.7 else "") + ",".join(
            sorted(uuids))

    def provider(self):
        if self.rng.random() < 0.05:
            return provider_uuid(7)
        return self.rng.choice(self.forest.providers)["uuid"]

    def group(self, suffix, names, query):
        rng = self.rng
        has_resources = rng.random() > (0.06 if suffix else 0.01)
        if has_resources:
            query.append(("resources" + suffix, self.resources(names)))
        if rng.random() < (0.18 if has_resources else 0.7):
            query.append(("required" + suffix, self.traits()))
        if rng.random() < 0.15:
            query.append(("member_of" + suffix, self.aggregates()))
            if rng.random() < 0.2:
                query.append(("member_of" + suffix, self.aggregates()))
        if rng.random() < (0.06 if has_resources else 0.2):
            query.append(("in_tree" + suffix, self.provider()))
        return has_resources

    def twins(self):
        """Two groups of one class, so that one provider may serve both."""
        rng = self.rng
        name = rng.choice(CLASSES)
        query = [(parameter, f"{name}:{self.edge(name)}") for parameter in rng.sample(
            ["resources", "resources1", "resources2"], 2)]
        query.append(("group_policy", rng.choice(["none", "none", "none", "isolate"])))
        return urllib.parse.urlencode(sorted(query))

    def devices(self):
        """Some groups of one device each, which equal providers can serve in many ways."""
        rng = self.rng
        query = [("group_policy", "none"), ("resources", "VCPU:1")]
        query += [(f"resources_device{number}", "CUSTOM_B:1") for number in range(rng.choice([2, 3, 3, 3, 4]))]
        if rng.random() < 0.2:
            query.append(("resources_other", "CUSTOM_A:1"))
        return urllib.parse.urlencode(sorted(query))

    def question(self):
        rng = self.rng
        if rng.random() < 0.06:
            return self.twins()
        if rng.random() < 0.25 * self.forest.has_devices:
            return self.devices()
        query = []
        suffixes = []
        if rng.random() < 0.5:
            suffixes = rng.sample(["1", "2", "_port-a", "_B"], rng.choice([1, 1, 2, 2, 3]))
        if not suffixes or rng.random() < 0.75:
            self.group("", ["VCPU", "MEMORY_MB", "DISK_GB"] if rng.random() < 0.8 else CLASSES, query)
        bare = [suffix for suffix in suffixes if not self.group(
            suffix, CLASSES if rng.random() < 0.7 else ["SRIOV_NET_VF", "CUSTOM_A", "DISK_GB"], query)]
        if rng.random() < (0.96 if len(suffixes) > 1 else 0.2):
            query.append(("group_policy", rng.choice(["none", "isolate"])))
        if rng.random() < 0.15:
            query.append(("root_required", self.traits()))
        if suffixes and rng.random() < (0.9 if bare else 0.25):
            named = sorted(set(bare + rng.sample(suffixes, rng.randint(1, len(suffixes)))))
            if rng.random() < 0.02:
                named.append("_absent")
            query.append(("same_subtree", ",".join(sorted(named))))
        if rng.random() < 0.3:
            query.append(("limit", "1000000"))
        if rng.random() < 0.015:
            query.append(rng.choice([("limit", "0"), ("resources", ""), ("group_policy", "other"), ("required", ""),
                                     ("resources", "VCPU:0"), ("color", "red"), ("required1", "in:CUSTOM_GOLD"),
                                     ("member_of", "here"), ("in_tree", "x"), ("resources", "VCPU")]))
        if rng.random() < 0.9:
            query.sort()
        else:
            rng.shuffle(query)
        return urllib.parse.urlencode(query)


def main():
    first, forests, questions = (int(word) for word in sys.argv[1:4])
    if "PYTHONHASHSEED" not in os.environ:  # placement's order depends on it
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-B", *sys.argv])
    logging.disable(logging.CRITICAL)
    database = Database()
    print(json.dumps({"classes": sorted((number, name) for name, number in database.classes.items()),
                      "traits": sorted((number, name) for name, number in database.traits.items())}))
    for seed in range(first, first + forests):
        rng = random.Random(seed)
        forest = Forest(rng)
        database.put(forest)
        print(json.dumps({"seed": seed, "providers": database.facts(forest),
                          "aggregates": [[number + 1, aggregate_uuid(number)] for number in range(forest.aggregates)]}))
        asked = Questions(rng, forest)
        for number in range(questions):
            if number == questions // 2:
                print(json.dumps({"used": database.change_use(forest, rng)}))
            print(json.dumps(database.ask(asked.question())))


if __name__ == "__main__":
    main()
