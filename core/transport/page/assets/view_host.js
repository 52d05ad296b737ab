// SPDX-License-Identifier: Apache-2.0
// One host: how full it is, what runs there, every column, and the decisions that took it.
import { call, callIfKnown } from "./api.js";
import { bar } from "./bars.js";
import { empty, field, fill, h, panel, settled, waiting } from "./dom.js";
import { count, gigabytes, mebibytes, percent, plain, plural, serverLink, state, time } from "./formats.js";
import { fullness, resources, useWords } from "./fullness.js";
import { Table, plainTable } from "./table.js";
import { decisionTable } from "./view_decisions.js";

function meters(row) {
  return h(
    "dl",
    { class: "tiles" },
    Object.keys(resources).map((name) => {
      const part = fullness(row, name);
      return h(
        "div",
        { class: "tile" },
        h("dt", null, resources[name].title),
        h("dd", null, percent(part)),
        h("dd", { class: "more" }, useWords(row, name)),
        h("dd", null, bar(part)),
      );
    }),
  );
}

function why(row, service) {
  const lines = [];
  if (row.disabled) lines.push(`Disabled by an operator: ${row.disabled_reason || "no reason was given"}.`);
  if (row.forced_down) lines.push("Forced down by an operator: it counts as down until that is taken back.");
  if (!row.up && !row.forced_down)
    lines.push("Down: its service has not reported of late. Is gantry agent, or nova-compute, running there?");
  if (!service) lines.push("It has reported resources, but no service is registered.");
  return (
    lines.length > 0 &&
    h(
      "section",
      { class: "health warn", "aria-label": "State" },
      h("span", { class: "mark warn", "aria-hidden": "true" }),
      h(
        "ul",
        null,
        lines.map((line) => h("li", null, line)),
      ),
    )
  );
}

function serverTable(instances) {
  if (!instances.length)
    return empty("No servers here", "A server appears once it was placed here, or a report lists it.");
  const table = new Table(
    "Servers",
    [
      {
        key: "name",
        title: "Server",
        value: (row) => row.name || row.uuid,
        cell: (row) => serverLink(row.uuid, row.name || row.uuid),
      },
      {
        key: "state",
        title: "State",
        value: (row) => row.vm_state,
        cell: (row) => (row.task_state ? `${row.vm_state}, ${row.task_state}` : row.vm_state),
      },
      {
        key: "flavor",
        title: "Flavor",
        value: (row) => row.flavor?.name ?? "",
        cell: (row) => row.flavor?.name ?? "–",
      },
      {
        key: "vcpus",
        title: "vCPUs",
        number: true,
        wide: true,
        value: (row) => row.flavor?.vcpus,
        cell: (row) => count(row.flavor?.vcpus),
      },
      {
        key: "memory",
        title: "Memory",
        number: true,
        wide: true,
        value: (row) => row.flavor?.memory_mb,
        cell: (row) => mebibytes(row.flavor?.memory_mb),
      },
      {
        key: "project",
        title: "Project",
        wide: true,
        value: (row) => row.project_id,
        cell: (row) => row.project_id || "–",
      },
      {
        key: "created",
        title: "Created",
        wide: true,
        value: (row) => row.created_at,
        cell: (row) => time(row.created_at),
      },
    ],
    { sort: "name" },
  );
  table.show(instances);
  return table.element;
}

function claimTable(claims) {
  if (!claims.length) return null;
  const words = { memory_mb: mebibytes, disk_gb: gigabytes };
  const items = (row) =>
    row.items.map((item) => `${item.resource} ${(words[item.resource] ?? count)(item.amount)}`).join(", ");
  return panel(
    "Claims",
    { more: "room that was promised and is not in the host's reports yet" },
    plainTable(
      "Claims",
      [
        { title: "Holder", cell: (row) => serverLink(row.consumer) },
        { title: "Holds", cell: items },
        { title: "Since", cell: (row) => time(row.created_at) },
      ],
      claims,
    ),
  );
}

// A column's value as it is; of a time, the second is enough.
function columnWords(value) {
  if (typeof value === "number") return String(value);
  return plain(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, "$1 $2 UTC");
}

function columnsPanel() {
  const list = h("dl", { class: "facts" });
  const filter = h("input", { type: "search", placeholder: "Name or value", spellcheck: "false" });
  let pairs = [];
  const show = () => {
    const wanted = filter.value.trim().toLowerCase();
    const shown = pairs.filter(
      ([name, value]) => name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted),
    );
    fill(
      list,
      shown.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    );
  };
  filter.addEventListener("input", settled(show, 100));
  const set = (found) => {
    const said = Object.entries(found.stats ?? {}).filter(([name, value]) => plain(value) !== plain(found.row[name]));
    const all = {
      ...found.row,
      ...Object.fromEntries(said.map(([name, value]) => [name in found.row ? `${name}, as reported` : name, value])),
    };
    delete all.instances;
    pairs = Object.entries(all)
      .map(([name, value]) => [name, columnWords(value)])
      .sort(([a], [b]) => a.localeCompare(b));
    show();
  };
  return {
    element: panel(
      "Every column",
      { more: "as drivers see them, and what the host reported" },
      h("div", { class: "fields" }, field("Show only", filter)),
      list,
    ),
    set,
  };
}

export function view({ parts }) {
  const [, host, node] = parts;
  const said = h("p", null, "Asking…");
  const top = h("div", { class: "stack" }, waiting());
  const decisions = decisionTable("Decisions that took this host");
  const decided = h("div", null, waiting());
  const columns = columnsPanel();
  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "head" },
      h(
        "div",
        null,
        h("p", { class: "crumb" }, h("a", { href: "#/fleet" }, "Fleet")),
        h("h1", { tabindex: "-1" }, host),
        said,
      ),
    ),
    top,
    panel("Decisions that took this host", {}, decided),
    columns.element,
  );

  async function refresh(signal) {
    const found = await call("show_host", { name: node ? [host, node] : host }, signal);
    const { row } = found;
    fill(
      said,
      state(row.state),
      ` · zone ${row.availability_zone}`,
      row.aggregates.length > 0 && ` · ${plural(row.aggregates.length, "aggregate")}: ${row.aggregates.join(", ")}`,
      " · last reported ",
      time(row.updated_at),
    );
    fill(
      top,
      why(row, found.service),
      meters(row),
      panel("Servers", { more: plural(found.instances.length, "server") }, serverTable(found.instances)),
      claimTable(found.claims),
    );
    columns.set(found);
    const rows = await callIfKnown("list_decisions", { host, limit: 10 }, signal);
    if (!rows) return fill(decided, empty("This daemon keeps no decisions", "A later one does."));
    if (!rows.length) return fill(decided, empty("None is kept", "A decision appears here when it takes this host."));
    decisions.show(rows);
    fill(
      decided,
      decisions.element,
      h("p", { class: "note" }, h("a", { href: `#/decisions?host=${encodeURIComponent(host)}` }, "All of them")),
    );
  }

  function failed(error) {
    if (error.kind === "gone" || error.code === "not_found") {
      fill(top, empty(`No host is called ${host}`, "Look for it in the fleet: names are matched whole."));
      fill(said);
    }
  }

  return { title: host ?? "Host", element, refresh, interval: 10_000, failed };
}
