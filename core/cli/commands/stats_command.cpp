// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <utility>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/commands/stats_text.hpp"

namespace gantry::cli {

namespace {

void print_part(Session& session, const TextTable& table) {
  if (table.empty()) return;
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

void print_now(Session& session, const json::object& stats) {
  const auto at = [&stats](const char* path) { return cell_text(at_path(stats, path)); };
  session.out() << "\nnow: " << at("calls_under_way") << " calls under way, " << at("store.waiting")
                << " changes wait for the store, " << at("casts.waiting") << " casts wait (the oldest for "
                << at("casts.oldest_age") << " s), " << at("claims") << " claims\n";
}

Result<int> stats(Session& session, const Arguments& arguments) {
  json::object args;
  if (arguments.flag("reset")) args["reset"] = true;
  auto answer = session.call("stats", args);
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "stats: expected an object as answer", ""};
  const auto& stats = answer->get_object();
  if (session.format() == OutputFormat::json) {
    print_json(session, *answer);
    return 0;
  }
  if (session.format() == OutputFormat::value) {
    method_table(stats).print_values(session.out());
    return 0;
  }
  session.out() << "since " << cell_text(json::find(stats, "since")) << ", now " << cell_text(json::find(stats, "now"))
                << '\n'
                << decisions_text(stats) << '\n';
  for (const auto& table : {driver_table(stats), refusal_table(stats), part_table(stats), method_table(stats)})
    print_part(session, table);
  print_now(session, stats);
  if (arguments.flag("reset")) print_notice(session, "counted anew from now on");
  return 0;
}

Result<int> log_level(Session& session, const Arguments& arguments) {
  if (arguments.has("LEVEL")) {
    const auto level = arguments.text("LEVEL");
    return change(session, "set_log_level", {{"level", level}}, "the log has lines of " + level + " and above now");
  }
  return show_object(session, "log_level", {}, {{"level", "level"}});
}

Result<int> report(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("report", {});
  if (!answer) return std::move(answer).error();
  print_json(session, *answer);
  return 0;
}

}  // namespace

std::vector<Command> stats_commands() {
  return {
      {.path = "stats",
       .summary = "Shows what the daemon has done, and how long it took",
       .description =
           "Decisions by driver and outcome, the steps that left no host, the parts of a decision, calls by method, "
           "the "
           "store and what waits, since the start or the last --reset. P50 and P99 come from histograms. With -o value "
           "the calls by method alone. Prometheus finds the same at /metrics, which --reset leaves as it is.",
       .options = {{.name = "reset",
                    .help = "Shows the statistics and counts anew, for everybody; needs the role admin"}},
       .examples = {{"gantry stats", "since the start or the last reset"},
                    {"gantry stats --reset", "and from now on"},
                    {"gantry -o json stats", "for programs; times in microseconds"}},
       .run = stats},
      {.path = "log-level",
       .summary = "Shows or sets the lowest level of the daemon's log",
       .description = "Set, it holds until the next start, which reads log.level again. The change is audited.",
       .positionals = {{"LEVEL", "debug, info, warning or error", false}},
       .examples = {{"gantry log-level", "what is it?"}, {"gantry log-level debug", "see each request"}},
       .run = log_level},
      {.path = "report",
       .summary = "Prints the daemon's state for who helps from afar, without secrets",
       .description =
           "One JSON document: version, status, drivers, the configuration with the origin of each key, statistics, "
           "what "
           "the doctor finds, the newest events, and the newest warnings and errors of the log. Passwords, tokens and "
           "the credentials in URLs are left out. It names hosts, instances and files.",
       .examples = {{"gantry report > report.json", "to attach to a question"}},
       .run = report},
  };
}

}  // namespace gantry::cli
