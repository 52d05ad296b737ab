// SPDX-License-Identifier: Apache-2.0
// The fleet: zones, states, how full each host is, and how many more of a flavor fit.
import { allHosts, call, callIfKnown } from "./api.js";
import { bar } from "./bars.js";
import { empty, field, fill, h, panel, select, settled, waiting } from "./dom.js";
import { asked, flavorForm, flavorsOf, keepFlavors, ownFlavors } from "./flavors.js";
import { count, gigabytes, hostLink, mebibytes, percent, plural, state } from "./formats.js";
import { fullness, resources } from "./fullness.js";
import { Field, pictureTable, pointedWords, scaleLegend } from "./picture.js";
import { Table, plainTable } from "./table.js";

const most = 10_000; // hosts that are drawn

function byZone(rows) {
  const zones = new Map();
  for (const row of rows) {
    if (!zones.has(row.availability_zone)) zones.set(row.availability_zone, []);
    zones.get(row.availability_zone).push(row);
  }
  return [...zones].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
}

function openHost(row) {
  const node =
    row.hypervisor_hostname && row.hypervisor_hostname !== row.host
      ? `/${encodeURIComponent(row.hypervisor_hostname)}`
      : "";
  location.hash = `#/hosts/${encodeURIComponent(row.host)}${node}`;
}

function percentCell(resource) {
  return {
    key: resource,
    title: resources[resource].title,
    number: true,
    wide: resource !== "memory",
    value: (row) => fullness(row, resource),
    cell: (row) => percent(fullness(row, resource)),
  };
}

function hostTable() {
  return new Table(
    "Hosts",
    [
      {
        key: "host",
        title: "Host",
        value: (row) => row.host,
        cell: (row) => hostLink(row.host, row.hypervisor_hostname),
        hint: (row) => row.host,
      },
      { key: "state", title: "State", value: (row) => row.state, cell: (row) => state(row.state) },
      {
        key: "zone",
        title: "Zone",
        wide: true,
        value: (row) => row.availability_zone,
        cell: (row) => row.availability_zone,
      },
      percentCell("memory"),
      percentCell("vcpus"),
      percentCell("disk"),
      {
        key: "servers",
        title: "Servers",
        number: true,
        wide: true,
        value: (row) => row.running_vms ?? row.instances.length,
        cell: (row) => count(row.running_vms ?? row.instances.length),
      },
    ],
    { sort: "memory", down: true },
  );
}

function zoneTable(zones) {
  const used = (rows, resource) => {
    const known = rows.filter((row) => row.state === "up");
    const limit = known.reduce(
      (sum, row) => sum + (row[resources[resource].total] ?? 0) * (row[resources[resource].ratio] || 1),
      0,
    );
    const taken = known.reduce((sum, row) => sum + (row[resources[resource].used] ?? 0), 0);
    return limit > 0 ? taken / limit : NaN;
  };
  const cell =
    (resource) =>
    ([, rows]) =>
      h("span", null, percent(used(rows, resource)), bar(used(rows, resource)));
  const counted =
    (wanted) =>
    ([, rows]) =>
      count(rows.filter((row) => wanted.includes(row.state)).length);
  return plainTable(
    "Zones",
    [
      { title: "Zone", cell: ([name]) => name },
      { title: "Hosts", number: true, cell: ([, rows]) => count(rows.length) },
      { title: "Up", number: true, cell: counted(["up"]) },
      { title: "Down", number: true, wide: true, cell: counted(["down", "forced_down"]) },
      { title: "Disabled", number: true, wide: true, cell: counted(["disabled"]) },
      { title: "Memory", cell: cell("memory") },
      { title: "vCPUs", wide: true, cell: cell("vcpus") },
      { title: "Disk", wide: true, cell: cell("disk") },
    ],
    zones,
  );
}

function capacityTable(answer, flavors, remove) {
  const sizes = new Map(flavors.map((flavor) => [flavor.name, flavor]));
  const zones = [...new Set(answer.flavors.flatMap((each) => (each.groups ?? []).map((group) => group.name)))].slice(
    0,
    8,
  );
  const number = (room) => (room?.unbounded ? "no limit" : count(room?.count ?? 0));
  const inZone = (zone) => (row) => number(row.groups?.find((group) => group.name === zone));
  const size = ({ name }) => {
    const flavor = sizes.get(name);
    return flavor ? `${flavor.vcpus} vCPU, ${mebibytes(flavor.memory_mb)}, ${gigabytes(flavor.root_gb)}` : "–";
  };
  return plainTable(
    "How many more fit",
    [
      { title: "Flavor", cell: (row) => row.name },
      { title: "Size", wide: true, cell: size },
      {
        title: "More fit",
        number: true,
        cell: (row) => h("strong", { class: row.count || row.unbounded ? null : "fall" }, number(row)),
      },
      { title: "On hosts", number: true, cell: (row) => count(row.hosts) },
      ...zones.map((zone) => ({ title: zone || "no zone", number: true, wide: true, cell: inZone(zone) })),
      {
        spoken: "Leave out",
        cell: (row) =>
          h(
            "button",
            {
              type: "button",
              class: "link",
              "data-key": `remove ${row.name}`,
              "aria-label": `Leave out ${row.name}`,
              title: "Leave out",
              on: { click: () => remove(row.name) },
            },
            "×",
          ),
      },
    ],
    answer.flavors,
  );
}

