// SPDX-License-Identifier: Apache-2.0
// A live what-if: the loaded policy decides for a made-up request, and nothing is changed.
import { allAggregates, call } from "./api.js";
import { tellingTerms } from "./accounts.js";
import { funnel, legend, reachOf, termsBar } from "./bars.js";
import { empty, fill, h, newId, panel, settled, speak, waiting } from "./dom.js";
import { failureBox } from "./failures.js";
import { count, decimal, hostLink, plural } from "./formats.js";
import { rangeOf, reweighed, usualMultipliers } from "./reweigh.js";
import { plainTable } from "./table.js";
import { requestForm } from "./what_if_form.js";

const shownHosts = 15;

function placeCell(row, at) {
  const moved = row.before - at;
  if (!moved) return String(at + 1);
  const words = moved > 0 ? `up ${count(moved)}` : `down ${count(-moved)}`;
  return h("span", null, `${at + 1} `, h("small", { class: moved > 0 ? "rise" : "fall" }, words));
}

function ranking(rows, names) {
  const parts = (row) =>
    names.map((name) => {
      const term = row.terms.find((each) => each.name === name);
      return term ? (term.normalized ?? 0) * (term.multiplier ?? 0) : 0;
    });
  const shown = rows.slice(0, shownHosts);
  const reach = reachOf(shown.map(parts));
  const places = new Map(shown.map((row, at) => [row, at]));
  return h(
    "div",
    { class: "stack" },
    names.length > 0 && legend(names),
    plainTable(
      "Hosts by weight",
      [
        { title: "Place", cell: (row) => placeCell(row, places.get(row)) },
        { title: "Host", cell: (row) => hostLink(row.account.host, row.account.node) },
        { title: "Weight", number: true, cell: (row) => decimal(row.weight) },
        { title: "Made of", style: "drawn", wide: true, cell: (row) => termsBar(parts(row), reach) },
      ],
      shown,
    ),
  );
}

function multiplierSlider(name, usual, value, onChange) {
  const { least, most, step } = rangeOf(usual);
  const id = newId("multiplier");
  const attributes = { min: String(least), max: String(most), step: String(step), value: String(value) };
  const range = h("input", { type: "range", ...attributes, "aria-label": `Multiplier of ${name}` });
  const number = h("input", { type: "number", id, step: String(step), value: String(value) });
  const take = (text, other) => {
    const wanted = Number(text);
    if (!Number.isFinite(wanted) || text === "") return;
    other.value = text;
    onChange(name, wanted);
  };
  range.addEventListener("input", () => take(range.value, number));
  number.addEventListener("input", () => take(number.value, range));
  return h(
    "div",
    { class: "slider" },
    h("label", { for: id }, name),
    range,
    number,
    value !== usual && h("span", { class: "hint" }, `configured: ${decimal(usual)}`),
  );
}

