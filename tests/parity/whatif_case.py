#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a recorded decision as a fleet and a request for `gantry whatif`: whatif_case.py FILE FOLDER [--most N].

FILE holds recorded decisions, one JSON object a line. For each of the first N (10) that has hosts and a request,
FOLDER gets ID.fleet.json and ID.request.json, and the command that decides on them is printed. What no compute node can
report (a cpu_info that is no JSON, an instance on two hosts) is left out.
"""
import argparse
import json
import pathlib
import shlex


def unmarked(value):
    """Without the marks of Nova's objects, sets and times."""
    if isinstance(value, list):
        return [unmarked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and next(iter(value)) in ("_set", "_datetime", "_float"):
        return next(iter(value.values()))
    return {key: unmarked(item) for key, item in value.items() if key != "_object"}


def compute_node(host):
    """What a compute node reports for its host state to be this one."""
    same = ("uuid", "host_ip", "hypervisor_type", "hypervisor_version", "cpu_info", "supported_instances", "vcpus_used",
            "free_ram_mb", "cpu_allocation_ratio", "ram_allocation_ratio", "disk_allocation_ratio")
    node = {name: host.get(name) for name in same}
    node |= {"vcpus": host["vcpus_total"], "memory_mb": host["total_usable_ram_mb"],
             "memory_mb_used": host["total_usable_ram_mb"] - host["free_ram_mb"],
             "local_gb": host["total_usable_disk_gb"], "local_gb_used": host["disk_mb_used"] / 1024,
             "free_disk_gb": host["free_disk_mb"] / 1024, "numa_topology": host.get("numa_topology_wire"),
             "stats": unmarked(host.get("stats") or {})}
    node["stats"] |= {"num_instances": host["num_instances"], "io_workload": host["num_io_ops"],
                      "failed_builds": host["failed_builds"], "cell_uuid": host["cell_uuid"]}
    if host.get("pci_stats"):
        node["pci_stats"] = host["pci_stats"]["pools"]
    if host.get("metrics"):
        node["metrics"] = {item["name"]: item.get("value") for item in host["metrics"]["objects"]}
    if not is_document(node["cpu_info"]):
        del node["cpu_info"]
    return {name: value for name, value in node.items() if value is not None}


def image_of(instance):
    """The image properties in the system metadata of an instance."""
    found = instance.get("system_metadata", {}).items()
    return {key[len("image_"):]: value for key, value in found if key.startswith("image_")}


def is_document(text):
    try:
        return isinstance(json.loads(text), (dict, list))
    except (TypeError, ValueError):
        return False


def fleet(case, hosts):
    up = case.get("service_up", True)
    up = up if isinstance(up, list) else [up] * len(hosts)
    document = {"format": "gantry-fleet/1", "note": f"{case['kind']} {case['id']}", "hosts": [], "aggregates": []}
    served, placed = set(), set()
    for host, is_up in zip(hosts, up):
        entry = {"host": host["host"], "node": host["nodename"], "compute_node": compute_node(host)}
        if host["host"] not in served:
            served.add(host["host"])
            entry["service"] = {"state": "up" if is_up else "down",
                                "disabled": bool(host.get("service", {}).get("disabled"))}
        entry["instances"] = [{"uuid": one["uuid"], "image_properties": image_of(one)} for one in host["instances"] if one["uuid"] not in placed]
        placed.update(one["uuid"] for one in host["instances"])
        document["hosts"].append(entry)
        for aggregate in host["aggregates"]:
            number = len(document["aggregates"]) + 1
            document["aggregates"].append({"id": number, "name": f"{aggregate.get('name')}-{number}",
                                           "metadata": aggregate["metadata"], "hosts": [host["host"]]})
    return document


def settings(case):
    """The options of the case as they are called in [driver.filter]."""
    chosen = {"ignore_placement_requirements": True}
    for name, value in case["config"].items():
        group, _, option = name.partition(".")
        if group in ("filter_scheduler", "compute", "metrics"):
            chosen["metrics_" + option if group == "metrics" else option] = value
    if "metrics_weight_setting" in chosen:
        chosen["metrics_weight_setting"] = [item for item in chosen["metrics_weight_setting"] if readable(item)]
    chosen["enabled_filters"] = [case["filter"]] if "filter" in case else case.get("filters", [])
    chosen["weight_classes"] = [case["weigher"]] if "weigher" in case else [
        weigher["name"] for weigher in case.get("weighers", [])]
    return chosen


def readable(setting):
    name, _, ratio = setting.partition("=")
    try:
        return bool(name) and float(ratio) is not None
    except ValueError:
        return False


def write(case, folder):
    hosts = case.get("hosts") or ([case["host"]] if "host" in case else [])
    if not hosts or not case.get("spec") or "wire" in case:
        return None
    paths = [folder / f"{case['id']}.fleet.json", folder / f"{case['id']}.request.json"]
    request = unmarked(case["spec"])
    if case.get("instance_uuids"):
        request["instance_uuids"] = case["instance_uuids"]
    for path, document in zip(paths, (fleet(case, hosts), request)):
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    chosen = {"compatibility": case.get("release", "zed"), **settings(case)}
    options = [f"--set driver.filter.{name}=" + shlex.quote(json.dumps(value)) for name, value in chosen.items()]
    return " ".join(["gantry whatif --driver filter --set scheduler_driver=filter --fleet", str(paths[0]), "--request", str(paths[1])] + options)


def main():
    parser = argparse.ArgumentParser(description="Recorded decisions as fleets and requests for gantry whatif.")
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    written = 0
    with given.file.open(encoding="utf-8") as lines:
        for line in lines:
            command = write(json.loads(line), given.folder)
            if command is not None:
                print(command)
                written += 1
            if written == given.most:
                break


if __name__ == "__main__":
    main()
