// SPDX-License-Identifier: Apache-2.0
// Decisions, the newest first, with filters and pages.
import { call } from "./api.js";
import { empty, field, fill, h, panel, waiting } from "./dom.js";
import { count, hostLink, microseconds, outcome, serverLink, time } from "./formats.js";
import { Table } from "./table.js";

const size = 50;
const names = ["instance_uuid", "host", "project_id", "request_id", "outcome", "since", "until"];

// Local time of an input as the daemon's: UTC, ISO 8601.
function utc(local) {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function local(text) {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function addressOf(wanted, marker) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  if (marker) query.set("marker", marker);
  const text = query.toString();
  return `#/decisions${text ? `?${text}` : ""}`;
}

function where(row) {
  const narrow = h("span", { class: "narrow" }, outcome(row.outcome), " ");
  if (!row.destinations.length) return h("span", { title: row.reason }, narrow, row.reason || "–");
  const links = row.destinations.slice(0, 3).flatMap((each, at) => [at > 0 && ", ", hostLink(each.host, each.node)]);
  return h(
    "span",
    null,
    narrow,
    links,
    row.destinations.length > 3 && ` and ${count(row.destinations.length - 3)} more`,
  );
}

function servers(row) {
  const ids = [...new Set(row.destinations.map((each) => each.instance_uuid).filter(Boolean))];
  if (!ids.length) return "–";
  return h("span", null, serverLink(ids[0]), ids.length > 1 && ` +${ids.length - 1}`);
}

export function decisionTable(name) {
  return new Table(name, [
    { title: "Decision", cell: (row) => h("a", { href: `#/decisions/${row.id}` }, `#${row.id}`) },
    { title: "Time", cell: (row) => time(row.time) },
    { title: "Outcome", wide: true, cell: (row) => h("span", null, outcome(row.outcome)) },
    { title: "Where, or why not", style: "prose", cell: where },
    { title: "Servers", wide: true, cell: servers },
    { title: "Project", wide: true, cell: (row) => row.project_id || "–" },
    { title: "Hosts seen", wide: true, number: true, cell: (row) => count(row.hosts) },
    { title: "Took", number: true, wide: true, cell: (row) => microseconds(row.microseconds) },
  ]);
}

function filterForm(wanted) {
  const text = (label, name, hint) =>
    field(
      label,
      h("input", { name, value: wanted[name] ?? "", placeholder: hint, spellcheck: "false", autocapitalize: "none" }),
    );
  const when = (label, name) =>
    field(
      label,
      h("input", { name, type: "datetime-local", step: "1", value: wanted[name] ? local(wanted[name]) : "" }),
      "broad",
    );
  const option = (value, words) => h("option", { value, selected: (wanted.outcome ?? "") === value }, words);
  const outcomes = h(
    "select",
    { name: "outcome" },
    option("", "any"),
    option("placed", "placed"),
    option("no_valid_host", "no valid host"),
    option("failed", "failed"),
  );
  const submit = (event) => {
    event.preventDefault();
    const given = Object.fromEntries(
      [...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]),
    );
    for (const name of ["since", "until"]) given[name] = given[name] ? utc(given[name]) : "";
    location.hash = addressOf(given);
  };
  const used = names.some((name) => wanted[name]);
  return h(
    "form",
    { on: { submit }, "aria-label": "Filter" },
    h(
      "div",
      { class: "fields" },
      text("Server", "instance_uuid", "uuid"),
      text("Host", "host", "any"),
      text("Project", "project_id", "any"),
      field("Outcome", outcomes),
      when("From", "since"),
      when("To", "until"),
      h("button", { type: "submit", class: "main" }, "Show"),
      used && h("a", { class: "button", href: "#/decisions" }, "All"),
    ),
    wanted.request_id && h("p", { class: "note" }, `Of request ${wanted.request_id}.`),
  );
}

// Open where there is room for it, or where it is in use.
function filterPart(wanted) {
  const open = Object.keys(wanted).length > 0 || matchMedia("(min-width: 900px)").matches;
  return h("details", { class: "panel", open }, h("summary", null, "Show only"), filterForm(wanted));
}

export function view({ query }) {
  const wanted = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value));
  const marker = query.get("marker");
  const table = decisionTable("Decisions");
  const body = h("div", null, waiting());
  const pages = h("nav", { class: "choices note", "aria-label": "Pages" });
  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "head" },
      h(
        "div",
        null,
        h("h1", { tabindex: "-1" }, "Decisions"),
        h("p", null, "Each request for a place, what was decided, and why. Open one to see every host."),
      ),
    ),
    filterPart(wanted),
    panel(marker ? "Earlier decisions" : "Latest decisions", {}, body, pages),
  );

  function showEmpty() {
    const filtered = Object.keys(wanted).length > 0;
    fill(
      body,
      filtered || marker
        ? empty("No decision fits", "Widen the filter, or look at all of them.")
        : empty(
            "No decisions yet",
            "The first request for a place appears here: try gantry select --flavor m1.tiny, or boot a server.",
          ),
    );
  }

  async function refresh(signal) {
    const args = { ...wanted, limit: size };
    if (marker) args.marker = marker;
    const rows = await call("list_decisions", args, signal);
    if (rows.length) {
      table.show(rows);
      if (body.firstChild !== table.element) fill(body, table.element);
    } else {
      showEmpty();
    }
    fill(
      pages,
      marker && h("a", { class: "button", href: addressOf(wanted) }, "Latest"),
      rows.length === size && h("a", { class: "button", href: addressOf(wanted, rows[rows.length - 1].id) }, "Earlier"),
    );
  }

  function failed(error) {
    if (error.kind === "missing")
      fill(body, empty("This daemon keeps no decisions", "A later one keeps a million of them, or thirty days."));
  }

  return { title: "Decisions", element, refresh, interval: marker ? 0 : 5000, failed };
}
