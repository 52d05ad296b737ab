// SPDX-License-Identifier: Apache-2.0
// Reads the answer of the method stats.

// [step, hosts that it was against, requests for which it left no host], over all drivers, the most first.
export function refusals(stats) {
  const steps = new Map();
  const add = (list, at) => {
    for (const { step, count } of list ?? []) {
      const each = steps.get(step) ?? [step, 0, 0];
      each[at] += count;
      steps.set(step, each);
    }
  };
  for (const driver of stats?.drivers ?? []) {
    add(driver.rejected_hosts, 1);
    add(driver.refusals, 2);
  }
  return [...steps.values()].sort((a, b) => b[1] - a[1] || b[2] - a[2]);
}

const parts = [
  ["decision", "a whole decision"],
  ["turn", "waiting for its turn"],
  ["inside", "inside the driver"],
  ["others", "the rest"],
];

function row(driver, step, times) {
  return { driver, step, count: times.count, p50: times.p50, p99: times.p99, longest: times.max };
}

// How long things took, by driver and step; what never happened is left out.
export function latencies(stats) {
  if (!stats) return [];
  const rows = (stats.drivers ?? []).flatMap((driver) =>
    parts.filter(([name]) => driver[name]).map(([name, words]) => row(driver.driver, words, driver[name])),
  );
  const core = [
    ["pin", "taking the view"],
    ["commit_wait", "waiting for the commit"],
  ]
    .filter(([name]) => stats[name])
    .map(([name, words]) => row("(core)", words, stats[name]));
  const store = [
    ["queue", "waiting for the store"],
    ["commit", "a commit of the store"],
  ]
    .filter(([name]) => stats.store?.[name])
    .map(([name, words]) => row("(store)", words, stats.store[name]));
  return [...rows, ...core, ...store].filter((each) => each.count > 0);
}

// The times of whole decisions of the busiest driver; null where there were none.
export function decisionTimes(stats) {
  const busiest = (stats?.drivers ?? [])
    .filter((driver) => driver.decision?.count)
    .sort((a, b) => b.decision.count - a.decision.count)[0];
  return busiest ? { driver: busiest.driver, ...busiest.decision } : null;
}

// The methods, the most called first.
export function methods(stats) {
  const errors = (method) => Object.values(method.errors ?? {}).reduce((sum, each) => sum + each, 0);
  return (stats?.methods ?? [])
    .map((method) => ({
      ...method,
      failed: errors(method),
      words: Object.entries(method.errors ?? {})
        .map(([code, value]) => `${value} ${code}`)
        .join(", "),
    }))
    .sort((a, b) => b.calls - a.calls);
}
