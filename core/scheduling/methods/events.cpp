// SPDX-License-Identifier: Apache-2.0
//
// The method `events`.
#include <algorithm>
#include <charconv>

#include "core/encoding/nearest.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t most_events = 1000;

std::string cursor(const State& state, std::uint64_t number) {
  return state.run_id + "-" + std::to_string(number);
}

json::object event_json(const State& state, const Event& event) {
  json::object result{{"id", cursor(state, event.number)}, {"at", time_json(event.at)}, {"type", event.type}};
  for (const auto& [name, text] :
       {std::pair{"topic", &event.topic}, std::pair{"host", &event.host}, std::pair{"instance", &event.instance},
        std::pair{"request_id", &event.request_id}, std::pair{"who", &event.who}}) {
    if (!text->empty()) result[name] = *text;
  }
  for (const auto& [key, value] : event.more) result[key] = value;
  return result;
}

struct Start {
  std::uint64_t after = 0;
  bool restarted = false;
};

Result<Start> start_of(const State& state, const std::string& after) {
  if (after.empty()) return Start{state.events.newest()};
  if (after == "first") return Start{state.events.before_oldest()};
  const auto dash = after.rfind('-');
  std::uint64_t number = 0;
  const char* const end = after.data() + after.size();
  const auto read = std::from_chars(after.data() + (dash == std::string::npos ? after.size() : dash + 1), end, number);
  if (dash == std::string::npos || dash == 0 || read.ec != std::errc() || read.ptr != end) {
    return Error{
        ErrorCode::invalid_argument,
        "argument 'after': expected \"first\", or the cursor of an earlier answer or the id of an event, found '" +
            after + "'",
        {}};
  }
  // The events of an earlier run of the service are lost.
  if (after.substr(0, dash) != state.run_id) return Start{0, true};
  if (number > state.events.newest()) {
    return Error{ErrorCode::invalid_argument, "argument 'after': '" + after + "' is of no event that has happened", {}};
  }
  return Start{number};
}

Result<void> check_type(const std::string& wanted) {
  std::vector<std::string> names{"aggregate", "claims", "fleet",   "group", "host",
                                 "instance",  "log",    "service", "stats", "token"};
  for (const auto type : event_types()) names.emplace_back(type);
  if (std::find(names.begin(), names.end(), wanted) != names.end()) return {};
  auto message = "argument 'types': no events of type '" + wanted + "'";
  if (const auto near = nearest(wanted, names); !near.empty()) message += "; did you mean '" + near + "'?";
  return Error{ErrorCode::invalid_argument, message, {}};
}

// Reads a list, or a text with commas, as the query of a GET has it.
Result<std::vector<std::string>> types_of(const json::object& args) {
  const auto* found = json::find(args, "types");
  if (found == nullptr || !found->is_string()) return optional_texts(args, "types");
  std::vector<std::string> types;
  std::string_view rest = found->get_string();
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    types.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return types;
}

Result<EventFilter> filter_of(const json::object& args) {
  EventFilter filter;
  auto types = types_of(args);
  if (!types) return std::move(types).error();
  for (const auto& type : *types) {
    if (auto known = check_type(type); !known) return std::move(known).error();
  }
  filter.types = std::move(*types);
  for (const auto& [name, into] : {std::pair{"host", &filter.host}, std::pair{"instance", &filter.instance}}) {
    auto text = optional_text(args, name);
    if (!text) return std::move(text).error();
    *into = std::move(*text);
  }
  auto limit = optional_integer(args, "limit", 100, 1, most_events);
  if (!limit) return std::move(limit).error();
  filter.limit = static_cast<std::size_t>(*limit);
  return filter;
}

void receive_events(State& state, const MethodCall& call, const Done& done) {
  auto filter = filter_of(call.args);
  if (!filter) return done(std::move(filter).error());
  auto after = optional_text(call.args, "after");
  if (!after) return done(std::move(after).error());
  auto wait = optional_integer(call.args, "wait_ms", 0, 0, longest_wait_ms);
  if (!wait) return done(std::move(wait).error());
  auto start = start_of(state, after->value_or(""));
  if (!start) return done(std::move(start).error());
  const auto now = std::chrono::steady_clock::now();
  // A restart of the service is reported at once.
  const auto until = start->restarted ? now : std::min(call.deadline, now + std::chrono::milliseconds(*wait));
  state.events.receive(start->after, std::move(*filter), until,
                       [&state, done, restarted = start->restarted](const EventLog::Page& page) {
                         json::array events;
                         for (const auto& event : page.events) events.push_back(event_json(state, event));
                         done(Reply(json::object{{"events", std::move(events)},
                                                 {"cursor", cursor(state, page.seen)},
                                                 {"missed", page.missed},
                                                 {"restarted", restarted}}));
                       });
}

}  // namespace

std::vector<Method> event_methods() {
  using enum ArgumentType;
  return {
      {.name = "events",
       .group = "records",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "What has happened, each told after its commit; waits for something to happen where it is asked to.",
       .args = {optional("after", text,
                         "The cursor of the answer before, an event's id, or first; not given: from now on.", "first")
                    .as(TextKind::cursor),
                optional("wait_ms", integer, "How long to wait for one, but no longer than a call may take.", "0")
                    .between(0, longest_wait_ms)
                    .otherwise("0"),
                optional("limit", integer, "The most at once.", "100").between(1, 1000).otherwise("100"),
                optional("types", any,
                         "Only these: a list, or text with commas; whole types or the part before the dot."),
                optional("host", text, "Only those of this host."),
                optional("instance", text, "Only those of this instance.")},
       .result = "Events",
       .handle = receive_events}};
}

}  // namespace gantry::scheduling
