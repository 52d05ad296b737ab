// SPDX-License-Identifier: Apache-2.0
// The picture of the fleet: a cell for each host, a field of cells for each zone. A field is a slider for the keyboard and
// for those who listen: the arrows go from host to host, and each says what it is.
import { h } from "./dom.js";
import { count, percent, plural } from "./formats.js";
import { classes, colourOf, fullness, resources, useWords } from "./fullness.js";

function hostWords(row, resource) {
  const part = percent(fullness(row, resource));
  const what = resource === "fullest" ? `${part} of the scarcest` : `${part} of ${resources[resource].name}`;
  return `${row.host}, ${row.state === "up" ? "" : `${row.state.replace("_", " ")}, `}${what}`;
}

function cellSize(hosts, width) {
  if (hosts > 4000) return width < 600 ? 6 : 9;
  if (hosts > 1000) return width < 600 ? 8 : 12;
  return hosts > 200 ? 14 : 20;
}

// The fields of one picture share the size of cells, the resource and what is told of the host that is pointed at.
export class Field {
  constructor(zone, { onPoint, onOpen }) {
    this.zone = zone;
    this.onPoint = onPoint;
    this.onOpen = onOpen;
    this.rows = [];
    this.at = 0;
    this.canvas = h("canvas", {
      tabindex: "0",
      role: "slider",
      "aria-label": `Hosts of zone ${zone}`,
      "aria-valuemin": "1",
      "data-zone": zone,
    });
    this.canvas.addEventListener("pointermove", (event) => this.#pointAt(event));
    this.canvas.addEventListener("pointerleave", () => this.#mark(null));
    this.canvas.addEventListener("click", (event) => this.#clickAt(event));
    this.canvas.addEventListener("keydown", (event) => this.#key(event));
    this.canvas.addEventListener("focus", () => this.#go(this.at));
    this.canvas.addEventListener("blur", () => this.#mark(null));
    this.title = h("h3", null, zone);
    this.words = h("p");
    this.element = h("div", { class: "zone" }, h("header", null, this.title, this.words), this.canvas);
    this.marked = null;
  }

  show(rows, resource, all) {
    this.rows = rows;
    this.resource = resource;
    this.all = all;
    this.at = Math.min(this.at, Math.max(0, rows.length - 1));
    const up = rows.filter((row) => row.state === "up").length;
    const known = rows.map((row) => fullness(row, resource)).filter((part) => !Number.isNaN(part));
    const mean = known.reduce((sum, part) => sum + part, 0) / Math.max(1, known.length);
    const full = known.filter((part) => part >= 0.95).length;
    this.words.textContent = `${plural(rows.length, "host")}, ${rows.length === up ? "all up" : `${count(up)} up`} · ${percent(mean)} used on average · ${count(full)} full`;
    this.canvas.setAttribute("aria-valuemax", String(Math.max(1, rows.length)));
    this.#tell();
    this.draw();
  }

  #tell() {
    const row = this.rows[this.at];
    this.canvas.setAttribute("aria-valuenow", String(this.at + 1));
    this.canvas.setAttribute("aria-valuetext", row ? hostWords(row, this.resource) : "no host");
  }

  draw() {
    const width = this.canvas.clientWidth || this.element.clientWidth;
    if (!width || !this.rows.length) return;
    const pitch = cellSize(this.all, width);
    this.pitch = pitch;
    this.across = Math.max(1, Math.floor((width + 1) / pitch));
    const high = Math.ceil(this.rows.length / this.across) * pitch;
    const dense = globalThis.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(high * dense);
    this.canvas.style.height = `${high}px`;
    const pen = this.canvas.getContext("2d");
    pen.scale(dense, dense);
    const style = getComputedStyle(this.canvas);
    const colours = new Map();
    const colour = (name) => {
      if (!colours.has(name)) colours.set(name, style.getPropertyValue(name).trim());
      return colours.get(name);
    };
    const size = pitch - (pitch > 8 ? 2 : 1);
    this.rows.forEach((row, at) =>
      this.#cell(pen, row, (at % this.across) * pitch, Math.floor(at / this.across) * pitch, size, colour),
    );
    if (this.marked !== null) this.#frame(pen, this.marked, size, colour("--ink"));
  }

  #cell(pen, row, x, y, size, colour) {
    if (row.state === "disabled") {
      pen.strokeStyle = colour(colourOf(fullness(row, this.resource)));
      pen.lineWidth = Math.max(1, size / 5);
      pen.strokeRect(x + pen.lineWidth / 2, y + pen.lineWidth / 2, size - pen.lineWidth, size - pen.lineWidth);
      return;
    }
    pen.fillStyle = colour(row.state === "up" ? colourOf(fullness(row, this.resource)) : "--fill-away");
    pen.fillRect(x, y, size, size);
    if (row.state === "up") return;
    pen.strokeStyle = colour("--ink");
    pen.lineWidth = Math.max(1, size / 8);
    pen.beginPath();
    pen.moveTo(x, y + size);
    pen.lineTo(x + size, y);
    pen.stroke();
  }

  #frame(pen, at, size, colour) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.strokeRect((at % this.across) * this.pitch, Math.floor(at / this.across) * this.pitch, size, size);
  }

  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.pitch);
    const at = Math.floor((event.clientY - box.top) / this.pitch) * this.across + column;
    return column < this.across && at >= 0 && at < this.rows.length ? at : null;
  }

  #pointAt(event) {
    const at = this.#at(event);
    if (at !== this.marked) this.#mark(at);
  }

