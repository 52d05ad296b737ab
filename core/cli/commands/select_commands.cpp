// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/select.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/request/request_builder.hpp"
#include "core/cli/terminal/host_explanations.hpp"
#include "core/cli/terminal/read_file.hpp"

namespace gantry::cli {

namespace {

// A destination, or a Selection object's own members.
const json::object* destination_of(const json::value& value) {
  if (!value.is_object()) return nullptr;
  const json::object* data = json::find_object(value.get_object(), "nova_object.data");
  return data != nullptr ? data : &value.get_object();
}

const json::object* limits_of(const json::object& destination) {
  const json::object* limits = json::find_object(destination, "limits");
  if (limits == nullptr) return nullptr;
  const json::object* data = json::find_object(*limits, "nova_object.data");
  return data != nullptr ? data : limits;
}

void add_row(TextTable& table, std::size_t instance, const char* role, const json::value& value) {
  const json::object* destination = destination_of(value);
  if (destination == nullptr) return;
  const json::value* host = json::find(*destination, "host");
  if (host == nullptr) host = json::find(*destination, "service_host");
  std::vector<std::string> cells{std::to_string(instance), role, cell_text(host),
                                 cell_text(json::find(*destination, "nodename"))};
  const json::object* limits = limits_of(*destination);
  for (const char* key : {"vcpu", "memory_mb", "disk_gb"})
    cells.push_back(limits == nullptr ? "-" : cell_text(json::find(*limits, key)));
  table.add(std::move(cells));
}

}  // namespace

TextTable destinations_table(const json::value& destinations) {
  TextTable table({"INSTANCE", "ROLE", "HOST", "NODE", "VCPU LIMIT", "MEMORY LIMIT", "DISK LIMIT"});
  if (!destinations.is_array()) return table;
  std::size_t instance = 0;
  for (const json::value& element : destinations.get_array()) {
    ++instance;
    if (!element.is_array()) {
      add_row(table, instance, "chosen", element);
      continue;
    }
    const char* role = "chosen";
    for (const json::value& choice : element.get_array()) {
      add_row(table, instance, role, choice);
      role = "alternate";
    }
  }
  return table;
}

Result<void> check_request_by_file(const Arguments& arguments) {
  for (const Option& option : request_options())
    if (option.name != "count" && arguments.has(option.name))
      return Error{ErrorCode::invalid_argument,
                   "--" + option.name + " and --request: the file says what is asked for; give one of them", ""};
  return {};
}

Result<FiledRequest> asked_request(Session& session, const Arguments& arguments) {
  if (!arguments.has("request")) {
    if (arguments.has("message")) return Error{ErrorCode::invalid_argument, "--message goes with --request FILE", ""};
    auto built = build_request(arguments, "", session.context());
    if (!built) return std::move(built).error();
    FiledRequest request;
    request.args = {{"request_spec", built->request_spec}, {"filter_properties", built->filter_properties}};
    return request;
  }
  if (auto checked = check_request_by_file(arguments); !checked) return std::move(checked).error();
  const std::string name = arguments.text("request");
  auto text = read_file(session, name);
  if (!text) return std::move(text).error();
  return read_request(*text, arguments.text("message"), name == "-" ? "standard input" : name);
}

std::vector<Option> asked_request_options() {
  std::vector<Option> options = request_options();
  options.push_back({.name = "request",
                     .letter = 'r',
                     .kind = ValueKind::text,
                     .value_name = "FILE",
                     .help = "The request as JSON; - reads standard input"});
  options.push_back({.name = "message",
                     .kind = ValueKind::text,
                     .value_name = "NAME",
                     .help = "Which one, in a file of several {\"messages\": {NAME: ...}}"});
  options.push_back({.name = "alternates",
                     .kind = ValueKind::integer,
                     .value_name = "N",
                     .help = "Asks for up to N further choices for each instance"});
  return options;
}

namespace {

// Prints the best and some rejected hosts, so that a person can read the answer for a large fleet.
void print_hosts(Session& session, const Arguments& arguments, const json::object& decision) {
  print_host_explanations(session, decision,
                          {.verdicts = arguments.flag("all-filters"), .most_left = 20, .most_out = 30});
}

// Prints the fate of each host, if the options ask for it, and returns the error.
Error with_hosts(Session& session, const Arguments& arguments, Error error) {
  const bool is_asked = arguments.flag("explain") || arguments.flag("all-filters");
  if (error.code != ErrorCode::no_valid_host || !is_asked) return error;
  auto details = json::parse_object(error.details, json::stored_depth);
  if (!details) return error;
  if (session.format() == OutputFormat::table) print_hosts(session, arguments, *details);
  if (session.format() == OutputFormat::json)
    print_json(session, json::object{{"destinations", json::array()}, {"decision", std::move(*details)}});
  return error;
}

Result<int> select(Session& session, const Arguments& arguments) {
  auto request = asked_request(session, arguments);
  if (!request) return std::move(request).error();
  json::object args = std::move(request->args);
  args["dry_run"] = true;
  if (arguments.flag("objects")) args["return_objects"] = true;
  if (const auto alternates = arguments.integer("alternates")) {
    args["return_alternates"] = true;
    args["alternates"] = *alternates;
  }
  if (arguments.flag("explain")) args["explain"] = "hosts";
  if (arguments.flag("all-filters")) args["explain"] = "all_filters";
  auto answer = session.call("select_destinations", args, request->context);
  if (!answer) return with_hosts(session, arguments, std::move(answer).error());
  const json::value* destinations = &*answer;
  if (answer->is_object())
    if (const json::value* inner = json::find(answer->get_object(), "destinations")) destinations = inner;
  print_table(session, *answer, destinations_table(*destinations));
  if (session.format() == OutputFormat::table && answer->is_object())
    if (const json::object* decision = json::find_object(answer->get_object(), "decision")) {
      print_decision(session, *decision);
      print_hosts(session, arguments, *decision);
    }
  return 0;
}

std::vector<Option> select_options() {
  std::vector<Option> options = asked_request_options();
  options.push_back({.name = "objects", .help = "Asks for Selection objects, as Nova's later callers do"});
  options.push_back({.name = "explain",
                     .help = "Shows how many hosts each step of the decision left over, and why; as far as the driver "
                             "accounts for hosts, who was against each, the order of the others, and the terms of the "
                             "best ten's weights"});
  options.push_back({.name = "all-filters",
                     .help = "Shows the same, and what every filter says of every host, also behind the first that "
                             "rejects it"});
  return options;
}

}  // namespace

std::vector<Command> select_commands() {
  return {
      {.path = "select",
       .summary = "Asks where instances would go; changes nothing",
       .description =
           "The request is put together from options, or read from a file: a message of Nova's RPC as captured on "
           "its bus, the args of one, {\"request_spec\": ..., \"filter_properties\": ...}, a RequestSpec alone, or a "
           "decision of before as `gantry decision show -o json` prints it, if it had no hints. "
           "Nothing is claimed and nothing is sent; the exit code is 3 if no host fits. Of a large fleet --explain "
           "shows the best 20 hosts and 30 that are out; -o json has all.",
       .options = select_options(),
       .examples = {{"gantry select --flavor m1.large --explain", "which host, and why not the others"},
                    {"gantry select --vcpus 4 --memory-mb 4096 --disk-gb 20 --zone az1 --count 2", "two of a size"},
                    {"gantry select --request captured.json --message select_destinations --alternates 2",
                     "what Nova once asked"},
                    {"gantry -o value select | cut -f3", "the host alone"}},
       .run = select}};
}

}  // namespace gantry::cli
