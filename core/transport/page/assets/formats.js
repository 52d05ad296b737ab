// SPDX-License-Identifier: Apache-2.0
// Numbers, sizes and times as people read them.
import { h } from "./dom.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function count(value) {
  return Number.isFinite(value) ? whole.format(value) : "–";
}

export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

// At most `digits` digits behind the point, none if they are zero.
export function decimal(value, digits = 3) {
  return Number.isFinite(value) ? String(Number(value.toFixed(digits))) : "–";
}

export function percent(part) {
  if (!Number.isFinite(part)) return "–";
  return `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`;
}

export function mebibytes(value) {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1024 * 1024) return `${decimal(value / 1024 / 1024, 1)} TiB`;
  if (Math.abs(value) >= 1024) return `${decimal(value / 1024, 1)} GiB`;
  return `${decimal(value, 0)} MiB`;
}

export function gigabytes(value) {
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) >= 1024 ? `${decimal(value / 1024, 1)} TB` : `${decimal(value, 0)} GB`;
}

export function microseconds(value) {
  if (!Number.isFinite(value)) return "–";
  if (value >= 1e6) return `${decimal(value / 1e6, 2)} s`;
  return value >= 1000 ? `${decimal(value / 1000, 2)} ms` : `${decimal(value, 0)} µs`;
}

export function seconds(value) {
  if (!Number.isFinite(value)) return "–";
  const days = Math.floor(value / 86400);
  const hours = Math.floor((value % 86400) / 3600);
  const minutes = Math.floor((value % 3600) / 60);
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min` : `${Math.floor(value)} s`;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

// A time in the reader's zone; the daemon's own words are its title.
export function time(text) {
  const at = text ? new Date(text) : null;
  if (!at || Number.isNaN(at.getTime())) return "–";
  const today = at.toDateString() === new Date().toDateString();
  return h("time", { datetime: text, title: text }, (today ? clock : dayAndClock).format(at));
}

// The beginning of a uuid or request id, whole in its title.
export function brief(id) {
  if (!id) return "–";
  const text = id.startsWith("req-") ? id.slice(4) : id;
  return text.length > 13 ? h("span", { class: "code", title: id }, `${text.slice(0, 8)}…`) : text;
}

// A value of a report as text.
export function plain(value) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? count(value) : decimal(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const states = { up: "good", down: "bad", forced_down: "bad", disabled: "off" };

// A host's state with its mark.
export function state(name) {
  return h("span", { class: `mark ${states[name] ?? ""}` }, String(name).replace("_", " "));
}

const outcomes = { placed: ["good", "placed"], no_valid_host: ["warn", "no valid host"], failed: ["bad", "failed"] };

export function outcome(name) {
  const [kind, words] = outcomes[name] ?? ["", name];
  return h("span", { class: `mark ${kind}` }, words);
}

export function hostLink(host, node) {
  if (!host) return "–";
  const tail = node && node !== host ? `/${encodeURIComponent(node)}` : "";
  return h("a", { href: `#/hosts/${encodeURIComponent(host)}${tail}` }, host);
}

export function serverLink(uuid, words = brief(uuid)) {
  return uuid ? h("a", { href: `#/servers/${encodeURIComponent(uuid)}` }, words) : "–";
}
