// SPDX-License-Identifier: Apache-2.0
// One decision: what was asked, what each step did, who led, who was taken, and why not any other.
import { call, callIfKnown } from "./api.js";
import { accountDetail, accountsPart } from "./accounts.js";
import { funnel } from "./bars.js";
import { empty, field, fill, h, panel, select, waiting } from "./dom.js";
import { failureBox } from "./failures.js";
import { count, decimal, hostLink, microseconds, outcome, plural, serverLink, time } from "./formats.js";
import { plainTable } from "./table.js";

function sentence(decision) {
  if (decision.outcome === "placed") {
    const hosts = [...new Map(decision.destinations.map((each) => [each.host, each])).values()].slice(0, 4);
    const links = hosts.flatMap((each, at) => [at > 0 && ", ", hostLink(each.host, each.node)]);
    const who =
      decision.servers > 1
        ? `${count(decision.placed)} of ${plural(decision.servers, "server")} placed on `
        : "Placed on ";
    return h("p", { class: "answer" }, who, links, ", chosen among ", plural(decision.hosts, "host"), ".");
  }
  const words = decision.outcome === "no_valid_host" ? "No valid host was found" : "The decision failed";
  return h("p", { class: "answer" }, `${words}. ${decision.reason}`);
}

function relaxations(list) {
  if (!list?.length) return null;
  return panel(
    "What would have found a host",
    { more: "the smallest changes, each tried by deciding again" },
    h(
      "ul",
      { class: "relax" },
      list.map((each) => h("li", null, h("span", null, each.change), h("strong", null, plural(each.hosts, "host")))),
    ),
  );
}

// The best hosts for the first server, where they are known; else those that were kept with the decision.
function leadersOf(decision) {
  const ranked = (decision.accounts[0]?.hosts ?? []).filter((each) => each.rank !== null && each.weight !== null);
  return ranked.length ? ranked.slice(0, 8) : (decision.leaders ?? []);
}

function leaders(decision) {
  const best = leadersOf(decision);
  if (!best.length) return null;
  const taken = new Set(decision.destinations.map((each) => each.host));
  return panel(
    "Leaders",
    { size: "third" },
    plainTable(
      "Leaders",
      [
        {
          title: "Host",
          cell: (row) => h("span", null, hostLink(row.host, row.node), taken.has(row.host) && " · taken"),
        },
        { title: "Weight", number: true, cell: (row) => decimal(row.weight) },
      ],
      best,
    ),
  );
}

function taken(decision) {
  if (!decision.destinations.length) return null;
  return panel(
    "Taken",
    {},
    plainTable(
      "Taken",
      [
        { title: "Server", cell: (row) => serverLink(row.instance_uuid, row.instance_uuid) },
        { title: "Host", cell: (row) => hostLink(row.host, row.node) },
        { title: "Weight", number: true, cell: (row) => decimal(row.weight) },
      ],
      decision.destinations,
    ),
  );
}

// The steps for the first server; those for further ones, which began where it ended, are folded.
function stepsOf(steps) {
  if (!steps.length) return empty("No steps were recorded", "This driver names none.");
  const first = steps.filter((step) => !step.instance);
  const rest = steps.filter((step) => step.instance > 0);
  if (!rest.length) return funnel(first);
  return h(
    "div",
    { class: "stack" },
    funnel(first),
    h("details", null, h("summary", null, "Steps for the further servers"), funnel(rest)),
  );
}

function lost(decision) {
  if (!decision.claims_lost?.length) return null;
  return panel(
    "Lost races",
    { more: "another request took the room first; the next host was tried" },
    plainTable(
      "Lost races",
      [
        { title: "Server", number: true, cell: (row) => count((row.instance ?? 0) + 1) },
        { title: "Host", cell: (row) => hostLink(row.host, row.node) },
      ],
      decision.claims_lost,
    ),
  );
}

function facts(decision) {
  const pairs = [
    ["Time", time(decision.time)],
    ["Method", decision.method],
    ["Driver", `${decision.driver} ${decision.driver_version}`],
    ...(decision.profile ? [["Profile", decision.profile]] : []),
    ...(decision.fallback_for ? [["In the place of", `${decision.fallback_for}: ${decision.fallback_reason}`]] : []),
    ["Took", microseconds(decision.microseconds)],
    ["Project", decision.project_id || "–"],
    ["User", decision.user_id || "–"],
    ["Request", h("span", { class: "code" }, decision.request_id)],
    ["Seed", h("span", { class: "code" }, decision.seed)],
  ];
  return panel(
    "Who asked for what",
    {},
    h(
      "dl",
      { class: "facts" },
      pairs.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    ),
    h(
      "details",
      null,
      h("summary", null, "The whole request"),
      h("pre", { tabindex: "0" }, JSON.stringify(decision.request, null, 2)),
    ),
  );
}

