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
  const answer = await send(`../v1/${method}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ args: sent }),
    signal,
  });
  const body = await answer.json().catch(() => null);
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
  const answer = await send("../readyz", { signal });
  return (await answer.json().catch(() => null)) ?? { status: "unknown", reasons: [] };
}

// Every host of the topic, page by page; `onPage` is told how many have come. Ends at `most`.
export async function allHosts(most, signal, onPage = () => {}) {
  const size = 2500;
  const rows = [];
  let marker = null;
  while (rows.length < most) {
    const args = { topic: "compute", limit: Math.min(size, most - rows.length) };
    if (marker) args.marker = marker;
    const page = await call("list_hosts", args, signal);
    rows.push(...page);
    onPage(rows);
    if (page.length < args.limit) break;
    marker = markerOf(page[page.length - 1]);
  }
  return rows;
}

function markerOf(row) {
  const part = (text) => text.replaceAll("%", "%25").replaceAll("/", "%2F");
  return row.hypervisor_hostname ? `${part(row.host)}/${part(row.hypervisor_hostname)}` : part(row.host);
}
