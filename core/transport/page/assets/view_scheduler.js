// SPDX-License-Identifier: Apache-2.0
// The scheduler: is it healthy, what has it to do, what does it refuse, how long does it take.
import { call, callIfKnown, readiness } from "./api.js";
import { barList, spark } from "./bars.js";
import { empty, fill, h, panel, waiting } from "./dom.js";
import { count, decimal, microseconds, percent, plain, plural, seconds, time } from "./formats.js";
import { decisionTimes, latencies, methods, refusals } from "./stats.js";
import { plainTable } from "./table.js";

const kept = 150; // samples of the rate, some five minutes

function sum(status, name, label = null) {
  return status.counters
    .filter((counter) => counter.name === name && (label === null || counter.label === label))
    .reduce((all, counter) => all + counter.value, 0);
}

function health(ready, status) {
  const reasons = status?.unready_reasons ?? ready.reasons ?? [];
  const warnings = status?.warnings ?? [];
  const kind = ready.status !== "ok" ? "bad" : warnings.length ? "warn" : "good";
  const title = {
    good: status ? "Ready, and nothing asks for attention" : "Ready to serve",
    warn: `Ready, with ${plural(warnings.length, "thing")} to look at`,
    bad: ready.status === "stopping" ? "Stopping: it takes no further requests" : "Not ready to serve",
  }[kind];
  const lines = [...reasons, ...warnings];
  return h(
    "section",
    { class: `health ${kind}`, "aria-label": "Health" },
    h("span", { class: `mark ${kind}`, "aria-hidden": "true" }),
    h(
      "div",
      null,
      h("h2", null, title),
      lines.length > 0 &&
        h(
          "ul",
          null,
          lines.map((line) => h("li", null, line)),
        ),
    ),
  );
}

// What is shown below was true once; whether it still is, nobody knows.
function unheard(since) {
  return h(
    "section",
    { class: "health bad", "aria-label": "Health" },
    h("span", { class: "mark bad", "aria-hidden": "true" }),
    h("div", null, h("h2", null, "Not known"), h("p", null, "What stands below was true at ", time(since), ".")),
  );
}

function tile(title, value, more) {
  return h(
    "div",
    { class: "tile" },
    h("dt", null, title),
    h("dd", null, value),
    more && h("dd", { class: "more" }, more),
  );
}

function tiles(status, rates, stats) {
  const placed = sum(status, "decisions", "placed");
  const none = sum(status, "decisions", "no_valid_host");
  const all = sum(status, "decisions");
  const topics = Object.values(status.topics);
  const hosts = topics.reduce((total, topic) => total + topic.hosts, 0);
  const up = topics.reduce((total, topic) => total + topic.up, 0);
  const now = rates.length ? rates[rates.length - 1] : NaN;
  const whole = decisionTimes(stats);
  return h(
    "dl",
    { class: "tiles" },
    tile("Decisions a second", decimal(now, now < 10 ? 1 : 0), `${count(all)} since the start`),
    tile("Found no host", all ? percent(none / all) : "–", `${count(none)} of ${count(placed + none)}`),
    whole
      ? tile("Time of a decision", microseconds(whole.p50), `99 % within ${microseconds(whole.p99)}`)
      : tile(
          "Servers",
          count(Object.values(status.instances).reduce((total, each) => total + each, 0)),
          plain(states(status.instances)),
        ),
    tile(
      "Hosts up",
      h("span", null, count(up), h("small", null, ` of ${count(hosts)}`)),
      up === hosts ? "all of them" : `${count(hosts - up)} down`,
    ),
    tile("Claims held", count(status.claims), plural(status.casts, "message waits", "messages wait")),
    tile("Running for", seconds(status.uptime_seconds), time(status.started_at)),
  );
}

function states(instances) {
  return Object.entries(instances).map(([name, value]) => `${count(value)} ${name}`);
}

function topicTable(status) {
  const rows = Object.entries(status.topics).map(([name, topic]) => ({ name, ...topic }));
  if (!rows.length) return empty("No topics yet", "A topic appears with the first driver that serves it.");
  return plainTable(
    "Topics",
    [
      { title: "Topic", cell: (row) => row.name },
      { title: "Hosts", number: true, cell: (row) => count(row.hosts) },
      { title: "Up", number: true, cell: (row) => count(row.up) },
      { title: "Disabled", number: true, cell: (row) => count(row.disabled) },
    ],
    rows,
  );
}

function driverTable(status) {
  const onDisk = {
    same: ["good", "same file"],
    changed: ["warn", "changed: restart to use it"],
    missing: ["bad", "missing"],
  };
  return plainTable(
    "Drivers",
    [
      { title: "Driver", cell: (row) => h("span", { title: row.description }, `${row.id} ${row.version}`) },
      { title: "Topics", cell: (row) => row.topics.join(", ") },
      { title: "Calls", number: true, cell: (row) => count(row.calls) },
      {
        title: "Failures",
        number: true,
        cell: (row) => (row.failures ? h("strong", { class: "fall" }, count(row.failures)) : "0"),
      },
      {
        title: "On disk",
        wide: true,
        cell: (row) =>
          h(
            "span",
            { class: `mark ${onDisk[row.on_disk]?.[0]}`, title: row.path },
            onDisk[row.on_disk]?.[1] ?? row.on_disk,
          ),
      },
    ],
    status.drivers,
  );
}