const verdictWords = {
  chosen: "good",
  passed: "good",
  rejected: "bad",
  not_eligible: "warn",
  lost: "warn",
  not_there: "off",
};

function asSentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function whyNotForm(decision) {
  const host = h("input", {
    name: "host",
    required: true,
    spellcheck: "false",
    autocapitalize: "none",
    placeholder: "any host of the fleet at that time",
  });
  const answer = h("div", { role: "status" });
  const submit = async (event) => {
    event.preventDefault();
    fill(answer, waiting("Deciding again on the facts as they were…"));
    try {
      const found = await callIfKnown("why_not", { host: host.value.trim(), id: decision.id });
      if (!found) return fill(answer, empty("This daemon cannot tell", "Its successor knows the method why_not."));
      fill(
        answer,
        h(
          "p",
          { class: "answer" },
          h("span", { class: `mark ${verdictWords[found.outcome] ?? ""}` }),
          asSentence(found.sentence),
        ),
        found.verdicts?.length > 0 && accountDetail(found),
      );
    } catch (error) {
      fill(answer, failureBox(error));
    }
  };
  return panel(
    "Why not another host?",
    {},
    h(
      "form",
      { on: { submit } },
      h("div", { class: "fields" }, field("Host", host), h("button", { type: "submit", class: "main" }, "Why not?")),
    ),
    answer,
  );
}

function hostsPanel(decision, every, askEvery) {
  const body = h("div");
  const instances = decision.accounts;
  if (!decision.facts.known || !instances.length) {
    return panel(
      "Every host",
      {},
      empty(
        "What became of each host is no longer known",
        decision.facts.reason || `Driver ${decision.driver} does not account for single hosts.`,
      ),
    );
  }
  const chosen = (at) =>
    new Set(
      decision.destinations.filter((_, place) => instances.length === 1 || place === at).map((each) => each.host),
    );
  const show = (at) => fill(body, accountsPart(instances[at].hosts, instances[at].left_out, chosen(at)));
  show(0);
  const choice =
    instances.length > 1 &&
    field(
      "Server",
      select(
        instances.map((_, at) => [String(at), `${at + 1} of ${instances.length}`]),
        "0",
        (value) => show(Number(value)),
      ),
    );
  const more =
    !every &&
    h(
      "button",
      {
        type: "button",
        "data-key": "every",
        title: "Asks each filter for each host, and weighs all that are left",
        on: { click: askEvery },
      },
      "Ask every filter",
    );
  return panel("Every host", { more: h("div", { class: "choices" }, choice, more) }, body);
}

export function view({ parts, live }) {
  const byServer = parts[0] === "servers";
  const title = byServer ? "Why this server is where it is" : `Decision #${parts[1]}`;
  const heading = h("h1", { tabindex: "-1" }, title);
  const said = h("p");
  let every = false;
  const body = h("div", { class: "stack" }, waiting());
  const crumb = h("p", { class: "crumb" }, h("a", { href: "#/decisions" }, "Decisions"));
  const element = h("div", { class: "stack" }, h("div", { class: "head" }, h("div", null, crumb, heading, said)), body);

  async function refresh(signal) {
    const which = byServer ? { instance_uuid: parts[1] } : { id: Number(parts[1]) };
    const decision = await call("show_decision", { ...which, explain: every ? "all_filters" : "hosts" }, signal);
    decision.facts ??= { known: true, reason: "" };
    decision.accounts = Array.isArray(decision.instances) ? decision.instances : [];
    decision.servers = Math.max(decision.instance_uuids?.length ?? 0, decision.accounts.length, decision.placed, 1);
    heading.textContent = byServer ? title : `Decision #${decision.id}`;
    fill(
      said,
      byServer
        ? h(
            "span",
            null,
            "Server ",
            h("span", { class: "code" }, parts[1]),
            ", decision ",
            h("a", { href: `#/decisions/${decision.id}` }, `#${decision.id}`),
            " ",
          )
        : null,
      outcome(decision.outcome),
    );
    fill(
      body,
      sentence(decision),
      relaxations(decision.relaxations),
      h(
        "div",
        { class: "columns" },
        panel("Steps", { size: leadersOf(decision).length ? "two-thirds" : "" }, stepsOf(decision.steps)),
        leaders(decision),
      ),
      decision.destinations.length > 1 && taken(decision),
      lost(decision),
      whyNotForm(decision),
      hostsPanel(decision, every, () => {
        every = true;
        live.now();
      }),
      facts(decision),
    );
  }

  function failed(error) {
    if (error.kind === "missing")
      return fill(
        body,
        empty("This daemon keeps no decisions", "A later one keeps a million of them, or thirty days."),
      );
    if (error.kind === "gone")
      fill(
        body,
        empty(
          "This decision is not kept",
          "A million decisions or thirty days are kept, whichever is less; there may also be none of that number.",
        ),
      );
  }

  return { title, element, refresh, interval: 0, failed };
}
