// SPDX-License-Identifier: Apache-2.0
// The request of the what-if: sliders for its sizes, fields for the rest.
import { field, h, newId } from "./dom.js";
import { gigabytes, mebibytes } from "./formats.js";

// Steps that double, for sizes: from 0 over 64 MiB to 2 TiB.
const memorySteps = [
  0, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152,
];
const diskSteps = [0, 1, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120];
const vcpuSteps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

// A slider over steps beside a number that takes any value.
function stepped(label, steps, value, words, onChange) {
  const id = newId("slider");
  const nearest = (wanted) =>
    steps.reduce((best, step, at) => (Math.abs(step - wanted) < Math.abs(steps[best] - wanted) ? at : best), 0);
  const hint = h("span", { class: "hint" });
  const range = h("input", {
    type: "range",
    min: "0",
    max: String(steps.length - 1),
    step: "1",
    value: String(nearest(value)),
    "aria-label": label,
  });
  const number = h("input", { type: "number", id, min: String(steps[0]), step: "1", value: String(value) });
  const tell = () => {
    hint.textContent = words ? words(Number(number.value)) : "";
    range.setAttribute("aria-valuetext", words ? words(Number(number.value)) : number.value);
  };
  range.addEventListener("input", () => {
    number.value = String(steps[Number(range.value)]);
    tell();
    onChange();
  });
  number.addEventListener("input", () => {
    range.value = String(nearest(Number(number.value)));
    tell();
    onChange();
  });
  tell();
  return {
    element: h("div", { class: "slider" }, h("label", { for: id }, label), range, number, words && hint),
    value: () => Math.max(steps[0], Math.round(Number(number.value)) || 0),
  };
}

// "key=value" a line each. Returns {pairs} or {fault}.
export function readPairs(text) {
  const pairs = {};
  for (const line of text
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean)) {
    const at = line.indexOf("=");
    if (at < 1) return { fault: `“${line}”: expected key=value` };
    pairs[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { pairs };
}

function pairsField(label, example, onChange) {
  const text = h("textarea", { rows: "2", placeholder: example, spellcheck: "false", autocapitalize: "none" });
  const fault = h("p", { class: "note fall", role: "status" });
  text.addEventListener("input", () => {
    fault.textContent = readPairs(text.value).fault ?? "";
    onChange();
  });
  return { element: h("div", null, field(label, text), fault), pairs: () => readPairs(text.value).pairs ?? {} };
}

// The form: `element`, and request() as select_destinations takes it.
export function requestForm(onChange) {
  const vcpus = stepped("vCPUs", vcpuSteps, 2, null, onChange);
  const memory = stepped("Memory, MiB", memorySteps, 4096, mebibytes, onChange);
  const disk = stepped("Root disk, GB", diskSteps, 40, gigabytes, onChange);
  const number = stepped("Servers", [1, 2, 3, 4, 5, 10, 20, 50, 100], 1, null, onChange);
  const zone = h("select", { on: { change: onChange } }, h("option", { value: "" }, "any"));
  const specs = pairsField("Extra specs of the flavor", "hw:cpu_policy=dedicated", onChange);
  const hints = pairsField("Scheduler hints", "different_host=uuid", onChange);
  const image = pairsField("Image properties", "hw_architecture=x86_64", onChange);

  function setZones(names) {
    const chosen = zone.value;
    zone.replaceChildren(
      h("option", { value: "" }, "any"),
      ...names.map((name) => h("option", { value: name, selected: name === chosen }, name)),
    );
  }

  function request() {
    const sizes = { vcpus: vcpus.value(), memory_mb: memory.value(), root_gb: disk.value(), ephemeral_gb: 0 };
    return {
      request_spec: {
        num_instances: Math.max(1, number.value()),
        instance_properties: { ...sizes, availability_zone: zone.value || null },
        instance_type: { name: "what-if", ...sizes, swap: 0, extra_specs: specs.pairs() },
        image: { properties: image.pairs() },
      },
      filter_properties: { scheduler_hints: hints.pairs() },
    };
  }

  const more = h(
    "details",
    null,
    h("summary", null, "Extra specs, hints, image"),
    h("div", { class: "stack" }, specs.element, hints.element, image.element),
  );
  const element = h(
    "div",
    { class: "stack" },
    vcpus.element,
    memory.element,
    disk.element,
    number.element,
    field("Zone", zone),
    more,
  );
  return { element, request, setZones };
}