function troubles(status) {
  const hanging = status.hanging_calls.map(
    (each) =>
      `Driver ${each.driver} has not returned from ${each.operation} for ${seconds(each.seconds)} (${each.request_id}).`,
  );
  const skipped = status.skipped_drivers.map((each) => `Driver ${each.id} was left out: ${each.reason}`);
  const lines = [...hanging, ...skipped];
  return (
    lines.length > 0 &&
    panel(
      "Drivers in trouble",
      {},
      h(
        "ul",
        { class: "stack" },
        lines.map((line) => h("li", null, line)),
      ),
    )
  );
}

function ratePanel(rates) {
  const drawn =
    rates.length > 1
      ? [
          spark(rates, "Decisions a second"),
          h(
            "p",
            { class: "note" },
            Math.max(...rates) > 0
              ? `At most ${decimal(Math.max(...rates), 1)} a second while this page was open.`
              : "No decision was asked for while this page was open.",
          ),
        ]
      : waiting("The line begins with the second answer…");
  return panel("Decisions a second", { size: "half" }, drawn);
}

function refusalPanel(stats, status) {
  const words = (hosts, requests) => `${plural(hosts, "host")}${requests ? `, ${plural(requests, "request")}` : ""}`;
  const items = stats
    ? refusals(stats).map(([step, hosts, requests]) => [step, hosts, words(hosts, requests)])
    : [["no valid host", sum(status, "decisions", "no_valid_host")]].filter(([, value]) => value);
  const shown = items.length
    ? barList(items.slice(0, 12))
    : empty(
        "Nothing was refused so far",
        "When a step of a decision is against a host, it is counted here by the step's name.",
      );
  return panel(
    "Refusals by step",
    { size: "half", more: stats ? "hosts that each was against, requests it left without one" : null },
    shown,
    stats === null && h("p", { class: "note" }, "This daemon counts no refusals by step; a later one does."),
  );
}

function latencyPanel(stats) {
  const rows = latencies(stats);
  if (!rows.length) return null;
  return panel(
    "Time by driver and step",
    { size: "half" },
    plainTable(
      "Times",
      [
        { title: "Driver", cell: (row) => row.driver },
        { title: "Step", cell: (row) => row.step },
        { title: "Calls", number: true, cell: (row) => count(row.count) },
        { title: "Median", number: true, cell: (row) => microseconds(row.p50) },
        { title: "99 %", number: true, wide: true, cell: (row) => microseconds(row.p99) },
        { title: "Longest", number: true, wide: true, cell: (row) => microseconds(row.longest) },
      ],
      rows,
    ),
  );
}

function methodPanel(stats) {
  const rows = methods(stats);
  if (!rows.length) return null;
  return panel(
    "Calls by method",
    { size: "half" },
    plainTable(
      "Calls by method",
      [
        { title: "Method", cell: (row) => row.method },
        { title: "Calls", number: true, cell: (row) => count(row.calls) },
        { title: "Errors", number: true, cell: (row) => h("span", { title: row.words || null }, count(row.failed)) },
        { title: "Median", number: true, wide: true, cell: (row) => microseconds(row.times.p50) },
        { title: "99 %", number: true, cell: (row) => microseconds(row.times.p99) },
      ],
      rows.slice(0, 12),
    ),
  );
}

export function view() {
  const top = h("div", { class: "stack" }, waiting());
  const more = h("div", { class: "columns" });
  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "head" }, h("h1", { tabindex: "-1" }, "Scheduler")),
    top,
    more,
  );
  const rates = [];
  let before = null;
  let heard = "";

  async function refresh(signal) {
    const [ready, status, stats] = await Promise.all([
      readiness(signal),
      call("status", {}, signal),
      callIfKnown("stats", {}, signal),
    ]);
    const now = { at: performance.now(), all: sum(status, "decisions"), pid: status.pid };
    if (before && before.pid === now.pid)
      rates.push(Math.max(0, (now.all - before.all) / ((now.at - before.at) / 1000)));
    before = now;
    heard = new Date().toISOString();
    if (rates.length > kept) rates.shift();
    fill(top, health(ready, status), tiles(status, rates, stats));
    fill(
      more,
      ratePanel(rates),
      refusalPanel(stats, status),
      panel("Topics", { size: "half" }, topicTable(status)),
      panel("Drivers", { size: "half" }, driverTable(status)),
      troubles(status),
      latencyPanel(stats),
      methodPanel(stats),
    );
  }

  async function failed() {
    if (before) return top.firstElementChild?.replaceWith(unheard(heard));
    const ready = await readiness().catch(() => null);
    fill(top, ready && health(ready, null));
  }

  return { title: "Scheduler", element, refresh, interval: 2000, failed };
}
