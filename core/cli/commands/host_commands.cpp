// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"

namespace gantry::cli {

namespace {

// A host, or one of its nodes: HOST/NODE is what people type for the pair.
json::value name_of(const Arguments& arguments) {
  const std::string host = arguments.text("HOST");
  if (!arguments.has("node")) return json::value(host);
  return json::array{json::value(host), json::value(arguments.text("node"))};
}

Option node_option() {
  return {
      .name = "node", .kind = ValueKind::text, .value_name = "NODE", .help = "The node, where the host has several"};
}

Result<int> list_hosts(Session& session, const Arguments& arguments) {
  json::object args = given(arguments, {"topic", "host", "state", "aggregate"});
  if (arguments.has("zone")) args["availability_zone"] = arguments.text("zone");
  auto hosts = fetch_list(session, arguments, "list_hosts", args, {"host", "hypervisor_hostname"});
  if (!hosts) return std::move(hosts).error();
  if (hosts->empty() && !arguments.has("marker")) {
    for (const auto* option : {"zone", "aggregate", "host"})
      if (arguments.has(option))
        print_notice(session, "no host is in that list: --" + std::string(option) + " " + arguments.text(option));
  }
  print_list(session, *std::move(hosts),
             {{"HOST", "host"},
              {"NODE", "hypervisor_hostname"},
              {"STATE", "state"},
              {"ZONE", "availability_zone"},
              {"VCPUS", "vcpus"},
              {"USED", "vcpus_used"},
              {"MEMORY MIB", "memory_mb"},
              {"USED", "memory_mb_used"},
              {"DISK GB", "local_gb"},
              {"USED", "local_gb_used"},
              {"VMS", "running_vms"},
              {"AGGREGATES", "aggregates"}});
  return 0;
}

void print_use(Session& session, const json::object& row) {
  TextTable table({"RESOURCE", "CAPACITY", "USED", "OF THAT CLAIMED", "ALLOCATION RATIO"});
  table.add({"vcpu", cell_text(json::find(row, "vcpus")), cell_text(json::find(row, "vcpus_used")),
             cell_text(json::find(row, "claims.vcpu")), cell_text(json::find(row, "cpu_allocation_ratio"))});
  table.add({"memory_mb", cell_text(json::find(row, "memory_mb")), cell_text(json::find(row, "memory_mb_used")),
             cell_text(json::find(row, "claims.memory_mb")), cell_text(json::find(row, "ram_allocation_ratio"))});
  table.add({"disk_gb", cell_text(json::find(row, "local_gb")), cell_text(json::find(row, "local_gb_used")),
             cell_text(json::find(row, "claims.disk_gb")), cell_text(json::find(row, "disk_allocation_ratio"))});
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

void print_claims(Session& session, const json::object& host) {
  const json::array* claims = json::find_array(host, "claims");
  if (claims == nullptr || claims->empty()) return;
  TextTable table({"CLAIM OF", "ITEMS", "SINCE", "WAITS FOR ITS CAST"});
  for (const json::value& value : *claims) {
    if (!value.is_object()) continue;
    const json::object& claim = value.get_object();
    table.add({cell_text(json::find(claim, "consumer")), claim_items_text(claim),
               cell_text(json::find(claim, "created_at")), cell_text(json::find(claim, "cast_waits"))});
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

void print_instances(Session& session, const json::object& host) {
  const json::array* instances = json::find_array(host, "instances");
  if (instances == nullptr || instances->empty()) return;
  TextTable table({"INSTANCE", "STATUS", "FLAVOR", "UUID"});
  for (const json::value& value : *instances) {
    if (!value.is_object()) continue;
    const json::object& instance = value.get_object();
    table.add({cell_text(json::find(instance, "name")), cell_text(json::find(instance, "vm_state")),
               cell_text(at_path(instance, "flavor.name")), cell_text(json::find(instance, "uuid"))});
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

// Prints the reported stats that are not columns of the core.
void print_more_stats(Session& session, const json::object& host) {
  const json::object* stats = json::find_object(host, "stats");
  const json::object* row = json::find_object(host, "row");
  if (stats == nullptr || row == nullptr) return;
  TextTable table({"ALSO REPORTED", "VALUE"});
  for (const auto& [key, value] : *stats)
    if (!row->contains(key)) table.add({std::string(key), cell_text(&value)});
  if (table.empty()) return;
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

Result<int> show_host(Session& session, const Arguments& arguments) {
  auto answer = session.call("show_host", {{"name", name_of(arguments)}, {"topic", arguments.text("topic")}});
  if (!answer) return std::move(answer).error();
  print_object(session, *answer,
               {{"host", "row.host"},
                {"node", "row.hypervisor_hostname"},
                {"state", "row.state"},
                {"disabled reason", "row.disabled_reason"},
                {"zone", "row.availability_zone"},
                {"aggregates", "row.aggregates"},
                {"last seen up", "service.last_seen_up"},
                {"updated at", "row.updated_at"},
                {"hypervisor", "row.hypervisor_type"},
                {"address", "row.host_ip"},
                {"running vms", "row.running_vms"},
                {"capabilities", "capabilities"}});
  if (session.format() != OutputFormat::table || !answer->is_object()) return 0;
  if (const json::object* row = json::find_object(answer->get_object(), "row")) print_use(session, *row);
  print_claims(session, answer->get_object());
  print_instances(session, answer->get_object());
  print_more_stats(session, answer->get_object());
  return 0;
}

Result<int> remove_host(Session& session, const Arguments& arguments) {
  const auto hosts = arguments.all("HOST");
  const json::object args{{"topic", arguments.text("topic")}};
  if (!arguments.has("node")) return change_each(session, "remove_host", "name", hosts, "removed ", args);
  if (hosts.size() > 1) return Error{ErrorCode::invalid_argument, "--node goes with one HOST", ""};
  return change(session, "remove_host", {{"name", name_of(arguments)}, {"topic", arguments.text("topic")}},
                "removed " + hosts.front());
}

Result<int> list_failures(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("list_build_failures", {});
  if (!answer) return std::move(answer).error();
  if (!answer->is_array()) return Error{ErrorCode::internal, "list_build_failures: expected a list as answer", ""};
  TextTable table({"HOST", "KIND", "FAILURES", "SINCE", "AVOIDED"});
  for (const auto& each : answer->get_array()) {
    if (!each.is_object()) continue;
    std::vector<std::string> cells;
    for (const auto* key : {"host", "kind", "failures", "since", "avoided"})
      cells.push_back(cell_text(json::find(each.get_object(), key)));
    table.add(std::move(cells));
  }
  print_table(session, *answer, table);
  return 0;
}

Result<int> clear_failures(Session& session, const Arguments& arguments) {
  return change_each(session, "clear_build_failures", "host", arguments.all("HOST"), "failures forgotten of ");
}

}  // namespace

std::vector<Command> host_commands() {
  Option state = filter_option("state", "STATE", "Only those in this state");
  state.choices = {"up", "down", "disabled", "forced_down"};
  return {
      {.path = "host list",
       .summary = "Lists hosts with their capacity and use",
       .description = "Use is what the host reported plus what claims hold of it.",
       .options = with_page_options({topic_option(), filter_option("host", "HOST", "Only this host"), state,
                                     filter_option("aggregate", "NAME", "Only those in this aggregate"),
                                     filter_option("zone", "ZONE", "Only those in this availability zone")}),
       .examples = {{"gantry host list", "the whole fleet"},
                    {"gantry host list --state down", "what is missing"},
                    {"gantry -o json host list", "with every column"}},
       .run = list_hosts},
      {.path = "host show",
       .summary = "Shows a host: capacity, use, claims, instances",
       .positionals = {{.name = "HOST", .help = "the host's name", .listed_by = "host list"}},
       .options = {topic_option(), node_option()},
       .examples = {{"gantry host show c1", "what it has and who holds it"}},
       .run = show_host},
      {.path = "host failures",
       .summary = "Lists the builds that hosts have failed within an hour",
       .description = "A host with three failures of one flavor or image is used last for it, until a build succeeds "
                      "there (scheduling.avoid_failing_hosts). A restart forgets the failures.",
       .examples = {{"gantry host failures", "who is avoided, and for what"}},
       .run = list_failures},
      {.path = "host clear-failures",
       .summary = "Forgets the builds that hosts have failed",
       .positionals = {{.name = "HOST", .help = "the host's name", .many = true, .listed_by = "host list"}},
       .examples = {{"gantry host clear-failures c7", "after its repair"}},
       .run = clear_failures},
      {.path = "host import",
       .summary = "Takes over hosts, services, aggregates and instances from Nova's tables",
       .description = "FILE is JSON, an array of rows for each table of Nova's: services, compute_nodes, aggregates, "
                      "instances and so on, as they are or under \"tables\". What cannot be taken is listed with "
                      "its reason. Large tables are sent in parts; if it ends in the middle, the message says what "
                      "was done, and the same import can be run again.",
       .positionals = {{"FILE", "the tables; - reads standard input"}},
       .options = {{.name = "keep-times",
                    .help = "Keeps the times of last reports, so that services that are silent count as down"}},
       .examples = {{"gantry host import nova-tables.json", "all of them count as just seen"}},
       .run = import_hosts},
      {.path = "host remove",
       .summary = "Forgets what hosts reported",
       .positionals = {{.name = "HOST", .help = "the host's name", .many = true, .listed_by = "host list"}},
       .options = {topic_option(), node_option()},
       .examples = {{"gantry host remove c9", "it comes back at its next report"}},
       .run = remove_host}};
}

}  // namespace gantry::cli
