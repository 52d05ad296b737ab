// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <utility>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"

namespace gantry::cli {

namespace {

std::string value_or_dash(const json::object& change, const char* side) {
  const auto* const value = json::find(change, side);
  return value == nullptr || value->is_null() ? "-" : cell_text(value);
}

bool has_no_values(const json::object& change) {
  return value_or_dash(change, "before") == "-" && value_or_dash(change, "after") == "-";
}

// "scheduling.call_timeout: 10.0 -> 5.0", or the three with tabs between them. A file has no values.
void print_changes(Session& session, const json::array& changes) {
  const bool is_value = session.format() == OutputFormat::value;
  for (const auto& each : changes) {
    const auto& change = each.as_object();
    if (!is_value && has_no_values(change)) {
      session.out() << value_or_dash(change, "key") << ": has changed\n";
      continue;
    }
    session.out() << value_or_dash(change, "key") << (is_value ? "\t" : ": ") << value_or_dash(change, "before")
                  << (is_value ? "\t" : " -> ") << value_or_dash(change, "after") << '\n';
  }
}

std::string sentence_for(std::string_view outcome) {
  if (outcome == "unchanged") return "the configuration is as it was";
  if (outcome == "accepted") return "a reload would apply these changes; nothing was applied";
  return "applied";
}

Result<int> reload(Session& session, const Arguments& arguments) {
  json::object args;
  if (arguments.flag("check")) args["check"] = true;
  auto answer = session.call("reload", args);
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "reload: expected an object as answer", ""};
  if (session.format() == OutputFormat::json) {
    print_json(session, *answer);
    return 0;
  }
  const auto& reloaded = answer->get_object();
  if (const auto* const warnings = json::find_array(reloaded, "warnings")) {
    for (const auto& warning : *warnings) print_warning(session, cell_text(&warning));
  }
  if (const auto* const changes = json::find_array(reloaded, "changes")) print_changes(session, *changes);
  print_notice(session, sentence_for(json::find_string(reloaded, "outcome").value_or("")));
  return 0;
}

}  // namespace

std::vector<Command> reload_commands() {
  return {{.path = "reload",
           .summary = "Has the daemon read its configuration again, and apply what needs no new process",
           .description =
               "The daemon reads the same files, environment and command line as at its start and judges all of it. "
               "Options of drivers, such as weights and enabled filters, the keys of [scheduling], log.level and "
               "log.requests are then applied at one moment: a request is decided with all of the old values or with "
               "all of the new ones, and none is lost. The certificate is read anew, too. If anything is wrong, or "
               "another key has changed, nothing is applied, the old configuration goes on, and each reason is shown. "
               "The code of drivers stays as it was loaded: for another file, and for the other keys, there is "
               "gantry restart. SIGHUP does the same; gantry status and the log tell what became of it. The exit "
               "code is 0 if the changes were applied or there are none, 78 if the configuration is not valid, 1 if a "
               "change needs a restart.",
           .options = {{.name = "check", .help = "Judges and shows the changes, and applies nothing"}},
           .examples = {{"gantry reload --check", "what would change?"},
                        {"gantry reload", "apply it"},
                        {"gantry -o json reload", "for programs: {outcome, changes, warnings}"}},
           .run = reload}};
}

}  // namespace gantry::cli
