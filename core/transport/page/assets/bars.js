// SPDX-License-Identifier: Apache-2.0
// Bars and lines. Each stands beside the number that it draws, so it is hidden from those who listen.
import { h, svg } from "./dom.js";
import { count, decimal } from "./formats.js";

const fullFrom = 0.95;

// `warns`: a bar that is nearly full has another colour.
export function bar(part, warns = true) {
  const wide = Number.isFinite(part) ? Math.max(0, Math.min(1, part)) : 0;
  const full = warns && part >= fullFrom;
  return h(
    "span",
    { class: full ? "bar full" : "bar", "aria-hidden": "true", vars: { "--part": `${wide * 100}%` } },
    h("i"),
  );
}

// A list of [name, value, words], the longest bar for the largest value.
export function barList(items) {
  const most = Math.max(1, ...items.map(([, value]) => value));
  return h(
    "ul",
    { class: "bars" },
    items.map(([name, value, words]) =>
      h(
        "li",
        null,
        h("span", null, inParts(name)),
        h("span", { class: "count" }, words ?? count(value)),
        bar(value / most, false),
      ),
    ),
  );
}

// A name such as CoreFilter, which may be broken between its words.
function inParts(name) {
  return name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((part, at) => (at > 0 ? [h("wbr"), part] : [part]));
}

// The steps of a decision: how many hosts went in and came out of each.
export function funnel(steps) {
  const most = Math.max(1, ...steps.map((step) => step.hosts_in));
  const part = (value) => `${(value / most) * 100}%`;
  return h(
    "ol",
    { class: "funnel" },
    steps.map((step) => {
      const stopped = step.hosts_out === 0 && step.hosts_in > 0;
      const words =
        step.hosts_in === step.hosts_out
          ? `all ${count(step.hosts_in)}`
          : `${count(step.hosts_in)} → ${count(step.hosts_out)}`;
      return h(
        "li",
        { class: stopped ? "stopped" : null },
        h("span", { class: "name" }, inParts(step.name), step.instance > 0 && ` (server ${step.instance + 1})`),
        h(
          "span",
          { class: "way", "aria-hidden": "true", vars: { "--in": part(step.hosts_in), "--out": part(step.hosts_out) } },
          h("i", { class: "in" }),
          h("i", { class: "out" }),
        ),
        h("span", { class: "count" }, words),
        step.reason && h("span", { class: "why" }, step.reason),
      );
    }),
  );
}

export function termColour(at) {
  return `var(--term-${at % 7})`;
}

// A weight as its terms, those below zero to the left. `reach`: {least, most} of all the bars beside each other.
export function termsBar(values, reach) {
  const wide = Math.max(1e-9, reach.most - reach.least);
  const x = (value) => ((value - reach.least) / wide) * 100;
  const parts = [];
  let right = 0;
  let left = 0;
  values.forEach((value, at) => {
    if (!value) return;
    const from = value > 0 ? right : left + value;
    if (value > 0) right += value;
    else left += value;
    const rect = svg("rect", {
      x: x(from),
      y: 1,
      width: Math.max(0.2, (Math.abs(value) / wide) * 100 - 0.25),
      height: 12,
    });
    rect.style.fill = termColour(at);
    parts.push(rect);
  });
  const zero = svg("rect", { x: x(0), y: 0, width: 0.25, height: 14 });
  zero.style.fill = "var(--line-strong)";
  return svg(
    "svg",
    { class: "terms", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...parts,
    zero,
  );
}

export function reachOf(lists) {
  const sum = (values, sign) => values.reduce((all, value) => (value * sign > 0 ? all + value : all), 0);
  return {
    least: Math.min(0, ...lists.map((values) => sum(values, -1))),
    most: Math.max(0, ...lists.map((values) => sum(values, 1))),
  };
}

export function legend(names) {
  return h(
    "ul",
    { class: "legend" },
    names.map((name, at) => h("li", null, h("span", { class: "swatch", vars: { "--swatch": termColour(at) } }), name)),
  );
}

// A line of values over time, with a sentence for those who do not see it.
export function spark(values, unit) {
  const most = Math.max(1e-9, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const points = values.map((value, at) => `${decimal(at * step, 2)},${decimal(38 - (value / most) * 36, 2)}`);
  const words = `${unit}: now ${decimal(values[values.length - 1], 1)}, at most ${decimal(most, 1)} while this page was open`;
  return svg(
    "svg",
    { class: "spark", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": words },
    svg("path", { d: `M0,40 L${points.join(" L")} L100,40 Z` }),
    svg("polyline", { points: points.join(" ") }),
  );
}
