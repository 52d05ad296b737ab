// SPDX-License-Identifier: Apache-2.0
// Begins the page: finds the view that the address names, shows it, and asks for its facts from time to time.
import { callIfKnown, token } from "./api.js";
import { fill, h, speak, waiting } from "./dom.js";
import { failureBox } from "./failures.js";
import { Live } from "./live.js";
import { Silence } from "./silence.js";

const views = {
  "": () => import("./view_scheduler.js"),
  fleet: () => import("./view_fleet.js"),
  decisions: () => import("./view_decisions.js"),
  servers: () => import("./view_decision.js"),
  "what-if": () => import("./view_what_if.js"),
  hosts: () => import("./view_host.js"),
};

const main = document.getElementById("main");
const banner = document.getElementById("banner");
const tokenButton = document.getElementById("token");
const live = new Live(showFailure, clearFailure);
let shown = null;
let asked = 0;

// "#/hosts/c1?x=y" -> {parts: ["hosts", "c1"], query}
function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path
    .split("/")
    .filter(Boolean)
    .map((part) => decode(part));
  return { parts, query: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function showFailure(error) {
  // A failure of the page itself is for its author.
  if (!error.kind) console.error(error);
  fill(
    banner,
    failureBox(error, () => live.now()),
  );
  shown?.failed?.(error);
  tokenButton.hidden = !token.get();
}

function clearFailure() {
  if (banner.firstChild) {
    fill(banner);
    speak("The daemon answers again.");
  }
  tokenButton.hidden = !token.get();
}

function markNavigation(name) {
  const belongs = { servers: "decisions", hosts: "fleet", "": "scheduler" }[name] ?? name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === belongs) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function show(moveFocus) {
  const ask = ++asked;
  const { parts, query } = address();
  const name = parts[0] ?? "";
  const load = name === "decisions" && parts[1] ? views.servers : views[name];
  live.stop();
  shown?.ended?.();
  shown = null;
  fill(banner);
  if (!load)
    return fill(
      main,
      h("h1", { tabindex: "-1" }, "There is no such page"),
      h("p", null, h("a", { href: "#/" }, "To the scheduler")),
    );
  const { view } = await load();
  if (ask !== asked) return;
  shown = view({ parts, query, live });
  document.title = `${shown.title} · Gantry`;
  markNavigation(name);
  fill(main, shown.element);
  if (moveFocus) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus({ preventScroll: true });
    speak(shown.title);
  }
  await live.start(shown.refresh, shown.interval);
}

function setPaused(paused) {
  live.pause(paused);
  const button = document.getElementById("pause");
  button.setAttribute("aria-pressed", String(paused));
  document.getElementById("pause-words").textContent = paused ? "Paused" : "Live";
  button.title = paused ? "Nothing is asked. Press to go on" : "The page asks again by itself. Press to pause";
}

function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function labelTheme() {
  const other = themeNow() === "dark" ? "Light" : "Dark";
  const button = document.getElementById("theme");
  button.textContent = other;
  button.setAttribute("aria-label", `${other} colours`);
}

function switchTheme() {
  const theme = themeNow() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("gantry.theme", theme);
  } catch {
    // It holds until the page is loaded again.
  }
  labelTheme();
  shown?.recoloured?.();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function find(event) {
  event.preventDefault();
  const input = document.getElementById("find-text");
  const text = input.value.trim();
  if (!text) return;
  input.value = "";
  const tail = encodeURIComponent(text);
  if (uuid.test(text)) location.hash = `#/servers/${tail}`;
  else if (/^\d+$/.test(text)) location.hash = `#/decisions/${tail}`;
  else if (/^req-/.test(text)) location.hash = `#/decisions?request_id=${tail}`;
  else location.hash = `#/hosts/${tail}`;
}

function begin() {
  document.getElementById("pause").addEventListener("click", () => setPaused(!live.paused));
  document.getElementById("theme").addEventListener("click", switchTheme);
  document.getElementById("find").addEventListener("submit", find);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  tokenButton.textContent = "Forget the token";
  tokenButton.addEventListener("click", () => {
    token.set("");
    show(true);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    labelTheme();
    shown?.recoloured?.();
  });
  labelTheme();
  setPaused(false);
  new Silence(
    () => live.paused,
    () => banner.querySelector("[data-kind=away]") && live.now(),
  );
  addEventListener("hashchange", () => show(true));
  fill(main, waiting());
  show(false);
  callIfKnown("status")
    .then((status) => {
      if (status) document.getElementById("served").textContent = `Gantry ${status.version}, process ${status.pid}`;
    })
    .catch(() => {});
}

begin();
