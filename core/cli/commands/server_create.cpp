// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/server_create.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>

#include "core/cli/request/request_builder.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/key_values.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::cli {

namespace {

using Milliseconds = std::chrono::milliseconds;

std::string state_of(const json::value& instance) {
  if (!instance.is_object()) return "";
  std::string state(json::find_string(instance.get_object(), "vm_state").value_or(""));
  std::ranges::transform(state, state.begin(),
                         [](unsigned char letter) { return static_cast<char>(::toupper(letter)); });
  return state;
}

bool is_settled(const json::value& instance) {
  const std::string state = state_of(instance);
  return state == "ACTIVE" || state == "ERROR" || state == "DELETED";
}

std::string text_of(const json::value& instance, std::string_view key) {
  if (!instance.is_object()) return "";
  return std::string(json::find_string(instance.get_object(), key).value_or(""));
}

Result<json::object> build_args(Session& session, const Arguments& arguments) {
  if (arguments.text("NAME").empty())
    return Error{ErrorCode::invalid_argument, "NAME: expected a name, found an empty text", ""};
  auto built = build_request(arguments, arguments.text("NAME"), session.context());
  if (!built) return std::move(built).error();
  auto metadata = texts_from_words(arguments.all("property"), false);
  if (!metadata) return std::move(metadata).error().within("--property");
  if (!metadata->empty()) built->request_spec["instance_properties"].get_object()["metadata"] = *metadata;
  json::array uuids;
  for (std::int64_t made = arguments.integer("count").value_or(1); made > 0; --made)
    uuids.emplace_back(to_text(random_uuid()));
  built->request_spec["instance_uuids"] = std::move(uuids);
  return json::object{{"request_spec", built->request_spec},
                      {"filter_properties", built->filter_properties},
                      {"is_first_time", true},
                      {"legacy_bdm_in_spec", false}};
}

void show_progress(Session& session, const json::array& instances) {
  if (!session.shows_progress()) return;
  std::size_t active = 0;
  std::size_t failed = 0;
  for (const json::value& instance : instances) {
    active += state_of(instance) == "ACTIVE" ? 1 : 0;
    failed += state_of(instance) == "ERROR" ? 1 : 0;
  }
  session.err() << "\r\x1b[K" << active << " of " << instances.size() << " active";
  if (failed > 0) session.err() << ", " << failed << " in error";
  session.err() << std::flush;
}

// Asks again and again for those that are not settled yet. True: all are.
Result<bool> follow(Session& session, json::array& instances, Milliseconds patience) {
  Milliseconds step{50};
  const auto begun = std::chrono::steady_clock::now();
  for (Milliseconds waited{0};;) {
    bool all_settled = true;
    for (json::value& instance : instances) {
      if (is_settled(instance)) continue;
      auto now = session.call("show_instance", {{"instance", text_of(instance, "uuid")}});
      if (!now) return std::move(now).error().within("while waiting for " + text_of(instance, "name"));
      instance = std::move(*now);
      all_settled = all_settled && is_settled(instance);
    }
    show_progress(session, instances);
    if (all_settled || waited >= patience) return all_settled;
    session.pause(step);
    // To ask for many takes a while, too.
    const auto passed = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - begun);
    waited = std::max(waited + step, passed);
    step = std::min(step * 2, Milliseconds(1000));
  }
}

void print_instances(Session& session, const json::array& instances) {
  TextTable table({"NAME", "STATUS", "HOST", "NODE", "UUID", "REASON"});
  for (const json::value& instance : instances) {
    if (!instance.is_object()) continue;
    const json::object& fields = instance.get_object();
    table.add({cell_text(json::find(fields, "name")), state_of(instance), cell_text(json::find(fields, "host")),
               cell_text(json::find(fields, "node")), cell_text(json::find(fields, "uuid")),
               cell_text(json::find(fields, "fault"))});
  }
  json::object answer{{"instances", instances}};
  print_table(session, answer, table);
}

int exit_code_for(const json::array& instances) {
  int code = exit_code::success;
  for (const json::value& instance : instances) {
    if (state_of(instance) != "ERROR" && state_of(instance) != "DELETED") continue;
    if (text_of(instance, "fault").find("No valid host") != std::string::npos) return exit_code::no_valid_host;
    code = exit_code::failure;
  }
  return code;
}

// A driver passes over the hints that it does not know, so that a word that was mistyped would do nothing in silence.
void warn_of_unread_hints(Session& session, const json::object& args) {
  constexpr std::array<std::string_view, 6> read{"group", "same_host",          "different_host",
                                                 "query", "build_near_host_ip", "cidr"};
  for (const auto& [hint, value] : args.at("filter_properties").at("scheduler_hints").as_object()) {
    if (std::ranges::find(read, std::string_view(hint)) == read.end())
      print_warning(session, "no driver of Gantry's own reads the hint '" + std::string(hint) +
                                 "'; they read group, same_host, different_host, query, build_near_host_ip and cidr");
  }
}

}  // namespace

Result<int> create_server(Session& session, const Arguments& arguments) {
  auto args = build_args(session, arguments);
  if (!args) return std::move(args).error();
  warn_of_unread_hints(session, *args);
  auto answer = session.call("schedule_run_instance", *args);
  if (!answer) return std::move(answer).error();
  const json::array* placed = answer->is_object() ? json::find_array(answer->get_object(), "instances") : nullptr;
  if (placed == nullptr)
    return Error{ErrorCode::internal,
                 "schedule_run_instance: expected {\"instances\": [...]}, found " + json::write(*answer), ""};
  json::array instances = *placed;
  bool settled = true;
  if (!arguments.flag("no-wait")) {
    auto followed = follow(session, instances, arguments.seconds("wait-timeout").value_or(Milliseconds(60'000)));
    if (session.shows_progress()) session.err() << "\r\x1b[K" << std::flush;
    if (!followed) {
      print_instances(session, instances);
      return std::move(followed).error();
    }
    settled = *followed;
  }
  print_instances(session, instances);
  if (!settled)
    return Error{ErrorCode::internal,
                 "not all instances were ready after " + arguments.text("wait-timeout") +
                     " s, and their hosts go on: `gantry server show NAME` tells how each is, `gantry cast list` what "
                     "no agent has taken yet (--wait-timeout waits longer, --no-wait not at all)",
                 ""};
  return exit_code_for(instances);
}

}  // namespace gantry::cli
