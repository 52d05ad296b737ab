// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"

namespace gantry::cli {

namespace {

json::object of_service(const Arguments& arguments) {
  return {{"topic", arguments.text("TOPIC")}, {"host", arguments.text("HOST")}};
}

std::string service_name(const Arguments& arguments) {
  return arguments.text("TOPIC") + " on " + arguments.text("HOST");
}

Result<int> list_services(Session& session, const Arguments& arguments) {
  return show_pages(session, arguments, "list_services", given(arguments, {"topic", "host", "state", "status"}),
                    {"topic", "host"},
                    {{"TOPIC", "topic"},
                     {"HOST", "host"},
                     {"BINARY", "binary"},
                     {"STATUS", "status"},
                     {"STATE", "state"},
                     {"FORCED DOWN", "forced_down"},
                     {"LAST SEEN UP", "last_seen_up"},
                     {"REASON", "disabled_reason"}});
}

Result<int> enable(Session& session, const Arguments& arguments) {
  return change(session, "enable_service", of_service(arguments), "enabled " + service_name(arguments));
}

Result<int> disable(Session& session, const Arguments& arguments) {
  json::object args = of_service(arguments);
  if (arguments.has("reason")) args["reason"] = arguments.text("reason");
  return change(session, "disable_service", args, "disabled " + service_name(arguments));
}

Result<int> force_down(Session& session, const Arguments& arguments) {
  const bool down = !arguments.flag("unset");
  json::object args = of_service(arguments);
  args["forced_down"] = down;
  return change(session, "force_down_service", args,
                (down ? "forced down " : "no longer forced down: ") + service_name(arguments));
}

Result<int> remove_service(Session& session, const Arguments& arguments) {
  return change(session, "remove_service", of_service(arguments), "removed " + service_name(arguments));
}

std::vector<Positional> service() {
  return {{"TOPIC", "the service's topic, such as compute"}, {"HOST", "the host that it runs on"}};
}

}  // namespace

std::vector<Command> service_commands() {
  Option state = filter_option("state", "STATE", "Only those that are up, or down");
  state.choices = {"up", "down"};
  Option status = filter_option("status", "STATUS", "Only those that are enabled, or disabled");
  status.choices = {"enabled", "disabled"};
  return {
      {.path = "service list",
       .summary = "Lists services: enabled or disabled, up or down",
       .options = with_page_options({filter_option("topic", "TOPIC", "Only services of this topic"),
                                     filter_option("host", "HOST", "Only those on this host"), state, status}),
       .examples = {{"gantry service list --topic compute", "the compute services"}},
       .run = list_services},
      {.path = "service enable",
       .summary = "Lets a service be chosen again",
       .positionals = service(),
       .examples = {{"gantry service enable compute c1", "c1 takes instances again"}},
       .run = enable},
      {.path = "service disable",
       .summary = "Keeps a service from being chosen",
       .description = "What runs there goes on running; nothing new is placed there.",
       .positionals = service(),
       .options =
           {{.name = "reason", .kind = ValueKind::text, .value_name = "TEXT", .help = "Why, for who asks later"}},
       .examples = {{"gantry service disable compute c1 --reason \"new memory, back on Monday\"",
                     "before maintenance"}},
       .run = disable},
      {.path = "service force-down",
       .summary = "Has a service count as down, whatever it reports",
       .positionals = service(),
       .options = {{.name = "unset", .help = "Believes its heartbeats again"}},
       .examples = {{"gantry service force-down compute c1", "fenced off"},
                    {"gantry service force-down --unset compute c1", "and back"}},
       .run = force_down},
      {.path = "service remove",
       .summary = "Forgets a service",
       .positionals = service(),
       .examples = {{"gantry service remove compute c1", "a host that is gone for good"}},
       .run = remove_service},
  };
}

}  // namespace gantry::cli
