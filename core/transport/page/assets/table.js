// SPDX-License-Identifier: Apache-2.0
// A table whose columns sort. Of a long one, only the rows in sight are made, so that 10,000 stay quick.
import { fill, h, newId } from "./dom.js";

const rowHeight = 37;
const spare = 12; // rows made beyond both ends of what is in sight
const longest = 120; // a longer table is a tall one with rows made as needed

function compare(a, b) {
  const noA = a === null || a === undefined || a === "";
  const noB = b === null || b === undefined || b === "";
  if (noA || noB) return noA - noB;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// What scrolls can be reached by the keyboard; what does not is no stop on the way.
export function markScrolling(element, name) {
  const scrolls = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  if (scrolls === element.hasAttribute("tabindex")) return;
  for (const [attribute, value] of [
    ["tabindex", "0"],
    ["role", "group"],
    ["aria-label", name],
  ]) {
    if (scrolls) element.setAttribute(attribute, value);
    else element.removeAttribute(attribute);
  }
}

// columns: [{key, title, value(row) to sort by, cell(row) to show, number, wide, spoken: a title that is not
// seen}]. Without `value` a column does not sort.
export class Table {
  #rows = [];
  #sorted = [];
  #column = null;
  #down = false;
  #from = -1;
  #to = -1;

  constructor(name, columns, { rowKey = null, chosen = () => false, sort = null, down = false } = {}) {
    this.columns = columns;
    this.rowKey = rowKey;
    this.chosen = chosen;
    this.#column = columns.find((column) => column.key === sort) ?? null;
    this.#down = down;
    this.body = h("tbody");
    this.headings = columns.map((column) => this.#heading(column));
    const head = h("thead", null, h("tr", null, this.headings));
    this.table = h("table", { "aria-label": name, id: newId("table") }, head, this.body);
    this.name = name;
    this.element = h("div", { class: "sheet" }, this.table);
    this.element.addEventListener("scroll", () => this.#draw(false), { passive: true });
    new ResizeObserver(() => {
      this.#draw(false);
      markScrolling(this.element, name);
    }).observe(this.element);
  }

  #heading(column) {
    const classes = [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ");
    const title = column.spoken ? h("span", { class: "unseen" }, column.spoken) : column.title;
    if (!column.value) return h("th", { scope: "col", class: classes || null }, title);
    const button = h("button", { type: "button", on: { click: () => this.#sortBy(column) } }, column.title);
    return h("th", { scope: "col", class: classes || null, "aria-sort": "none" }, button);
  }

  #sortBy(column) {
    this.#down = this.#column === column ? !this.#down : Boolean(column.number);
    this.#column = column;
    this.#sort();
    this.element.scrollTop = 0;
    this.#draw(true);
  }

  #sort() {
    const column = this.#column;
    this.#sorted = this.#rows.slice();
    if (column) {
      const sign = this.#down ? -1 : 1;
      const keyed = this.#sorted.map((row) => [column.value(row), row]);
      const none = (key) => key === null || key === undefined || key === "";
      keyed.sort(([a], [b]) => (none(a) || none(b) ? compare(a, b) : sign * compare(a, b)));
      this.#sorted = keyed.map(([, row]) => row);
    }
    this.columns.forEach((each, at) => {
      if (!each.value) return;
      const order = each !== column ? "none" : this.#down ? "descending" : "ascending";
      this.headings[at].setAttribute("aria-sort", order);
    });
  }

  show(rows) {
    this.#rows = rows;
    const tall = rows.length > longest;
    this.element.classList.toggle("tall", tall);
    this.table.classList.toggle("fixed", tall);
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.#sort();
    this.#draw(true);
  }

  // Makes the rows again, as after another one was chosen.
  redraw() {
    this.#draw(true);
  }

  get first() {
    return this.#sorted[0];
  }

  #draw(always) {
    const all = this.#sorted.length;
    let from = 0;
    let to = all;
    if (all > longest) {
      const high = this.element.clientHeight || 620;
      from = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - spare);
      from -= from % 2;
      to = Math.min(all, from + Math.ceil(high / rowHeight) + 2 * spare);
    }
    if (!always && from === this.#from && to === this.#to) return;
    this.#from = from;
    this.#to = to;
    const rows = this.#sorted.slice(from, to).map((row, at) => this.#row(row, from + at));
    fill(this.body, this.#gap(from), rows, this.#gap(all - to));
    markScrolling(this.element, this.name);
  }

  #gap(rows) {
    if (rows <= 0) return null;
    const cell = h("td", { colspan: this.columns.length, vars: { "--gap": `${rows * rowHeight}px` } });
    return h("tr", { class: "spacer", "aria-hidden": "true" }, cell);
  }

  #row(row, at) {
    const cells = this.columns.map((column) => {
      const classes = [column.number && "number", column.wide && "wide", column.style].filter(Boolean).join(" ");
      return h("td", { class: classes || null, title: column.hint?.(row) }, column.cell(row));
    });
    const key = this.rowKey?.(row);
    return h("tr", { "aria-rowindex": at + 2, class: this.chosen(row) ? "chosen" : null, "data-row": key }, cells);
  }
}

// A small table that does not change its order.
export function plainTable(name, columns, rows) {
  const table = new Table(
    name,
    columns.map((column) => ({ ...column, value: undefined })),
  );
  table.show(rows);
  return table.element;
}
