// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/host_explanations.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::cli {

namespace {

// A list in one cell: "c1, c2/node7 and 98 more". `text_of` returns an item's text.
template <class TextOf>
std::string list_text(const json::array* list, const TextOf& text_of) {
  constexpr std::size_t most = 10;
  std::string text;
  if (list == nullptr || list->empty()) return "-";
  for (std::size_t at = 0; at < list->size() && at < most; ++at) text += (at == 0 ? "" : ", ") + text_of((*list)[at]);
  return list->size() > most ? text + " and " + std::to_string(list->size() - most) + " more" : text;
}

// The hosts of a decision.
std::string hosts_text(const json::object& decision) {
  return list_text(json::find_array(decision, "destinations"), [](const json::value& each) {
    if (!each.is_object()) return cell_text(&each);
    auto text = cell_text(json::find(each.get_object(), "host"));
    const auto node = json::find_string(each.get_object(), "node").value_or("");
    return node.empty() ? text : text.append("/").append(node);
  });
}

// Leaves what is told of one instance of several: of the last if a host was not found for it, otherwise of the first.
// Returns which one that is, counted from 1. 0: the decision is about one instance alone.
std::size_t leave_one_instance(json::object& decision) {
  const auto count = json::find_integer(decision, "num_instances").value_or(1);
  auto* steps = decision.contains("steps") ? decision["steps"].if_array() : nullptr;
  if (count < 2 || steps == nullptr) return 0;
  const auto instance_of = [](const json::value& step) {
    return step.is_object() ? json::find_integer(step.get_object(), "instance") : std::nullopt;
  };
  std::int64_t shown = 0;
  if (json::find_string(decision, "outcome").value_or("") != "placed")
    for (const auto& step : *steps) shown = std::max(shown, instance_of(step).value_or(0));
  json::array kept;
  for (auto& step : *steps)
    if (instance_of(step).value_or(shown) == shown) kept.push_back(std::move(step));
  *steps = std::move(kept);
  const auto index = static_cast<std::size_t>(shown);
  auto* explained = decision.contains("instances") ? decision["instances"].if_array() : nullptr;
  if (explained != nullptr && explained->size() > 1 && index < explained->size())
    *explained = json::array{std::move((*explained)[index])};
  return index + 1;
}

TextTable decisions_table(const json::array& decisions) {
  TextTable table({"ID", "TIME", "OUTCOME", "PLACED", "OF", "DRIVER", "PROFILE", "PROJECT", "HOSTS", "REASON"});
  for (const auto& each : decisions) {
    if (!each.is_object()) continue;
    const auto& decision = each.get_object();
    std::vector<std::string> cells;
    for (const auto* key : {"id", "time", "outcome", "placed", "num_instances", "driver", "profile", "project_id"})
      cells.push_back(cell_text(json::find(decision, key)));
    cells.push_back(hosts_text(decision));
    cells.push_back(cell_text(json::find(decision, "reason")));
    table.add(std::move(cells));
  }
  return table;
}

// Gives the call the uuid of a server, asking for the uuid by the server's name. A deleted server has its uuid alone.
Result<void> name_server(Session& session, json::object& args, std::string_view argument, const std::string& server) {
  args[argument] = server;
  if (parse_uuid(server)) return {};
  auto answer = session.call("show_instance", {{"instance", server}});
  if (!answer) return std::move(answer).error();
  if (answer->is_object()) args[argument] = json::find_string(answer->get_object(), "uuid").value_or(server);
  return {};
}

Result<int> list_decisions(Session& session, const Arguments& arguments) {
  json::object args = given(arguments, {"host", "since", "until", "outcome", "marker"});
  for (const auto& [option, argument] :
       {std::pair{"of-project", "project_id"}, std::pair{"of-request", "request_id"}}) {
    if (arguments.has(option)) args[argument] = arguments.text(option);
  }
  if (arguments.has("server")) {
    if (auto named = name_server(session, args, "instance_uuid", arguments.text("server")); !named)
      return std::move(named).error();
  }
  args["limit"] = arguments.integer("limit").value_or(20);
  auto answer = session.call("list_decisions", args);
  if (!answer) return std::move(answer).error();
  if (!answer->is_array()) return Error{ErrorCode::internal, "list_decisions: expected a list as answer", ""};
  print_table(session, *answer, decisions_table(answer->get_array()));
  return 0;
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
  const bool tells_one = args.contains("instance");
  auto answer = session.call("show_decision", args);
  if (!answer) return std::move(answer).error();
  std::size_t shown_instance = 0;
  if (session.format() == OutputFormat::table && answer->is_object()) {
    auto& decision = answer->get_object();
    decision["went_to"] = hosts_text(decision);
    if (const auto* uuids = json::find_array(decision, "instance_uuids"))
      decision["instance_uuids"] = list_text(uuids, [](const json::value& uuid) { return cell_text(&uuid); });
    if (!tells_one) shown_instance = leave_one_instance(decision);
  }
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
  if (shown_instance != 0)
    print_notice(session, "this is server " + std::to_string(shown_instance) + " of " +
                              cell_text(json::find(decision, "num_instances")) + "; `gantry decision show " +
                              cell_text(json::find(decision, "id")) + " --instance SERVER` tells of another");
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
  json::object args{{"id", *arguments.integer("ID")}};
  if (arguments.has("instance")) {
    if (auto named = name_server(session, args, "instance", arguments.text("instance")); !named)
      return std::move(named).error();
  }
  return show(session, arguments, std::move(args));
}

Result<int> why_placed(Session& session, const Arguments& arguments) {
  json::object args;
  if (auto named = name_server(session, args, "instance_uuid", arguments.text("SERVER")); !named)
    return std::move(named).error();
  args["instance"] = args["instance_uuid"];
  return show(session, arguments, std::move(args));
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
  else if (auto named = name_server(session, args, "instance_uuid", server); !named)
    return std::move(named).error();
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

std::vector<Option> show_options() {
  auto options = explain_options();
  options.push_back({.name = "instance",
                     .kind = ValueKind::text,
                     .value_name = "SERVER",
                     .help = "Of a decision about many servers, tells of this one alone"});
  return options;
}

std::vector<Option> list_options() {
  auto outcome = filter_option("outcome", "OUTCOME", "Only those that ended so");
  outcome.choices = {"placed", "no_valid_host", "failed"};
  return {filter_option("server", "SERVER", "Only those about this server, by its name or uuid"),
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
       .options = show_options(),
       .examples = {{"gantry decision show 4711 --explain", "and what became of each host"},
                    {"gantry decision show 4711 --instance web1-50", "of a hundred servers, about this one"}},
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
