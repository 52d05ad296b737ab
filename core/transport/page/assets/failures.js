// SPDX-License-Identifier: Apache-2.0
// Says what went wrong and what to do about it.
import { token } from "./api.js";
import { field, h } from "./dom.js";

const words = {
  token: [
    "This daemon wants an access token",
    "A token with the role reader is enough for all of this page. An admin makes one with:",
  ],
  role: [
    "This token may not do that",
    "The page needs a token with the role reader, service or admin. An admin makes one with:",
  ],
  busy: [
    "The daemon cannot answer right now",
    "The page asks again by itself. gantry status and the daemon's log tell more.",
  ],
  away: [
    "The daemon does not answer",
    "The page asks again by itself. If it stays so: is gantryd running (systemctl status gantryd), and is the way to it, such as an ssh -L, still open?",
  ],
  missing: ["This daemon is older than the page", "It does not know the method that this view needs."],
  gone: ["There is no such thing", ""],
  wrong: ["The daemon refused the question", ""],
};

const making = "gantry token create --role reader page";

function tokenForm(onToken) {
  const input = h("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const enter = (event) => {
    event.preventDefault();
    token.set(input.value.trim());
    onToken();
  };
  return h(
    "form",
    { on: { submit: enter } },
    h("p", null, h("code", null, making)),
    h(
      "div",
      { class: "fields" },
      field("Access token", input),
      h("button", { class: "main", type: "submit" }, "Use it"),
    ),
    h("p", { class: "note" }, "It is kept in this tab until the tab is closed, and is sent to this daemon alone."),
  );
}

// A box for a Failure. `onToken` is called once a token was typed in.
export function failureBox(error, onToken = () => {}) {
  const [title, advice] = words[error.kind] ?? words.wrong;
  const wants = error.kind === "token" || error.kind === "role";
  const kinds = { token: "calm", busy: "mild", missing: "mild", gone: "mild" };
  return h(
    "div",
    { class: `failure ${kinds[error.kind] ?? ""}`, "data-kind": error.kind ?? "wrong" },
    h("h2", null, title),
    error.message && error.kind !== "token" && h("p", null, error.message),
    advice && h("p", null, advice),
    wants && tokenForm(onToken),
  );
}
