// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <utility>

#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

constexpr std::int64_t events_a_page = 1000;
// A signal is heeded between two questions.
constexpr std::int64_t wait_ms = 1000;
constexpr std::chrono::milliseconds answer_within{5000};
constexpr std::chrono::milliseconds before_next_try{500};

// "added 500 (h1, h2 and 498 more)"
std::string side_text(const json::object& items) {
  std::string names;
  const auto* first = json::find_array(items, "first");
  const auto count = static_cast<std::size_t>(json::find_integer(items, "count").value_or(0));
  if (first == nullptr) return std::to_string(count);
  for (const auto& name : *first) names += (names.empty() ? "" : ", ") + cell_text(&name);
  if (count > first->size()) names += " and " + std::to_string(count - first->size()) + " more";
  return std::to_string(count) + " (" + names + ")";
}

std::string sides_text(const json::object& sides) {
  std::string text;
  for (const char* side : {"added", "removed"})
    if (const auto* items = json::find_object(sides, side))
      text += std::string(text.empty() ? "" : ", ") + side + " " + side_text(*items);
  if (!text.empty()) return text;
  return cell_text(json::find(sides, "before")) + " -> " + cell_text(json::find(sides, "after"));
}

std::string change_text(const json::object& event) {
  std::string text;
  if (const json::object* changes = json::find_object(event, "changes"))
    for (const auto& [name, value] : *changes)
      if (value.is_object())
        text += std::string(text.empty() ? "" : ", ") + std::string(name) + " " + sides_text(value.get_object());
  return text;
}

// "web-1 (0d0d...) on h1: vm_state building -> active"
std::string what_text(const json::object& event) {
  const auto text = [&event](const char* key) { return std::string(json::find_string(event, key).value_or("")); };
  std::string what = text("name");
  if (const auto instance = text("instance"); !instance.empty())
    what += what.empty() ? instance : " (" + instance + ")";
  else
    what = text("topic").empty() ? text("object") : text("topic");
  if (const auto host = text("host"); !host.empty()) what += (what.empty() ? "on " : " on ") + host;
  std::string more = change_text(event);
  for (const char* key : {"fault", "reason"})
    if (const auto why = text(key); !why.empty()) more += (more.empty() ? "" : ", ") + why;
  if (text("type") == "service.forced_down" && json::find_bool(event, "forced_down") == false) more = "no longer";
  if (text("type") == "fleet.imported")
    for (const char* key : {"services", "compute_nodes", "aggregates", "instances"})
      more += std::string(more.empty() ? "" : ", ") + cell_text(json::find(event, key)) + " " + key;
  if (!more.empty()) what += (what.empty() ? "" : ": ") + more;
  return text("who").empty() ? what : what + " (by " + text("who") + ")";
}

void print_event(Session& session, const json::value& value) {
  if (!value.is_object()) return;
  const json::object& event = value.get_object();
  if (session.format() == OutputFormat::json) {
    session.out() << printable_json(json::write(value)) << '\n';
    return;
  }
  const bool is_table = session.format() == OutputFormat::table;
  std::string type = cell_text(json::find(event, "type"));
  if (is_table) type.resize(std::max<std::size_t>(type.size(), 18), ' ');
  const char* const gap = is_table ? "  " : "\t";
  session.out() << cell_text(json::find(event, "at")) << gap << printable(type) << gap << printable(what_text(event))
                << '\n';
}

// Never a silent gap.
void print_gap(Session& session, bool restarted, std::int64_t missed) {
  if (session.format() == OutputFormat::json)
    session.out() << json::write(json::object{{"type", "gap"}, {"restarted", restarted}, {"missed", missed}}) << '\n';
  if (restarted)
    print_notice(session, "gantryd has begun anew; what happened since the last line and before that is not told");
  if (missed > 0)
    print_notice(session, std::to_string(missed) + (missed == 1 ? " event is" : " events are") + " not kept any more");
}

// How many there were, and where to go on.
std::size_t take(Session& session, const json::value& answer, json::object& args, bool tells_gaps) {
  if (!answer.is_object()) return 0;
  const json::object& page = answer.get_object();
  const bool restarted = json::find_bool(page, "restarted").value_or(false);
  const std::int64_t missed = json::find_integer(page, "missed").value_or(0);
  if (tells_gaps && (restarted || missed > 0)) print_gap(session, restarted, missed);
  const json::array* events = json::find_array(page, "events");
  if (events != nullptr)
    for (const json::value& event : *events) print_event(session, event);
  session.out().flush();
  if (const auto cursor = json::find_string(page, "cursor")) args["after"] = *cursor;
  return events == nullptr ? 0 : events->size();
}

Result<int> show_kept(Session& session, json::object args) {
  for (std::size_t count = events_a_page; count == events_a_page;) {
    auto answer = session.call("events", args);
    if (!answer) return std::move(answer).error();
    count = take(session, *answer, args, true);
  }
  return 0;
}

Result<int> follow(Session& session, json::object args) {
  const agent::StopSignal signal;
  const auto stop = signal.token();
  bool answered = false;
  bool absent = false;
  while (!stop.stop_requested() && session.out()) {
    auto answer = session.call_within("events", args, answer_within);
    if (!answer) {
      if (!answered || !may_pass(answer.error().code)) return std::move(answer).error();
      if (!std::exchange(absent, true)) print_notice(session, "gantryd does not answer; asking again until it does");
      agent::pause_for(stop, before_next_try);
      continue;
    }
    if (std::exchange(absent, false)) print_notice(session, "gantryd answers again");
    take(session, *answer, args, answered || args.contains("after"));
    answered = true;
    args["wait_ms"] = wait_ms;
  }
  return 0;
}

Result<int> events(Session& session, const Arguments& arguments) {
  json::object args{{"limit", events_a_page}};
  for (const char* name : {"host", "instance", "after"})
    if (arguments.has(name)) args[name] = arguments.text(name);
  json::array types;
  for (const std::string& type : arguments.all("type")) types.emplace_back(type);
  if (!types.empty()) args["types"] = std::move(types);
  if (arguments.flag("follow")) return follow(session, std::move(args));
  if (!arguments.has("after")) args["after"] = "first";
  return show_kept(session, std::move(args));
}

}  // namespace

std::vector<Command> events_commands() {
  Option type = filter_option("type", "TYPE", "Only these: instance, service, or one such as instance.error");
  type.repeatable = true;
  return {
      {.path = "events",
       .summary = "Shows what happened to instances and services",
       .description =
           "One event a line: when, what kind, to what. The daemon keeps the newest 10,000 in memory. With --follow "
           "those from now on, until it is interrupted; where the daemon is restarted it goes on with the new "
           "one, and says so. With -o json each line is an object.",
       .options = {{.name = "follow", .letter = 'f', .help = "Goes on with those to come"},
                   type,
                   filter_option("host", "HOST", "Only those on this host"),
                   filter_option("instance", "UUID", "Only those of this instance"),
                   filter_option("after", "ID", "Only those after the event of this id; first: all that are kept")},
       .examples = {{"gantry events --follow", "as they happen"},
                    {"gantry events --type instance.error", "what went wrong lately"},
                    {"gantry -o json events --follow --after first", "all of them, for a program"}},
       .run = events}};
}

}  // namespace gantry::cli
