// SPDX-License-Identifier: Apache-2.0
// Makes elements. Whatever is given as a child becomes text, never markup: names and reasons come from elsewhere.

const svgSpace = "http://www.w3.org/2000/svg";

function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    } else if (name === "vars") {
      for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
    } else if (name === "value") {
      element.value = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
}

// h("p", {class: "note"}, "text", node, [more])
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  element.append(...nodesOf(children));
  dress(element, attributes);
  return element;
}

// The same for a part of an SVG.
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  element.append(...children);
  dress(element, attributes);
  return element;
}

function nodesOf(children) {
  return children
    .flat(3)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

// What tells an element from its neighbours when they are made again.
function keyOf(element) {
  return element.dataset?.key ?? element.getAttribute?.("href") ?? element.id;
}

// Puts new children in place of the old ones. The focus stays where it was, if what had it is still there.
export function fill(container, ...children) {
  const active = document.activeElement;
  const key = active && active !== container && container.contains(active) ? keyOf(active) : null;
  container.replaceChildren(...nodesOf(children));
  if (!key) return;
  for (const each of container.querySelectorAll("a, button, input, select, summary, [tabindex]")) {
    if (keyOf(each) === key) return each.focus({ preventScroll: true });
  }
}

let labels = 0;

// A new id, for what a label or a description refers to.
export function newId(stem) {
  labels += 1;
  return `${stem}-${labels}`;
}

// A section with a heading. `more`: what stands beside the heading.
export function panel(title, { size = "", more = null, level = "h2" } = {}, ...children) {
  const id = newId("panel");
  const head = h("header", null, h(level, { id }, title), more && (more instanceof Node ? more : h("p", null, more)));
  return h("section", { class: `panel ${size}`, "aria-labelledby": id }, head, ...children);
}

// A label with its control.
export function field(label, control, extra = "") {
  control.id ||= newId("field");
  return h("div", { class: `field ${extra}` }, h("label", { for: control.id }, label), control);
}

export function select(options, chosen, act, attributes = {}) {
  const list = options.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  return h("select", { ...attributes, on: { change: (event) => act(event.target.value) } }, ...list);
}

// A place that says something where there is nothing to show.
export function empty(title, ...words) {
  return h("p", { class: "empty" }, h("strong", null, title), ...words);
}

export function waiting(words = "Asking the daemon…") {
  return h("p", { class: "waiting" }, words);
}

// Says a sentence to those who do not see the page.
export function speak(words) {
  const place = document.getElementById("spoken");
  if (place.textContent !== words) place.textContent = words;
}

// Calls `act` once `pause` milliseconds have passed without a further call.
export function settled(act, pause) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), pause);
  };
}
