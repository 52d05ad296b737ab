// SPDX-License-Identifier: Apache-2.0
// Weighs again in the browser. A weight is the sum of normalised values times multipliers, so another multiplier needs no
// other question.
import { partOf, termsOf } from "./accounts.js";

// name -> the multiplier that most hosts have: an aggregate may give its hosts another one.
export function usualMultipliers(accounts) {
  const votes = new Map();
  for (const account of accounts) {
    for (const term of termsOf(account)) {
      if (!votes.has(term.name)) votes.set(term.name, new Map());
      const each = votes.get(term.name);
      each.set(term.multiplier, (each.get(term.multiplier) ?? 0) + 1);
    }
  }
  return new Map([...votes].map(([name, each]) => [name, [...each].sort((a, b) => b[1] - a[1])[0][0] ?? 0]));
}

// The hosts that are left, by the weight that the multipliers of `chosen` give, the greatest first. Hosts of equal weight
// stay as the scheduler had them. Each row: {account, weight, before, terms}.
export function reweighed(accounts, usual, chosen) {
  const rows = accounts
    .filter((account) => account.rank !== null && termsOf(account).length)
    .map((account) => {
      const terms = termsOf(account).map((term) => {
        const moved = chosen.has(term.name) && term.multiplier === usual.get(term.name);
        return moved ? { ...term, multiplier: chosen.get(term.name) } : term;
      });
      return { account, terms, weight: terms.reduce((sum, term) => sum + partOf(term), 0), before: account.rank };
    });
  return rows.sort((a, b) => b.weight - a.weight || a.before - b.before);
}

// Where a slider of a multiplier begins and ends.
export function rangeOf(multiplier) {
  const size = Math.abs(multiplier);
  if (size <= 5) return { least: -5, most: 5, step: 0.1 };
  const most = 2 * size;
  return { least: -most, most, step: most / 100 };
}
