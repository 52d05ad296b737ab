// SPDX-License-Identifier: Apache-2.0
// Asks the daemon that served this page. Only what reads can be asked from here.

const reading = new Set([
  "capacity",
  "list_aggregates",
  "list_decisions",
  "list_hosts",
  "list_instances",
  "select_destinations",
  "show_decision",
  "show_host",
  "show_instance",
  "stats",
  "status",
  "why_not",
]);

const place = "gantry.token";

// Why there is no answer. kind: token, role, missing (an older daemon), gone (no such thing), busy, away or wrong.
export class Failure extends Error {
  constructor(kind, message, details = {}) {
    super(message);
    this.kind = kind;
    this.code = details.code ?? "";
    this.details = details.details ?? {};
    this.wait = details.wait ?? 0; // seconds until it makes sense to ask again
  }
}

export const token = {
  get: () => sessionStorage.getItem(place) ?? "",
  set(text) {
    if (text) sessionStorage.setItem(place, text);
    else sessionStorage.removeItem(place);
  },
};

const kinds = { 401: "token", 403: "role", 429: "busy", 503: "busy", 504: "busy" };

function failureOf(status, body, answer) {
  const error = body?.error ?? {};
  const code = error.code ?? "";
  const kind = code === "unsupported" ? "missing" : status === 404 ? "gone" : (kinds[status] ?? "wrong");
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  return new Failure(kind, error.message ?? `status ${status} without a reason`, {
    code,
    details: error.details,
    wait,
  });
}

// How long a question may wait for its whole answer, in milliseconds. A large fleet takes a while.
const limits = { readiness: 8000, stats: 20_000, status: 20_000 };
const limit = 60_000;

let answered = performance.now(); // when the last answer began to arrive
const open = new Set(); // when each of the questions was asked that wait for theirs

// Seconds since the last answer, and those that a question has waited since. 0: none waits.
export const silence = {
  seconds: () => (performance.now() - answered) / 1000,
  waiting: () => (open.size ? (performance.now() - Math.max(answered, Math.min(...open))) / 1000 : 0),
};

// {answer, body}: a response and its JSON; null: it has none. Throws a Failure, or an AbortError once the signal is given.
async function ask(path, request, most) {
  const run = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    run.abort();
  }, most);
  const giveUp = () => run.abort();
  if (request.signal?.aborted) giveUp();
  request.signal?.addEventListener("abort", giveUp);
  const asked = performance.now();
  open.add(asked);
  try {
    const answer = await send(path, { ...request, signal: run.signal });
    answered = performance.now();
    open.delete(asked);
    const body = await answer.json().catch((error) => {
      if (error.name === "AbortError") throw error;
      return null;
    });
    return { answer, body };
  } catch (error) {
    if (late) throw new Failure("away", `No answer came within ${most / 1000} s.`);
    throw error;
  } finally {
    open.delete(asked);
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", giveUp);
  }
}

async function send(path, request) {
  const headers = { Accept: "application/json", ...request.headers };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  const url = new URL(path, document.baseURI);
  try {
    return await fetch(url, { ...request, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("away", "No answer came from the daemon.");
  }
}

// The result of a method. Throws a Failure, or an AbortError once the signal is given.
export async function call(method, args = {}, signal = undefined) {
  if (!reading.has(method)) throw new Failure("wrong", `${method} is not for this page`);
  const sent = method === "select_destinations" ? { ...args, dry_run: true } : args;
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ args: sent }),
    signal,
  };
  const { answer, body } = await ask(`../v1/${method}`, request, limits[method] ?? limit);
  if (!answer.ok) throw failureOf(answer.status, body, answer);
  if (body === null) throw new Failure("away", "The answer ended before it was whole.");
  return body.result;
}

const unknown = new Set(); // the methods that this daemon does not have

// Like call, but null where the daemon is too old to know the method.
export async function callIfKnown(method, args, signal) {
  if (unknown.has(method)) return null;
  try {
    return await call(method, args, signal);
  } catch (error) {
    if (error.kind !== "missing") throw error;
    unknown.add(method);
    return null;
  }
}

// What /readyz says: {status, reasons}. Nobody needs a token for it.
export async function readiness(signal) {
  const { body } = await ask("../readyz", { signal }, limits.readiness);
  return body ?? { status: "unknown", reasons: [] };
}

// Asks whether anybody answers.
export async function knock() {
  await ask("../livez", {}, limits.readiness);
}

// Every host of the topic, page by page; `onPage` is told how many have come. Ends at `most`.
export function allHosts(most, signal, onPage = () => {}) {
  return allOf("list_hosts", { topic: "compute" }, markerOf, most, signal, onPage);
}

// Every aggregate.
export function allAggregates(signal) {
  return allOf("list_aggregates", {}, (each) => String(each.id), 100000, signal);
}

// The items of a list, page by page. A page of many bytes ends before its limit.
async function allOf(method, args, idOf, most, signal, onPage = () => {}) {
  const size = 1000;
  const manyBytes = 1 << 20;
  const rows = [];
  let marker = null;
  while (rows.length < most) {
    const limit = Math.min(size, most - rows.length);
    const page = await call(method, marker === null ? { ...args, limit } : { ...args, limit, marker }, signal);
    rows.push(...page);
    onPage(rows);
    if (page.length === 0 || (page.length < limit && JSON.stringify(page).length < manyBytes)) break;
    marker = idOf(page[page.length - 1]);
  }
  return rows;
}

function markerOf(row) {
  const part = (text) => text.replaceAll("%", "%25").replaceAll("/", "%2F");
  return row.hypervisor_hostname ? `${part(row.host)}/${part(row.hypervisor_hostname)}` : part(row.host);
}
