// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/server_create.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/request/request_builder.hpp"

namespace gantry::cli {

namespace {

Option state_option() {
  Option state = filter_option("vm-state", "STATE", "Only those in this state");
  state.choices = {"building", "active", "error"};
  return state;
}

Result<int> list_servers(Session& session, const Arguments& arguments) {
  json::object args = given(arguments, {"host", "vm-state", "name"});
  if (arguments.has("of-project")) args["project_id"] = arguments.text("of-project");
  std::vector<Column> columns{
      {"NAME", "name"}, {"STATUS", "vm_state", true},  {"TASK", "task_state"},    {"HOST", "host"},
      {"NODE", "node"}, {"ZONE", "availability_zone"}, {"FLAVOR", "flavor.name"}, {"UUID", "uuid"}};
  if (arguments.text("vm-state") == "error") columns.push_back({"REASON", "fault"});
  return show_pages(session, arguments, "list_instances", args, {"uuid"}, columns);
}

Result<int> show_server(Session& session, const Arguments& arguments) {
  auto answer = session.call("show_instance", {{"instance", arguments.text("SERVER")}});
  if (!answer) return std::move(answer).error();
  print_object(session, *answer,
               {{"name", "name"},
                {"uuid", "uuid"},
                {"status", "vm_state", true},
                {"task", "task_state"},
                {"host", "host"},
                {"node", "node"},
                {"zone", "availability_zone"},
                {"fault", "fault"},
                {"flavor", "flavor.name"},
                {"vcpus", "flavor.vcpus"},
                {"memory_mb", "flavor.memory_mb"},
                {"root_gb", "flavor.root_gb"},
                {"ephemeral_gb", "flavor.ephemeral_gb"},
                {"swap_mb", "flavor.swap"},
                {"image", "image"},
                {"project_id", "project_id"},
                {"user_id", "user_id"},
                {"request", "request_id"},
                {"created at", "created_at"},
                {"updated at", "updated_at"},
                {"active at", "active_at"}});
  if (session.format() != OutputFormat::table || !answer->is_object()) return 0;
  const json::object* decision = json::find_object(answer->get_object(), "decision");
  if (decision != nullptr && !decision->empty()) print_decision(session, *decision);
  return 0;
}

Result<int> delete_servers(Session& session, const Arguments& arguments) {
  return change_each(session, "delete_instance", "instance", arguments.all("SERVER"), "deleted ");
}

std::vector<Option> create_options() {
  std::vector<Option> options = request_options();
  options.push_back({.name = "image", .kind = ValueKind::text, .value_name = "NAME", .help = "The image's name or id"});
  options.push_back({.name = "property",
                     .kind = ValueKind::text,
                     .value_name = "KEY=VALUE",
                     .help = "Metadata of the instance",
                     .repeatable = true});
  options.push_back({.name = "no-wait", .help = "Answers as soon as hosts are chosen, not when the instances run"});
  options.push_back({.name = "wait-timeout",
                     .kind = ValueKind::number,
                     .value_name = "SECONDS",
                     .help = "How long to wait for the instances to run",
                     .fallback = "60"});
  return options;
}

Command create_command() {
  return {
      .path = "server create",
      .summary = "Places instances and has their hosts run them",
      .description =
          "Chooses a host for each instance, claims its room there, and sends run_instance to the host's agent; then "
          "waits until each is ACTIVE or in ERROR. One instance's failure does not touch the others. With --count "
          "N they are called NAME-1 to NAME-N. The exit code is 3 if a host was found for none or not for all of "
          "them, 1 if one failed on its host or did not get ready in time.",
      .positionals = {{"NAME", "what the instance is to be called"}},
      .options = create_options(),
      .examples = {{"gantry server create web", "one m1.tiny"},
                   {"gantry server create --flavor m1.small --count 3 web", "web-1, web-2 and web-3"},
                   {"gantry server create --group spread --hint different_host=$UUID web",
                    "a member of the group, away from another instance"},
                   {"gantry server create --remote-address 10.1.2.3 web",
                    "for a driver that places by the caller's address"}},
      .run = create_server};
}

}  // namespace

std::vector<Command> server_commands() {
  return {
      create_command(),
      {.path = "server list",
       .summary = "Lists instances",
       .options = with_page_options({filter_option("host", "HOST", "Only those on this host"), state_option(),
                                     filter_option("name", "NAME", "Only those of this name"),
                                     filter_option("of-project", "ID", "Only those of this project")}),
       .examples = {{"gantry server list --vm-state error", "what went wrong"},
                    {"gantry -o value server list --host c1", "for a script"}},
       .run = list_servers},
      {.path = "server show",
       .summary = "Shows an instance, and why it is where it is",
       .positionals = {{.name = "SERVER", .help = "the instance's uuid or name", .listed_by = "server list"}},
       .examples = {{"gantry server show web-1", "with the steps of the decision that placed it"}},
       .run = show_server},
      {.path = "server delete",
       .summary = "Deletes instances",
       .description = "Sends terminate_instance to the host and gives back what the instance had claimed. Ends at the "
                      "first that cannot be deleted.",
       .positionals =
           {{.name = "SERVER", .help = "the instance's uuid or name", .many = true, .listed_by = "server list"}},
       .examples = {{"gantry server delete web-1 web-2", "both"}},
       .run = delete_servers}};
}

}  // namespace gantry::cli
