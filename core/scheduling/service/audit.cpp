// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/audit.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/state/list_change.hpp"

namespace gantry::scheduling {

namespace {

// Members that change by themselves, and the long list of an import.
constexpr std::array<std::string_view, 5> untold{"expired", "last_seen_up", "report_count", "skipped", "updated_at"};

bool is_worth_telling(std::string_view key) {
  return std::ranges::find(untold, key) == untold.end();
}

bool is_empty(const json::value& value) {
  return value.is_null() || (value.is_string() && value.get_string().empty()) ||
         (value.is_array() && value.get_array().empty()) || (value.is_object() && value.get_object().empty());
}

bool is_list_of_texts(const json::value& value) {
  return value.is_array() && std::ranges::all_of(value.get_array(), [](const auto& item) { return item.is_string(); });
}

// {member: {"before": ..., "after": ...}, ...} of the members that differ. One that is empty on a side is left out
// there. A list of texts is told by what came and went.
json::object changes_between(const json::object& before, const json::object& after,
                             const std::vector<ListChange>& lists) {
  json::object changes;
  const auto is_told = [&lists](std::string_view key) {
    return std::ranges::any_of(lists, [key](const auto& list) { return list.member == key; });
  };
  const auto tell = [&changes](const ListChange& list) {
    if (auto sides = shown(list); !sides.empty()) changes[list.member] = std::move(sides);
  };
  for (const auto& list : lists) tell(list);
  const auto note = [&](std::string_view key, std::string_view side, const json::value& value) {
    if (is_empty(value)) return;
    if (is_list_of_texts(value) && (!before.contains(key) || is_list_of_texts(before.at(key))) &&
        (!after.contains(key) || is_list_of_texts(after.at(key))))
      return tell(change_of_list(before, after, key));
    auto& change = changes[key];
    if (!change.is_object()) change.emplace_object();
    change.get_object()[side] = value;
  };
  for (const auto& [key, value] : before) {
    const auto* now = after.if_contains(key);
    if (is_worth_telling(key) && !is_told(key) && (now == nullptr || *now != value)) note(key, "before", value);
  }
  for (const auto& [key, value] : after) {
    const auto* was = before.if_contains(key);
    if (is_worth_telling(key) && !is_told(key) && (was == nullptr || *was != value)) note(key, "after", value);
  }
  return changes;
}

std::string text_of(const json::value* value) {
  constexpr std::size_t longest = 200;
  if (value == nullptr) return "-";
  auto text = value->is_string() ? std::string(value->get_string()) : json::write(*value);
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// "status: enabled -> disabled; disabled_reason: - -> new disks"
std::string text_of(const json::object& changes) {
  std::string text;
  for (const auto& [key, change] : changes) {
    const auto& sides = change.get_object();
    const bool is_list = sides.contains("added") || sides.contains("removed");
    text.append(text.empty() ? "" : "; ").append(key).append(": ");
    text += is_list ? text_of_list(sides)
                    : text_of(json::find(sides, "before")) + " -> " + text_of(json::find(sides, "after"));
  }
  return text;
}

// "service compute/node1", "aggregate 3 (ssd)", "claims 6c8a..."
std::string object_text(const Method& method, const MethodCall& call, const json::object& shown) {
  const auto member = [&](const char* key) {
    const auto* value = json::find(shown, key);
    return value == nullptr || is_empty(*value) ? std::string() : text_of(value);
  };
  std::string name;
  for (const auto* key : {"id", "uuid"})
    if (name.empty()) name = member(key);
  if (name.empty() && !member("topic").empty()) {
    name = member("topic") + "/" + member("host");
    if (!member("node").empty()) name += "/" + member("node");
  }
  if (name.empty()) name = text_argument(call, "instance_uuid");
  if (const auto given = member("name"); !given.empty() && given != name) name += " (" + given + ")";
  return std::string(method.audit.object) + (name.empty() ? "" : " ") + name;
}

// Returns whether a service or an agent makes the call as its daily work, and not by hand.
bool is_daily_work(const Method& method, const MethodCall& call) {
  const bool is_program = call.caller && (call.caller->role == Role::service || call.caller->role == Role::agent);
  return is_program && (method.group == "reports" || method.group == "scheduling");
}

}  // namespace

std::string caller_text(const MethodCall& call) {
  if (!call.caller || call.caller->token_id.empty()) return call.peer;
  return "token " + call.caller->token_id + " (" + call.caller->token_name + ")";
}

std::optional<json::object> begin_audit(const Method& method, const State& state, const MethodCall& call) {
  if (method.audit.event.empty() || is_daily_work(method, call)) return std::nullopt;
  return method.audit.before == nullptr ? json::object() : method.audit.before(state, call);
}

void audit(const Method& method, const MethodCall& call, const json::object& before, Outcome& outcome) {
  const Reply reply = outcome.reply;
  const auto after = reply && reply->is_object() ? reply->get_object() : json::object();
  auto changes = changes_between(before, after, outcome.list_changes);
  if (changes.empty() && !before.empty() && !after.empty()) return;
  auto object = object_text(method, call, before.empty() ? after : before);
  outcome.line = telemetry::Line{telemetry::Level::info,
                                 "audit",
                                 {{"who", caller_text(call)},
                                  {"method", call.method},
                                  {"object", object},
                                  {"changes", text_of(changes)},
                                  {"request_id", call.request_id}}};
  // Without a token the peer is who it was.
  if (caller_text(call) != call.peer) outcome.line->fields.push_back({"peer", call.peer});
  if (outcome.events.empty()) {
    Event event{std::string(method.audit.event), text_argument(call, "topic"), text_argument(call, "host"), {}};
    if (event.host.empty()) event.host = json::find_string(before, "host").value_or("");
    outcome.events.push_back(std::move(event));
  }
  auto& more = outcome.events.front().more;
  more.emplace("object", std::move(object));
  more.emplace("changes", std::move(changes));
}

}  // namespace gantry::scheduling
