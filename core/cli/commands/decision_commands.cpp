// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/host_explanations.hpp"

namespace gantry::cli {

namespace {

// The hosts of a decision: "c1, c2/node7".
std::string hosts_text(const json::object& decision) {
  std::string text;
  const auto* list = json::find_array(decision, "destinations");
  if (list == nullptr) return "-";
  for (const auto& each : *list) {
    if (!each.is_object()) continue;
    text += (text.empty() ? "" : ", ") + cell_text(json::find(each.get_object(), "host"));
    const auto node = json::find_string(each.get_object(), "node").value_or("");
    if (!node.empty()) text.append("/").append(node);
  }
  return text.empty() ? "-" : text;
}

TextTable decisions_table(const json::array& decisions) {
  TextTable table({"ID", "TIME", "OUTCOME", "PLACED", "OF", "DRIVER", "PROJECT", "HOSTS", "REASON"});
  for (const auto& each : decisions) {
    if (!each.is_object()) continue;
    const auto& decision = each.get_object();
    std::vector<std::string> cells;
    for (const auto* key : {"id", "time", "outcome", "placed", "num_instances", "driver", "project_id"})
      cells.push_back(cell_text(json::find(decision, key)));
    cells.push_back(hosts_text(decision));
    cells.push_back(cell_text(json::find(decision, "reason")));
    table.add(std::move(cells));
  }
  return table;
}

Result<int> list_decisions(Session& session, const Arguments& arguments) {
  json::object args = given(arguments, {"host", "since", "until", "outcome", "marker"});
  for (const auto& [option, argument] : {std::pair{"server", "instance_uuid"}, std::pair{"of-project", "project_id"},
                                         std::pair{"of-request", "request_id"}}) {
    if (arguments.has(option)) args[argument] = arguments.text(option);
  }
  args["limit"] = arguments.integer("limit").value_or(20);
  auto answer = session.call("list_decisions", args);
  if (!answer) return std::move(answer).error();
  if (!answer->is_array()) return Error{ErrorCode::internal, "list_decisions: expected a list as answer", ""};
  print_table(session, *answer, decisions_table(answer->get_array()));
  return 0;
}

// The uuid of a server by its name, as far as gantryd knows servers. A deleted server is known by its uuid alone.
std::string uuid_of(Session& session, const std::string& server) {
  const auto answer = session.call("show_instance", {{"instance", server}});
  if (!answer || !answer->is_object()) return server;
  return std::string(json::find_string(answer->get_object(), "uuid").value_or(server));
}

void print_relaxations(Session& session, const json::object& decision) {
  const auto* list = json::find_array(decision, "relaxations");
  if (list == nullptr || list->empty()) return;
  session.out() << "\na host would have been found with one of these changes:\n";
  TextTable table({"CHANGE", "HOSTS"});
  for (const auto& each : *list) {
    if (!each.is_object()) continue;
    table.add({cell_text(json::find(each.get_object(), "change")), cell_text(json::find(each.get_object(), "hosts"))});
  }
  table.print(session.out(), session.colour());
}

void print_leaders(Session& session, const json::object& decision) {
  const auto* list = json::find_array(decision, "leaders");
  if (list == nullptr || list->empty()) return;
  session.out() << '\n';
  TextTable table({"HOST", "NODE", "WEIGHT"});
  for (const auto& each : *list) {
    if (!each.is_object()) continue;
    const auto& host = each.get_object();
    table.add({cell_text(json::find(host, "host")), cell_text(json::find(host, "node")),
               cell_text(json::find(host, "weight"))});
  }
  table.print(session.out(), session.colour());
}

Result<int> show(Session& session, const Arguments& arguments, json::object args) {
  if (arguments.flag("explain")) args["explain"] = "hosts";
  if (arguments.flag("all-filters")) args["explain"] = "all_filters";
  auto answer = session.call("show_decision", args);
  if (!answer) return std::move(answer).error();
  if (session.format() == OutputFormat::table && answer->is_object())
    answer->get_object()["went_to"] = hosts_text(answer->get_object());
  print_object(session, *answer,
               {{"decision", "id"},
                {"time", "time"},
                {"outcome", "outcome"},
                {"reason", "reason"},
                {"placed", "placed"},
                {"instances", "instance_uuids"},
                {"hosts", "went_to"},
                {"claims lost", "claims_lost"},
                {"method", "method"},
                {"project_id", "project_id"},
                {"user_id", "user_id"}});
  if (session.format() != OutputFormat::table || !answer->is_object()) return 0;
  const auto& decision = answer->get_object();
  print_decision(session, decision);
  print_leaders(session, decision);
  print_relaxations(session, decision);
  print_host_explanations(session, decision,
                          {.verdicts = arguments.flag("all-filters"), .most_left = 20, .most_out = 30});
  const auto* facts = json::find_object(decision, "facts");
  if (facts != nullptr && !json::find_bool(*facts, "known").value_or(true))
    print_notice(session, json::find_string(*facts, "reason").value_or(""));
  return 0;
}

Result<int> show_decision(Session& session, const Arguments& arguments) {
  return show(session, arguments, {{"id", *arguments.integer("ID")}});
}

Result<int> why_placed(Session& session, const Arguments& arguments) {
  return show(session, arguments, {{"instance_uuid", uuid_of(session, arguments.text("SERVER"))}});
}

void print_table_of(Session& session, const json::object& answer, const char* member,
                    const std::vector<std::pair<std::string, std::string>>& columns) {
  const auto* list = json::find_array(answer, member);
  if (list == nullptr || list->empty()) return;
  std::vector<std::string> headers;
  headers.reserve(columns.size());
  for (const auto& [header, key] : columns) headers.push_back(header);
  TextTable table(std::move(headers));
  for (const auto& each : *list) {
    if (!each.is_object()) continue;
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const auto& [header, key] : columns) cells.push_back(cell_text(json::find(each.get_object(), key)));
    table.add(std::move(cells));
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

Result<int> why_not(Session& session, const Arguments& arguments) {
  json::object args{{"host", arguments.text("HOST")}};
  const auto server = arguments.text("SERVER");
  const bool is_id =
      !server.empty() && std::all_of(server.begin(), server.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_id)
    args["id"] = server;
  else
    args["instance_uuid"] = uuid_of(session, server);
  if (arguments.has("node")) args["node"] = arguments.text("node");
  auto answer = session.call("why_not", args);
  if (!answer) return std::move(answer).error();
  if (session.format() == OutputFormat::table && answer->is_object()) {
    auto& object = answer->get_object();
    object["went_to"] = hosts_text({{"destinations", object["chosen"]}});
  }
  print_object(session, *answer,
               {{"host", "host"},
                {"outcome", "outcome"},
                {"why", "sentence"},
                {"decision", "id"},
                {"time", "time"},
                {"went to", "went_to"}});
  if (session.format() != OutputFormat::table || !answer->is_object()) return 0;
  print_table_of(session, answer->get_object(), "verdicts",
                 {{"FILTER", "name"}, {"PASSED", "passed"}, {"WHY", "reason"}});
  print_table_of(session, answer->get_object(), "weighers",
                 {{"WEIGHER", "name"}, {"RAW", "raw"}, {"NORMALIZED", "normalized"}, {"MULTIPLIER", "multiplier"}});
  return 0;
}

std::vector<Option> explain_options() {
  return {{.name = "explain",
           .help = "Shows what became of each host, too: who was against it, and the order of the others"},
          {.name = "all-filters", .help = "Shows the same, and what every filter says of every host"}};
}

std::vector<Option> list_options() {
  auto outcome = filter_option("outcome", "OUTCOME", "Only those that ended so");
  outcome.choices = {"placed", "no_valid_host", "failed"};
  return {filter_option("server", "UUID", "Only those about this server"),
          filter_option("host", "HOST", "Only those that chose this host"),
          filter_option("of-project", "ID", "Only those for this project"),
          filter_option("of-request", "ID", "Only those of this request"),
          filter_option("since", "TIME", "Only those from this time on: 2026-11-21T09:00:00"),
          filter_option("until", "TIME", "Only those up to this time"),
          std::move(outcome),
          {.name = "limit",
           .kind = ValueKind::integer,
           .value_name = "N",
           .help = "At most so many",
           .fallback = "20",
           .minimum = 1,
           .maximum = 1000},
          filter_option("marker", "ID", "Those before this decision: the next page")};
}

}  // namespace

std::vector<Command> decision_commands() {
  const std::vector<Positional> server{
      {.name = "SERVER", .help = "The server's name or uuid", .listed_by = "server list"}};
  return {
      {.path = "decision list",
       .summary = "Lists the decisions that are kept, the latest first",
       .description = "Each decision of gantryd about where instances go, refusals included. decisions.keep and "
                      "decisions.max_age in the configuration say how many are kept, and for how long.",
       .options = list_options(),
       .examples = {{"gantry decision list --outcome no_valid_host", "who found no host, and why"},
                    {"gantry decision list --host compute7 --since 2026-11-21T09:00:00",
                     "what went to compute7 since nine"}},
       .run = list_decisions},
      {.path = "decision show",
       .summary = "Shows one decision: who asked for what, what was seen, and what was chosen",
       .description =
           "As long as the facts of that time are kept, the decision is made again on them. So --explain tells of each "
           "host, and of a refusal with which smallest changes a host would have been found.",
       .positionals = {{.name = "ID", .help = "The decision's id", .listed_by = "decision list"}},
       .options = explain_options(),
       .examples = {{"gantry decision show 4711 --explain", "and what became of each host"}},
       .run = show_decision},
      {.path = "why",
       .summary = "Tells why a server is where it is, or why it found no host",
       .description = "Shows the latest decision about the server, as `gantry decision show` does.",
       .positionals = server,
       .options = explain_options(),
       .examples = {{"gantry why web-1", "why there?"}, {"gantry -o json why web-1", "for programs"}},
       .run = why_placed},
      {.path = "why-not",
       .summary = "Tells why a server is not on that host",
       .description =
           "The latest decision about the server is made again on the facts as they were, and every filter and weigher "
           "is asked about the host. If a fact is no longer known, that is said.",
       .positionals = {{.name = "SERVER",
                        .help = "The server's name or uuid, or a decision's id",
                        .listed_by = "server list"},
                       {.name = "HOST", .help = "The host", .listed_by = "host list"}},
       .options = {{.name = "node",
                    .kind = ValueKind::text,
                    .value_name = "NODE",
                    .help = "The host's node, if it has several"}},
       .examples = {{"gantry why-not web-1 compute7", "why not compute7?"}},
       .run = why_not}};
}

}  // namespace gantry::cli
