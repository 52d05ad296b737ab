// SPDX-License-Identifier: Apache-2.0
// The flavors that the fleet view asks about. A reader's own are kept in the browser.
import { field, h } from "./dom.js";

const place = "gantry.flavors";

const usual = [
  { name: "m1.tiny", vcpus: 1, memory_mb: 512, root_gb: 1 },
  { name: "m1.small", vcpus: 1, memory_mb: 2048, root_gb: 20 },
  { name: "m1.medium", vcpus: 2, memory_mb: 4096, root_gb: 40 },
  { name: "m1.large", vcpus: 4, memory_mb: 8192, root_gb: 80 },
  { name: "m1.xlarge", vcpus: 8, memory_mb: 16384, root_gb: 160 },
];

function isFlavor(each) {
  return (
    typeof each?.name === "string" &&
    [each.vcpus, each.memory_mb, each.root_gb].every((value) => Number.isInteger(value) && value >= 0)
  );
}

export function ownFlavors() {
  try {
    const read = JSON.parse(localStorage.getItem(place) ?? "null");
    return Array.isArray(read) && read.every(isFlavor) ? read : null;
  } catch {
    return null;
  }
}

export function keepFlavors(flavors) {
  try {
    if (flavors) localStorage.setItem(place, JSON.stringify(flavors));
    else localStorage.removeItem(place);
  } catch {
    // They hold until the page is left.
  }
}

// The flavors of servers that are there, else those of Nova's first installations.
export function flavorsOf(instances) {
  const found = new Map();
  for (const { flavor } of instances) {
    const each = { name: flavor?.name, vcpus: flavor?.vcpus, memory_mb: flavor?.memory_mb, root_gb: flavor?.root_gb };
    if (each.name && isFlavor(each) && found.size < 20) found.set(each.name, each);
  }
  const list = found.size ? [...found.values()] : usual;
  return list.sort((a, b) => a.memory_mb - b.memory_mb || a.vcpus - b.vcpus);
}

export function asked(flavor) {
  return {
    name: flavor.name,
    vcpus: flavor.vcpus,
    memory_mb: flavor.memory_mb,
    root_gb: flavor.root_gb,
    ephemeral_gb: 0,
    swap: 0,
    extra_specs: {},
  };
}

function sizeField(label, name, value) {
  return field(
    label,
    h("input", {
      type: "number",
      name,
      min: name === "vcpus" ? "1" : "0",
      step: "1",
      value: String(value),
      required: true,
    }),
  );
}

// A form that adds a flavor by onAdd(flavor).
export function flavorForm(onAdd, onReset) {
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    const number = (name) => Number(given.get(name));
    onAdd({
      name: String(given.get("name")).trim(),
      vcpus: number("vcpus"),
      memory_mb: number("memory_mb"),
      root_gb: number("root_gb"),
    });
  };
  return h(
    "details",
    null,
    h("summary", null, "Ask about another flavor"),
    h(
      "form",
      { on: { submit } },
      h(
        "div",
        { class: "fields" },
        field("Name", h("input", { name: "name", value: "my.flavor", required: true, spellcheck: "false" })),
        sizeField("vCPUs", "vcpus", 2),
        sizeField("Memory, MiB", "memory_mb", 4096),
        sizeField("Disk, GB", "root_gb", 40),
        h("button", { type: "submit", class: "main" }, "Ask"),
        h("button", { type: "button", on: { click: onReset } }, "Back to the usual ones"),
      ),
    ),
  );
}
