// SPDX-License-Identifier: Apache-2.0
// What became of each host in a decision: a table that sorts, filters, and opens one host.
import { legend, reachOf, termsBar } from "./bars.js";
import { field, fill, h, select, settled } from "./dom.js";
import { count, decimal, hostLink, plural } from "./formats.js";
import { Table, plainTable } from "./table.js";

export function termsOf(account) {
  return account.terms ?? account.weighers ?? [];
}

export function partOf(term) {
  return (term.normalized ?? 0) * (term.multiplier ?? 0);
}

function against(account) {
  return account.verdicts.find((verdict) => !verdict.passed) ?? null;
}

// The names of terms that differ between hosts: only these move anybody.
export function tellingTerms(accounts) {
  const seen = new Map();
  for (const account of accounts) {
    for (const term of termsOf(account)) {
      const part = partOf(term);
      const known = seen.get(term.name);
      if (!known) seen.set(term.name, { least: part, most: part });
      else seen.set(term.name, { least: Math.min(known.least, part), most: Math.max(known.most, part) });
    }
  }
  return [...seen].filter(([, { least, most }]) => least !== most || least !== 0).map(([name]) => name);
}

export function valuesOf(account, names) {
  const parts = new Map(termsOf(account).map((term) => [term.name, partOf(term)]));
  return names.map((name) => parts.get(name) ?? 0);
}

// One host in full: each verdict, each term.
export function accountDetail(account) {
  const terms = termsOf(account);
  const verdicts = plainTable(
    `Verdicts on ${account.host}`,
    [
      { title: "Step", cell: (row) => row.name },
      {
        title: "Verdict",
        cell: (row) =>
          h("span", { class: `mark ${row.passed ? "good" : "bad"}` }, row.passed ? "for it" : "against it"),
      },
      { title: "Why", style: "prose", cell: (row) => row.reason || "–" },
    ],
    account.verdicts,
  );
  const weights =
    terms.length > 0 &&
    plainTable(
      `Weight of ${account.host}`,
      [
        { title: "Weigher", cell: (row) => row.name },
        { title: "Raw", number: true, cell: (row) => decimal(row.raw) },
        { title: "Normalised", number: true, cell: (row) => decimal(row.normalized) },
        { title: "Multiplier", number: true, cell: (row) => decimal(row.multiplier) },
        { title: "Adds", number: true, cell: (row) => decimal(partOf(row)) },
      ],
      terms,
    );
  return h(
    "div",
    { class: "stack" },
    h(
      "p",
      null,
      account.rank === null || account.rank === undefined
        ? "It was not among the hosts that were left."
        : `It came in place ${count(account.rank + 1)} with a weight of ${decimal(account.weight)}.`,
    ),
    account.verdicts.length > 0 && verdicts,
    weights,
  );
}

// Where no host has a weight, the columns about weights are left out.
function columns(names, reach, open, accounts) {
  const left = {
    rank: (row) => row.rank !== null,
    weight: (row) => row.weight !== null,
    terms: (row) => termsOf(row).length > 0,
  };
  const idle = Object.keys(left).filter((key) => !accounts.some(left[key]));
  return allColumns(names, reach, open).filter((column) => !idle.includes(column.key));
}

function allColumns(names, reach, open) {
  return [
    {
      key: "rank",
      title: "Place",
      number: true,
      value: (row) => row.rank,
      cell: (row) => (row.rank === null ? "–" : count(row.rank + 1)),
    },
    {
      key: "host",
      title: "Host",
      value: (row) => row.host,
      cell: (row) => hostLink(row.host, row.node),
      hint: (row) => row.host,
    },
    {
      key: "weight",
      title: "Weight",
      number: true,
      value: (row) => row.weight,
      cell: (row) => (row.weight === null ? "–" : decimal(row.weight)),
    },
    {
      key: "terms",
      title: "Made of",
      wide: true,
      style: "drawn",
      cell: (row) => (row.weight !== null && termsOf(row).length ? termsBar(valuesOf(row, names), reach()) : ""),
    },
    {
      key: "against",
      title: "Against it",
      value: (row) => against(row)?.name ?? "",
      cell: (row) => against(row)?.name ?? "–",
    },
    {
      key: "reason",
      title: "Why",
      wide: true,
      value: (row) => against(row)?.reason ?? "",
      cell: (row) => against(row)?.reason ?? "",
      hint: (row) => against(row)?.reason,
    },
    {
      key: "open",
      spoken: "Details",
      cell: (row) =>
        h(
          "button",
          {
            type: "button",
            class: "link",
            "data-key": `open ${row.host} ${row.node}`,
            "aria-label": `Details of ${row.host}`,
            on: { click: () => open(row) },
          },
          "details",
        ),
    },
  ];
}

// The hosts of one instance of a decision. `chosen`: the names of the hosts that were taken.
export function accountsPart(accounts, leftOut, chosen) {
  const names = tellingTerms(accounts);
  const weighed = accounts.filter((account) => termsOf(account).length && account.weight !== null);
  const reach = reachOf(weighed.slice(0, 2000).map((account) => valuesOf(account, names)));
  const detail = h("div", { class: "opened", tabindex: "-1" });
  const found = h("p", { class: "note", role: "status" });
  const reasons = [...new Set(accounts.map((account) => against(account)?.name).filter(Boolean))];
  let wanted = "";
  let kind = "all";

  const open = (row) => {
    fill(
      detail,
      h(
        "section",
        { class: "panel", "aria-label": `All about ${row.host}` },
        h("header", null, h("h3", null, row.host)),
        accountDetail(row),
      ),
    );
    detail.focus({ preventScroll: true });
    detail.scrollIntoView({ block: "nearest" });
  };
  const table = new Table(
    "Hosts of this decision",
    columns(names, () => reach, open, accounts),
    { sort: "rank", chosen: (row) => chosen.has(row.host) },
  );
  const show = () => {
    const text = wanted.toLowerCase();
    const rows = accounts.filter((account) => {
      const verdict = against(account);
      if (kind === "left" && account.rank === null) return false;
      if (kind === "out" && account.rank !== null) return false;
      if (kind.startsWith("by ") && verdict?.name !== kind.slice(3)) return false;
      return (
        !text ||
        account.host.toLowerCase().includes(text) ||
        (account.node ?? "").toLowerCase().includes(text) ||
        (verdict?.reason ?? "").toLowerCase().includes(text)
      );
    });
    table.show(rows);
    found.textContent = `${plural(rows.length, "host")}${rows.length === accounts.length ? "" : ` of ${count(accounts.length)}`}${leftOut ? `; ${count(leftOut)} more were left out of the answer` : ""}`;
  };
  const filter = h("input", { type: "search", placeholder: "Host or reason", spellcheck: "false" });
  filter.addEventListener(
    "input",
    settled(() => {
      wanted = filter.value.trim();
      show();
    }, 120),
  );
  const kinds = [
    ["all", "all hosts"],
    ["left", "those that were left"],
    ["out", "those that were out"],
    ...reasons.map((name) => [`by ${name}`, `out by ${name}`]),
  ];
  show();
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "fields" },
      field("Find", filter),
      field(
        "Show",
        select(kinds, kind, (value) => {
          kind = value;
          show();
        }),
      ),
    ),
    found,
    names.length > 0 && legend(names),
    table.element,
    detail,
  );
}
