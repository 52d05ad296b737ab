// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/key_values.hpp"
#include "core/cli/terminal/read_file.hpp"

namespace gantry::cli {

namespace {

std::vector<Column> list_columns() {
  return {{"ID", "id"},       {"NAME", "name"},         {"ZONE", "availability_zone"},
          {"HOSTS", "hosts"}, {"METADATA", "metadata"}, {"UUID", "uuid"}};
}

std::vector<Column> aggregate_columns() {
  return {{"id", "id"},       {"uuid", "uuid"},        {"name", "name"}, {"zone", "availability_zone"},
          {"hosts", "hosts"}, {"metadata", "metadata"}};
}

Result<int> list_aggregates(Session& session, const Arguments& arguments) {
  return show_pages(session, arguments, "list_aggregates", given(arguments, {"host"}), {"id"}, list_columns());
}

Result<int> show_aggregate(Session& session, const Arguments& arguments) {
  return show_object(session, "show_aggregate", {{"aggregate", arguments.text("AGGREGATE")}}, aggregate_columns());
}

Result<int> create_aggregate(Session& session, const Arguments& arguments) {
  auto metadata = texts_from_words(arguments.all("property"), false);
  if (!metadata) return std::move(metadata).error().within("--property");
  json::object args{{"name", arguments.text("NAME")}, {"metadata", *metadata}};
  if (arguments.has("zone")) args["availability_zone"] = arguments.text("zone");
  return show_object(session, "create_aggregate", args, aggregate_columns());
}

Result<int> set(Session& session, const Arguments& arguments) {
  auto metadata = texts_from_words(arguments.all("property"), false);
  if (!metadata) return std::move(metadata).error().within("--property");
  for (const std::string& key : arguments.all("unset")) (*metadata)[key] = nullptr;
  if (arguments.has("zone")) (*metadata)["availability_zone"] = arguments.text("zone");
  json::object args{{"aggregate", arguments.text("AGGREGATE")}};
  if (arguments.has("name")) args["name"] = arguments.text("name");
  if (!metadata->empty()) args["metadata"] = *metadata;
  if (args.size() == 1)
    return Error{ErrorCode::invalid_argument, "nothing to set; give --name, --zone, --property or --unset", ""};
  if (arguments.flag("force")) args["force"] = true;
  return show_object(session, "update_aggregate", args, aggregate_columns());
}

Result<int> remove_aggregate(Session& session, const Arguments& arguments) {
  json::object args;
  if (arguments.flag("force")) args["force"] = true;
  return change_each(session, "delete_aggregate", "aggregate", arguments.all("AGGREGATE"), "deleted ", args);
}

// The names of the words. @FILE stands for the names in a file, @- for those of standard input.
Result<json::array> host_names(Session& session, const std::vector<std::string>& words) {
  json::array names;
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      names.emplace_back(word);
      continue;
    }
    auto text = read_file(session, word.substr(1));
    if (!text) return std::move(text).error();
    std::istringstream file(*text);
    for (std::string name; file >> name;) names.emplace_back(name);
  }
  if (names.empty()) return Error{ErrorCode::invalid_argument, "expected names of hosts, found none", {}};
  return names;
}

Result<int> change_hosts(Session& session, const Arguments& arguments, const char* method) {
  auto names = host_names(session, arguments.all("HOST"));
  if (!names) return std::move(names).error();
  json::object args{{"aggregate", arguments.text("AGGREGATE")}};
  if (names->size() == 1)
    args["host"] = names->front();
  else
    args["hosts"] = *std::move(names);
  if (arguments.flag("force")) args["force"] = true;
  return show_object(session, method, args, aggregate_columns());
}

Result<int> add_hosts(Session& session, const Arguments& arguments) {
  return change_hosts(session, arguments, "add_aggregate_host");
}

Result<int> remove_hosts(Session& session, const Arguments& arguments) {
  return change_hosts(session, arguments, "remove_aggregate_host");
}

Option property() {
  return {.name = "property",
          .kind = ValueKind::text,
          .value_name = "KEY=VALUE",
          .help = "Metadata that filters read",
          .repeatable = true};
}

Option zone() {
  return {.name = "zone",
          .kind = ValueKind::text,
          .value_name = "ZONE",
          .help = "The availability zone that the aggregate's hosts are in"};
}

Option force(std::string_view help) {
  return {.name = "force", .help = std::string(help)};
}

Positional aggregate() {
  return {"AGGREGATE", "its id or name"};
}

Positional hosts() {
  return {"HOST", "the hosts' names; @FILE for those in a file, @- for standard input", true, true};
}

}  // namespace

std::vector<Command> aggregate_commands() {
  return {{.path = "aggregate list",
           .summary = "Lists aggregates",
           .options = with_page_options({filter_option("host", "HOST", "Only those that this host is in")}),
           .examples = {{"gantry aggregate list", "with hosts and metadata"}},
           .run = list_aggregates},
          {.path = "aggregate show",
           .summary = "Shows an aggregate",
           .positionals = {aggregate()},
           .examples = {{"gantry aggregate show fast", "by name"}},
           .run = show_aggregate},
          {.path = "aggregate create",
           .summary = "Creates an aggregate",
           .positionals = {{"NAME", "what it is to be called"}},
           .options = {zone(), property()},
           .examples = {{"gantry aggregate create --zone az1 --property ssd=true fast", "which also makes a zone"}},
           .run = create_aggregate},
          {.path = "aggregate set",
           .summary = "Changes an aggregate's name, zone or metadata",
           .positionals = {aggregate()},
           .options = {{.name = "name", .kind = ValueKind::text, .value_name = "NAME", .help = "Its new name"},
                       zone(),
                       property(),
                       {.name = "unset",
                        .kind = ValueKind::text,
                        .value_name = "KEY",
                        .help = "Removes a key of the metadata",
                        .repeatable = true},
                       force("Also if hosts with instances go to another zone")},
           .examples = {{"gantry aggregate set --property ssd=true --unset gpu fast", "one in, one out"}},
           .run = set},
          {.path = "aggregate delete",
           .summary = "Deletes aggregates",
           .positionals = {{.name = "AGGREGATE", .help = aggregate().help, .many = true}},
           .options = {force("Also if it has hosts")},
           .examples = {{"gantry aggregate delete fast", "once its hosts are taken out"}},
           .run = remove_aggregate},
          {.path = "aggregate add-host",
           .summary = "Puts hosts into an aggregate, all or none",
           .positionals = {aggregate(), hosts()},
           .options = {force("Also hosts that are not known, or whose instances go to another zone")},
           .examples = {{"gantry aggregate add-host fast c1 c2", "both"},
                        {"gantry aggregate add-host fast @rack7.txt", "those in the file"}},
           .run = add_hosts},
          {.path = "aggregate remove-host",
           .summary = "Takes hosts out of an aggregate, all or none",
           .positionals = {aggregate(), hosts()},
           .options = {force("Also hosts whose instances go to another zone")},
           .examples = {{"gantry aggregate remove-host fast c2", "c1 stays"}},
           .run = remove_hosts}};
}

}  // namespace gantry::cli