  #clickAt(event) {
    const at = this.#at(event);
    if (at === null) return;
    this.#go(at);
    this.onOpen(this.rows[at]);
  }

  #mark(at) {
    if (this.marked === at) return;
    this.marked = at;
    this.draw();
    this.onPoint(at === null ? null : this.rows[at]);
  }

  #go(at) {
    if (!this.rows.length) return;
    this.at = Math.max(0, Math.min(this.rows.length - 1, at));
    this.#tell();
    this.#mark(this.at);
  }

  #key(event) {
    const moves = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: this.across,
      ArrowUp: -this.across,
      PageDown: 10 * this.across,
      PageUp: -10 * this.across,
      Home: -Infinity,
      End: Infinity,
    };
    if (event.key === "Enter" || event.key === " ") this.onOpen(this.rows[this.at]);
    else if (event.key in moves) this.#go(this.at + moves[event.key]);
    else return;
    event.preventDefault();
  }
}

// What a cell says, in one line, for those who point at it.
export function pointedWords(row) {
  const uses = Object.entries(resources).map(
    ([name, each]) => `${each.name} ${percent(fullness(row, name))} (${useWords(row, name)})`,
  );
  return [row.host, row.state.replace("_", " "), ...uses].join(" · ");
}

function swatch(name, extra = "") {
  return h("span", { class: `swatch ${extra}`, vars: { "--swatch": `var(${name})` } });
}

export function scaleLegend() {
  const parts = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => swatch(`--fill-${at}`));
  return h(
    "div",
    { class: "scale" },
    h("span", { class: "words" }, "empty"),
    parts,
    h("span", { class: "words" }, "95 %"),
    swatch("--fill-full"),
    h("span", { class: "words" }, "full"),
    swatch("--fill-away", "struck"),
    h("span", { class: "words" }, "down"),
    swatch("--fill-away", "hollow"),
    h("span", { class: "words" }, "disabled"),
  );
}

// Zone by class of fullness, in numbers: the picture for those who do not see it.
export function pictureTable(zones, resource) {
  const row = ([zone, rows]) => {
    const parts = rows.filter((each) => each.state === "up").map((each) => fullness(each, resource));
    const within = classes.map(([, least, below]) =>
      count(parts.filter((part) => part >= least && part < below).length),
    );
    const away = count(rows.filter((each) => each.state !== "up").length);
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, zone),
      [...within, away].map((words) => h("td", { class: "number" }, words)),
    );
  };
  const head = [...classes.map(([words]) => words), "down or disabled"];
  return h(
    "div",
    { class: "sheet", role: "group", "aria-label": "The picture in numbers", tabindex: "0" },
    h(
      "table",
      null,
      h("caption", null, "Hosts that are up, by how much of the chosen resource is used"),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "Zone"),
          head.map((words) => h("th", { scope: "col", class: "number" }, words)),
        ),
      ),
      h("tbody", null, zones.map(row)),
    ),
  );
}
