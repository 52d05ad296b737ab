// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <utility>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

void print_topics(Session& session, const json::object& status) {
  const json::object* topics = json::find_object(status, "topics");
  if (topics == nullptr || topics->empty()) return;
  TextTable table({"TOPIC", "HOSTS", "UP", "DISABLED"});
  for (const auto& [topic, value] : *topics) {
    if (!value.is_object()) continue;
    const json::object& facts = value.get_object();
    table.add({std::string(topic), cell_text(json::find(facts, "hosts")), cell_text(json::find(facts, "up")),
               cell_text(json::find(facts, "disabled"))});
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

// "daemon", "own, ready" or "own, waiting, 3 ends, chance decides".
std::string process_text(const json::object* process) {
  if (process == nullptr) return "daemon";
  std::string text = "own, " + cell_text(json::find(*process, "state"));
  const auto ends = cell_text(json::find(*process, "ends"));
  if (ends != "0") text += ", " + ends + (ends == "1" ? " end" : " ends");
  if (const auto stand_in = json::find_string(*process, "stand_in"))
    text.append(", ").append(*stand_in).append(" decides");
  return text;
}

void print_drivers(Session& session, const json::object& status) {
  const json::array* drivers = json::find_array(status, "drivers");
  if (drivers == nullptr || drivers->empty()) return;
  TextTable table({"DRIVER", "VERSION", "TOPICS", "THREADS", "PROCESS", "CALLS", "FAILURES", "ON DISK", "PATH"});
  for (const json::value& value : *drivers) {
    if (!value.is_object()) continue;
    const json::object& driver = value.get_object();
    std::vector<std::string> cells;
    for (const char* key : {"id", "version", "topics", "threads"}) cells.push_back(cell_text(json::find(driver, key)));
    cells.push_back(process_text(json::find_object(driver, "process")));
    for (const char* key : {"calls", "failures", "on_disk", "path"})
      cells.push_back(cell_text(json::find(driver, key)));
    table.add(std::move(cells));
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

// Prints the calls that drivers have not returned by their deadline, why the daemon is not ready, and warnings.
void print_health(Session& session, const json::object& status) {
  const json::array* calls = json::find_array(status, "hanging_calls");
  if (calls != nullptr && !calls->empty()) {
    TextTable table({"HANGS IN DRIVER", "OPERATION", "SECONDS", "REQUEST"});
    for (const json::value& value : *calls) {
      if (!value.is_object()) continue;
      std::vector<std::string> cells;
      for (const char* key : {"driver", "operation", "seconds", "request_id"})
        cells.push_back(cell_text(json::find(value.get_object(), key)));
      table.add(std::move(cells));
    }
    session.out() << '\n';
    table.print(session.out(), session.colour());
  }
  for (const auto& [key, words] : {std::pair{"unready_reasons", "not ready: "}, std::pair{"warnings", "warning: "}}) {
    const json::array* texts = json::find_array(status, key);
    if (texts == nullptr) continue;
    for (const json::value& text : *texts) session.err() << "gantry: " << words << printable(cell_text(&text)) << '\n';
  }
}

void print_reload(Session& session, const json::object& status) {
  const auto* const last = json::find_object(status, "last_reload");
  if (last == nullptr) return;
  // The reason has a line for each problem.
  const auto in_one_line = [](std::string text) {
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
    return text;
  };
  const auto at = [last](const char* key) { return cell_text(json::find(*last, key)); };
  const auto what =
      "the last reload of the configuration, at " + at("time") + " by " + at("by") + ", was " + at("outcome");
  if (const auto reason = json::find_string(*last, "reason"))
    print_warning(session, what + ": " + in_one_line(std::string(*reason)));
  else
    session.out() << '\n' << what << '\n';
}

void print_restart(Session& session, const json::object& status) {
  const auto* const last = json::find_object(status, "last_restart");
  if (last == nullptr) return;
  const auto outcome = cell_text(json::find(*last, "outcome"));
  const auto at = cell_text(json::find(*last, outcome == "under_way" ? "began_at" : "ended_at"));
  if (outcome == "failed")
    print_warning(session, "the last restart, at " + at + ", has failed: " + cell_text(json::find(*last, "reason")));
  else
    session.out() << "\nrestart " << (outcome == "under_way" ? "under way since " : "succeeded at ") << at << '\n';
}

// Drivers that are not required and did not load.
void print_skipped(Session& session, const json::object& status) {
  const json::array* skipped = json::find_array(status, "skipped_drivers");
  if (skipped == nullptr) return;
  for (const json::value& value : *skipped)
    if (value.is_object())
      print_warning(session, "driver " + cell_text(json::find(value.get_object(), "id")) +
                                 " was left out: " + cell_text(json::find(value.get_object(), "reason")));
}

Result<int> status(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("status", {});
  if (!answer) return std::move(answer).error();
  print_object(session, *answer,
               {{"version", "version"},
                {"driver ABI", "abi"},
                {"process", "pid"},
                {"started at", "started_at"},
                {"uptime, seconds", "uptime_seconds"},
                {"store", "store"},
                {"instances", "instances"},
                {"claims", "claims"},
                {"casts waiting", "casts"}});
  if (session.format() != OutputFormat::table || !answer->is_object()) return 0;
  print_topics(session, answer->get_object());
  print_drivers(session, answer->get_object());
  print_skipped(session, answer->get_object());
  print_reload(session, answer->get_object());
  print_restart(session, answer->get_object());
  print_health(session, answer->get_object());
  return 0;
}

}  // namespace

std::vector<Command> status_commands() {
  return {{.path = "status",
           .summary = "Shows the daemon, its drivers and topics",
           .description =
               "Version, store, topics with their hosts, and for each driver its calls, failures and whether "
               "the file on disk is still the one that was loaded. Calls that a driver has not returned by their "
               "deadline are listed with their age. Beside it, why the daemon is not ready to serve, and warnings "
               "such as a topic without a host that is up, and how the last gantry restart ended.",
           .examples = {{"gantry status", "the whole picture"},
                        {"gantry -o json status", "with all counters, for programs"}},
           .run = status}};
}

}  // namespace gantry::cli