export function view({ live }) {
  const said = h("div", { class: "verdict" }, waiting());
  const answer = h("div", { class: "stack" });
  const weighers = h("div", { class: "stack" });
  const chosen = new Map();
  let accounts = [];
  let usual = new Map();
  let decided = null;
  let telling = [];

  const ask = settled(() => live.now(), 140);
  const form = requestForm(ask);

  // The whole answer tells each host's terms and is large: it is asked for once the sliders rest.
  const askWhole = settled(async (request, signal) => {
    try {
      const given = await call("select_destinations", { ...request, explain: "all_filters" }, signal);
      take(given.decision.instances?.[0]?.hosts ?? []);
    } catch (error) {
      if (error.name === "AbortError") return;
      take(error.details?.instances?.[0]?.hosts ?? []);
    }
  }, 300);

  function take(hosts) {
    accounts = hosts;
    usual = usualMultipliers(accounts);
    telling = tellingTerms(accounts.filter((account) => account.rank !== null));
    showWeighers();
    show();
  }

  function showWeighers() {
    const names = [...usual.keys()];
    const first = names.filter((name) => telling.includes(name));
    const rest = names.filter((name) => !telling.includes(name));
    const slider = (name) =>
      multiplierSlider(name, usual.get(name), chosen.get(name) ?? usual.get(name), (which, value) => {
        chosen.set(which, value);
        show();
      });
    if (weighers.contains(document.activeElement)) return;
    fill(
      weighers,
      first.length
        ? first.map(slider)
        : empty(
            "No weigher tells these hosts apart",
            accounts.length
              ? "Every host that is left weighs the same, or the driver has no weighers."
              : "The driver accounts for no weights.",
          ),
      rest.length > 0 &&
        h(
          "details",
          null,
          h("summary", null, `${plural(rest.length, "weigher")} that say the same of every host`),
          h("div", { class: "stack" }, rest.map(slider)),
        ),
      chosen.size > 0 && h("button", { type: "button", on: { click: reset } }, "Back to the configured ones"),
    );
  }

  function reset() {
    chosen.clear();
    document.activeElement?.blur();
    showWeighers();
    show();
  }

  function show() {
    if (!decided) return;
    const rows = reweighed(accounts, usual, chosen);
    const others = chosen.size > 0 && rows.length > 0;
    const names = telling.length ? telling : [...usual.keys()].slice(0, 7);
    fill(said, verdict(rows, others));
    fill(
      answer,
      panel("Steps", {}, decided.steps.length ? funnel(decided.steps) : empty("This driver names no steps")),
      rows.length > 0
        ? panel(
            others ? "Hosts by the weight of your multipliers" : "Hosts by weight",
            { more: `the best ${Math.min(shownHosts, rows.length)} of ${count(rows.length)} that are left` },
            ranking(rows, names),
          )
        : null,
    );
  }

  function verdict(rows, others) {
    if (decided.reason !== undefined)
      return h("p", { class: "answer" }, h("span", { class: "mark warn" }, "No valid host"), `: ${decided.reason}`);
    const hosts = others ? [rows[0].account] : decided.destinations;
    const names = [...new Map(hosts.map((each) => [each.host, each])).values()];
    const links = names.slice(0, 5).flatMap((each, at) => [at > 0 && ", ", hostLink(each.host, each.node)]);
    const many = decided.destinations.length > 1;
    return h(
      "p",
      { class: "answer" },
      h("span", { class: "mark good" }),
      others
        ? "With your multipliers the first server would go to "
        : many
          ? `${decided.destinations.length} servers would go to `
          : "It would go to ",
      links,
      names.length > 5 && ` and ${plural(names.length - 5, "other host")}`,
      ".",
      others && many && " The servers after it depend on what the first one takes, which the daemon alone works out.",
    );
  }

  async function refresh(signal) {
    if (!form.zoned) {
      form.zoned = true;
      allAggregates(signal)
        .then((list) => form.setZones([...new Set(list.map((each) => each.availability_zone).filter(Boolean))].sort()))
        .catch(() => {
          form.zoned = false;
        });
    }
    const request = form.request();
    try {
      const given = await call("select_destinations", { ...request, explain: true }, signal);
      decided = { steps: given.decision.steps, destinations: given.decision.destinations };
      speak(`It would go to ${decided.destinations[0]?.host}`);
    } catch (error) {
      if (error.code !== "no_valid_host") {
        if (error.code === "invalid_argument") return fill(said, failureBox(error));
        throw error;
      }
      decided = { steps: error.details.steps ?? [], destinations: [], reason: error.details.reason ?? error.message };
      speak("No valid host");
    }
    if (!accounts.length || decided.reason !== undefined) {
      if (decided.reason !== undefined) accounts = [];
      show();
    } else {
      show();
    }
    askWhole(request, signal);
  }

  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "head" },
      h(
        "div",
        null,
        h("h1", { tabindex: "-1" }, "What if"),
        h(
          "p",
          null,
          "The loaded policy decides for a request that you make up, on the fleet as it is. Nothing is placed, claimed or changed.",
        ),
      ),
    ),
    said,
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "third stack" },
        panel("The request", {}, form.element),
        panel(
          "Multipliers of the weighers",
          {},
          weighers,
          h(
            "p",
            { class: "note" },
            "They move the order here alone. To keep one, set it in the driver's options, try it with gantry whatif, and restart.",
          ),
        ),
      ),
      h("div", { class: "two-thirds stack" }, answer),
    ),
  );
  return { title: "What if", element, refresh, interval: 0 };
}
