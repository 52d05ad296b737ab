// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/list_pages.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/key_values.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

Result<int> hosts_up(Session& session, const Arguments& arguments) {
  return show_list(session, "hosts_up", {{"topic", arguments.text("TOPIC")}}, {{"HOST", "host"}});
}

Result<int> group_hosts(Session& session, const Arguments& arguments) {
  return show_list(session, "group_hosts", {{"group", arguments.text("GROUP")}}, {{"HOST", "host"}});
}

Result<int> schedule(Session& session, const Arguments& arguments) {
  auto kwargs = nested_from_words(arguments.all("KEY=VALUE"));
  if (!kwargs) return std::move(kwargs).error();
  session.set_topic(arguments.text("TOPIC"));
  auto answer = session.call(
      "schedule",
      {{"topic", arguments.text("TOPIC")}, {"schedule_method", arguments.text("METHOD")}, {"kwargs", *kwargs}});
  if (!answer) return std::move(answer).error();
  if (session.format() == OutputFormat::json || !answer->is_object()) {
    if (session.format() == OutputFormat::json || answer->is_array())
      print_json(session, *answer);
    else if (!answer->is_null())
      session.out() << printable(cell_text(&*answer)) << '\n';
    return 0;
  }
  TextTable table({"FIELD", "VALUE"});
  for (const auto& [key, value] : answer->get_object()) table.add({std::string(key), cell_text(&value)});
  print_table(session, *answer, table);
  return 0;
}

Result<int> list_casts(Session& session, const Arguments& arguments) {
  return show_pages(session, arguments, "list_casts", given(arguments, {"topic", "host", "method", "instance"}), {"id"},
                    {{"TOPIC", "topic"},
                     {"HOST", "host"},
                     {"NODE", "node"},
                     {"METHOD", "method"},
                     {"INSTANCE", "instance"},
                     {"AGE, SECONDS", "age"},
                     {"ATTEMPTS", "attempts"},
                     {"LAST HANDED OUT", "handed_out_at"},
                     {"CREATED AT", "created_at"},
                     {"ID", "id"}});
}

Result<int> list_claims(Session& session, const Arguments& arguments) {
  auto answer = fetch_list(session, arguments, "list_claims", given(arguments, {"topic", "host", "instance"}),
                           {"consumer", "topic", "host", "node"});
  if (!answer) return std::move(answer).error();
  TextTable table({"CONSUMER", "TOPIC", "HOST", "NODE", "ITEMS", "DURABLE", "WAITS FOR ITS CAST", "CREATED AT"});
  for (const json::value& value : *answer) {
    if (!value.is_object()) continue;
    const json::object& claim = value.get_object();
    table.add({cell_text(json::find(claim, "consumer")), cell_text(json::find(claim, "topic")),
               cell_text(json::find(claim, "host")), cell_text(json::find(claim, "node")), claim_items_text(claim),
               cell_text(json::find(claim, "durable")), cell_text(json::find(claim, "cast_waits")),
               cell_text(json::find(claim, "created_at"))});
  }
  print_table(session, *answer, table);
  return 0;
}

}  // namespace

std::vector<Command> schedule_commands() {
  const Option any_topic = filter_option("topic", "TOPIC", "Only those of this topic");
  const Option host = filter_option("host", "HOST", "Only those for this host");
  const Option instance = filter_option("instance", "UUID", "Only those of this instance");
  return {
      {.path = "hosts-up",
       .summary = "Lists the hosts whose service on a topic is up",
       .positionals = {{"TOPIC", "the topic, such as compute"}},
       .examples = {{"gantry hosts-up compute", "as the topic's driver sees it"}},
       .run = hosts_up},
      {.path = "group-hosts",
       .summary = "Lists the hosts that hold members of a server group",
       .positionals = {{"GROUP", "the group's uuid or name"}},
       .examples = {{"gantry group-hosts spread", "as the driver sees it"}},
       .run = group_hosts},
      {.path = "schedule",
       .summary = "Calls a method that a topic's driver declares",
       .description =
           "Arguments are written key=value. A value that reads as JSON is taken as such (size=10 is a number, "
           "deep=true a truth value), anything else is text; size='\"10\"' is text too. a.b=c makes an object a with a "
           "member b.",
       .positionals = {{"TOPIC", "the topic"},
                       {"METHOD", "a method that `gantry status -o json` or `gantry driver list` names"},
                       {"KEY=VALUE", "arguments of the method", false, true}},
       .examples = {{"gantry schedule volume create_volume volume_id=v1 size=10", "a driver's own method"}},
       .run = schedule},
      {.path = "cast list",
       .summary = "Lists messages that wait for their host",
       .description =
           "For whom each waits, since when, how often it was handed out and when last, since the daemon "
           "began. A message that stays here belongs to a host whose agent does not run or does not keep up: "
           "without attempts nobody has asked for it.",
       .options = with_page_options(
           {any_topic, host, filter_option("method", "METHOD", "Only those of this method"), instance}),
       .examples = {{"gantry cast list", "all of them"}, {"gantry cast list --host c1", "what c1 has yet to take"}},
       .run = list_casts},
      {.path = "claim list",
       .summary = "Lists what picks hold until their hosts report it",
       .options = with_page_options({any_topic, host, instance}),
       .examples = {{"gantry claim list", "all of them"}},
       .run = list_claims},
  };
}

}  // namespace gantry::cli
