// SPDX-License-Identifier: Apache-2.0
// Reads the answer of the method stats.

export function refusals(stats) {
  return (stats?.refusals ?? []).map((each) => [each.step ?? each.name, each.count ?? each.value]).sort((a, b) => b[1] - a[1]);
}

export function latencies(stats) {
  return stats?.latency ?? [];
}
