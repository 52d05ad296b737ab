// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/key_values.hpp"

namespace gantry::cli {

namespace {

std::vector<Column> group_columns() {
  return {{"uuid", "uuid"},       {"name", "name"},   {"policy", "policy"},         {"rules", "rules"},
          {"members", "members"}, {"hosts", "hosts"}, {"project_id", "project_id"}, {"user_id", "user_id"}};
}

Result<int> list_groups(Session& session, const Arguments& arguments) {
  json::object args = given(arguments, {"policy"});
  if (arguments.has("of-project")) args["project_id"] = arguments.text("of-project");
  return show_pages(session, arguments, "list_groups", args, {"uuid"},
                    {{"NAME", "name"},
                     {"POLICY", "policy"},
                     {"RULES", "rules"},
                     {"MEMBERS", "members"},
                     {"HOSTS", "hosts"},
                     {"UUID", "uuid"}});
}

Result<int> show_group(Session& session, const Arguments& arguments) {
  return show_object(session, "show_group", {{"group", arguments.text("GROUP")}}, group_columns());
}

Result<int> create_group(Session& session, const Arguments& arguments) {
  auto rules = nested_from_words(arguments.all("rule"));
  if (!rules) return std::move(rules).error().within("--rule");
  json::object args{{"name", arguments.text("NAME")}, {"policy", arguments.text("policy")}};
  if (!rules->empty()) args["rules"] = *rules;
  return show_object(session, "create_group", args, group_columns());
}

Result<int> remove_group(Session& session, const Arguments& arguments) {
  return change_each(session, "delete_group", "group", arguments.all("GROUP"), "deleted ");
}

}  // namespace

std::vector<Command> group_commands() {
  const Positional group{.name = "GROUP", .help = "its uuid or name", .listed_by = "group list"};
  return {{.path = "group list",
           .summary = "Lists server groups",
           .options = with_page_options({filter_option("policy", "POLICY", "Only those of this policy"),
                                         filter_option("of-project", "ID", "Only those of this project")}),
           .examples = {{"gantry group list", "with members and their hosts"}},
           .run = list_groups},
          {.path = "group show",
           .summary = "Shows a server group",
           .positionals = {group},
           .examples = {{"gantry group show spread", "by name"}},
           .run = show_group},
          {.path = "group create",
           .summary = "Creates a server group",
           .description = "Instances join it when they are created with --group.",
           .positionals = {{"NAME", "what it is to be called"}},
           .options = {{.name = "policy",
                        .kind = ValueKind::text,
                        .value_name = "POLICY",
                        .help = "On one host, on different hosts, or either where possible",
                        .choices = {"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"},
                        .required = true},
                       {.name = "rule",
                        .kind = ValueKind::text,
                        .value_name = "KEY=VALUE",
                        .help = "A rule of the policy",
                        .repeatable = true}},
           .examples = {{"gantry group create --policy anti-affinity spread", "no two on one host"},
                        {"gantry group create --policy anti-affinity --rule max_server_per_host=2 spread",
                         "no three on one host"}},
           .run = create_group},
          {.path = "group delete",
           .summary = "Deletes server groups",
           .positionals = {{.name = group.name, .help = group.help, .many = true, .listed_by = group.listed_by}},
           .examples = {{"gantry group delete spread", "its members stay where they are"}},
           .run = remove_group}};
}

}  // namespace gantry::cli