// What fits: its own part, since it asks anew when the flavors change.
function capacityPart(live) {
  const body = h("div", null, waiting());
  let flavors = ownFlavors();
  let seen = null;
  const change = (next) => {
    flavors = next;
    keepFlavors(next);
    live.now();
  };
  const element = panel(
    "How many more fit",
    { more: "by asking the loaded policy, consumption included" },
    body,
    flavorForm(
      (flavor) => change([...(flavors ?? seen ?? []).filter((each) => each.name !== flavor.name), flavor]),
      () => change(null),
    ),
  );
  async function refresh(signal) {
    seen = flavors ?? flavorsOf(await call("list_instances", { limit: 1000 }, signal));
    if (!seen.length) return fill(body, empty("No flavor is asked about", "Add one below."));
    const answer = await callIfKnown("capacity", { flavors: seen.map(asked), by: "zone" }, signal);
    if (!answer) return fill(body, empty("This daemon cannot count that", "Its successor knows the method capacity."));
    fill(
      body,
      capacityTable(answer, seen, (name) => change(seen.filter((each) => each.name !== name))),
      h(
        "p",
        { class: "note" },
        `Driver ${answer.driver}. ${answer.exact ? "Exact: each number is what would be placed, one after the other." : "Estimated: this driver cannot count exactly, so the numbers come from free room alone."}`,
      ),
    );
  }
  return { element, refresh };
}

export function view({ live }) {
  const summary = h("p", null, "Asking for the hosts…");
  const zonesBody = h("div", null, waiting());
  const fields = h("div");
  const pointed = h("p", { class: "under note", "aria-hidden": "true" });
  const numbers = h("div");
  const table = hostTable();
  const filter = h("input", { type: "search", placeholder: "Name, zone, state, aggregate", spellcheck: "false" });
  const found = h("p", { class: "note", role: "status" });
  const capacity = capacityPart(live);
  const known = new Map();
  let rows = [];
  let resource = "memory";
  let order = "fullness";
  const restMessage = "Point at a cell, or go to a field by Tab and move by the arrow keys; Enter opens the host.";

  const point = (row) => {
    pointed.textContent = row ? pointedWords(row) : restMessage;
    pointed.classList.toggle("pointing", Boolean(row));
  };
  const drawAll = () => known.forEach((each) => each.draw());
  const resized = new ResizeObserver(settled(drawAll, 80));
  resized.observe(fields);

  function ordered(list) {
    if (order === "name") return list;
    const part = (row) => (Number.isNaN(fullness(row, resource)) ? -1 : fullness(row, resource));
    return list
      .map((row) => [part(row), row])
      .sort(([a], [b]) => b - a)
      .map(([, row]) => row);
  }

  function showPicture() {
    const zones = byZone(rows);
    const names = new Set(zones.map(([name]) => name));
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    for (const [name] of zones)
      if (!known.has(name)) known.set(name, new Field(name, { onPoint: point, onOpen: openHost }));
    const elements = zones.map(([name]) => known.get(name).element);
    if (elements.length !== fields.children.length || elements.some((each, at) => fields.children[at] !== each))
      fields.replaceChildren(...elements);
    for (const [name, list] of zones) known.get(name).show(ordered(list), resource, rows.length);
    fill(numbers, pictureTable(zones, resource));
    fill(
      zonesBody,
      zones.length
        ? zoneTable(zones)
        : empty(
            "No hosts yet",
            "A host appears with its first report: run gantry agent on it, or import it from Nova with gantry host import.",
          ),
    );
  }

  function showTable() {
    const wanted = filter.value.trim().toLowerCase();
    const matches = (row) =>
      [row.host, row.hypervisor_hostname ?? "", row.availability_zone, row.state, ...row.aggregates].some((text) =>
        text.toLowerCase().includes(wanted),
      );
    const list = wanted ? rows.filter(matches) : rows;
    table.show(list);
    found.textContent = wanted ? `${plural(list.length, "host")} of ${count(rows.length)}` : "";
  }

  async function refresh(signal) {
    const [status] = await Promise.all([
      call("status", {}, signal),
      allHosts(most, signal, (sofar) => {
        if (!rows.length) summary.textContent = `${plural(sofar.length, "host")} so far…`;
      }).then((list) => {
        rows = list;
      }),
    ]);
    const all = status.topics.compute?.hosts ?? rows.length;
    summary.textContent =
      all > rows.length
        ? `The first ${count(rows.length)} of ${count(all)} hosts by name.`
        : `${plural(rows.length, "host")} in ${plural(byZone(rows).length, "zone")}.`;
    showPicture();
    showTable();
    await capacity.refresh(signal);
  }

  filter.addEventListener("input", settled(showTable, 120));
  point(null);
  const controls = h(
    "div",
    { class: "choices" },
    field(
      "Colour by",
      select(
        [
          ["memory", "memory"],
          ["vcpus", "vCPUs"],
          ["disk", "disk"],
          ["fullest", "the scarcest"],
        ],
        resource,
        (value) => {
          resource = value;
          showPicture();
        },
      ),
    ),
    field(
      "Order",
      select(
        [
          ["fullness", "fullest first"],
          ["name", "by name"],
        ],
        order,
        (value) => {
          order = value;
          showPicture();
        },
      ),
    ),
  );
  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "head" }, h("div", null, h("h1", { tabindex: "-1" }, "Fleet"), summary)),
    panel(
      "How full the hosts are",
      { more: controls },
      scaleLegend(),
      h("div", { class: "note" }, "Used of what may be given out: capacity times allocation ratio, claims included."),
      fields,
      pointed,
      h("details", null, h("summary", null, "The picture in numbers"), numbers),
    ),
    panel("Zones", {}, zonesBody),
    capacity.element,
    panel(
      "Hosts",
      { more: found },
      h("div", { class: "fields" }, field("Show only", filter)),
      h("div", { class: "note" }),
      table.element,
    ),
  );
  return { title: "Fleet", element, refresh, interval: 30_000, recoloured: drawAll, ended: () => resized.disconnect() };
}
