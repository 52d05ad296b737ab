// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/nova_answers.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/nova/helper_program.hpp"

namespace gantry::cli {

namespace {

std::vector<std::string> words_for_helper(const Session& session) {
  const auto sources = session.sources();
  std::vector<std::string> words;
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  if (sources.file_must_exist) add("--config", sources.file);
  if (!sources.drop_in_directory.empty()) add("--config-dir", sources.drop_in_directory);
  for (const auto& assignment : sources.overrides) add("--set", assignment);
  switch (session.format()) {
    case OutputFormat::table: break;
    case OutputFormat::json: add("--output", "json"); break;
    case OutputFormat::value: add("--output", "value"); break;
  }
  return words;
}

Result<int> check(Session& session, const Arguments& arguments) {
  session.set_topic("");
  auto words = words_for_helper(session);
  if (arguments.flag("strict")) words.emplace_back("--strict");
  return run_nova_check(words, session.out());
}

Result<int> grants(Session& session, const Arguments& arguments) {
  session.set_topic("");
  auto words = words_for_helper(session);
  words.insert(words.end(), {"--grants-for", arguments.text("database-user"), "--from", arguments.text("from")});
  return run_nova_check(words, session.out());
}

Result<int> nova_status(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("status", {});
  if (!answer) return std::move(answer).error();
  const auto* nova = answer->is_object() ? json::find_object(answer->get_object(), "nova") : nullptr;
  if (nova == nullptr)
    return Error{ErrorCode::failed_precondition,
                 "this gantryd is in the place of no nova-scheduler: its nova.config_files is empty", ""};
  print_nova_status(session, *nova);
  return 0;
}

std::string paused_text(const json::value& answer) {
  const auto others = answer.is_object() ? json::find_integer(answer.get_object(), "other_consumers") : std::nullopt;
  if (!others) return "paused: requests go to who else takes them, if anybody does, which the broker has not told";
  if (*others == 0)
    return "paused: nobody else takes the requests; they wait at the broker until `gantry nova resume`, or until "
           "nova-scheduler starts";
  return "paused: nova-scheduler, or another Gantry, gets the requests";
}

Result<int> pause(Session& session, const Arguments& /*arguments*/) {
  const auto answer = session.call("pause_requests", {});
  if (!answer) return answer.error();
  if (session.format() == OutputFormat::json)
    print_json(session, *answer);
  else if (session.format() == OutputFormat::table && !session.quiet())
    session.out() << paused_text(*answer) << '\n';
  return 0;
}

Result<int> resume(Session& session, const Arguments& /*arguments*/) {
  return change(session, "resume_requests", {}, "requests are taken again");
}

Result<int> why(Session& session, const Arguments& arguments) {
  auto answer = session.call("recent_decision", {{"instance_uuid", arguments.text("INSTANCE")}});
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "recent_decision: expected an object as answer", ""};
  print_nova_decision(session, answer->get_object(), arguments.text("INSTANCE"));
  return 0;
}

}  // namespace

std::vector<Command> nova_commands() {
  return {
      {.path = "nova check",
       .summary = "Tries what Gantry needs in the place of nova-scheduler, and changes nothing",
       .description =
           "Connects with the deployment's own nova.conf to the broker, the databases of the API and of each cell, "
           "Keystone and placement, and says what is there and what is missing: queues and their arguments, privileges "
           "with the GRANT that would add them, columns, clocks, microversions, hosts without a service, a mapping or "
           "a "
           "provider. A part that is away hides no other part. Needs no daemon, and the rights to read nova.conf. The "
           "exit status is 0 unless something would keep Gantry from working, which is 2; with --strict, 1 if there "
           "are "
           "warnings alone; 69 if the program gantry-nova-check is not installed, 78 if the configuration is refused.",
       .options = {{.name = "strict", .help = "Ends with status 1 where there are warnings alone"}},
       .examples = {{"gantry nova check", "before the first start"},
                    {"gantry nova check --set 'nova.config_files=[\"/etc/nova/nova.conf\"]'",
                     "before there is a configuration of Gantry"}},
       .run = check},
      {.path = "nova grants",
       .summary = "Prints the SQL that gives a database user what Gantry needs, and no more",
       .description = "Nova's own user has all of it. The cells come from the API database, which is read with the "
                      "credentials of nova.conf. The exit status is 2 if it cannot be read.",
       .options = {{.name = "database-user",
                    .kind = ValueKind::text,
                    .value_name = "NAME",
                    .help = "The user of the database",
                    .fallback = "gantry"},
                   {.name = "from",
                    .kind = ValueKind::text,
                    .value_name = "HOST",
                    .help = "Where this user connects from, as the database names hosts",
                    .fallback = "%"}},
       .examples = {{"gantry nova grants --from 10.0.0.5", "statements to read and to run"}},
       .run = grants},
      {.path = "nova status",
       .summary = "Shows the daemon's connections to Nova, and the requests under way",
       .description = "The broker, the databases with the age of what was read, placement, and counts of requests and "
                      "claims by their outcome. In shadow mode also where nova-scheduler chose another host, and why.",
       .examples = {{"gantry nova status", "is Nova heard?"}, {"gantry -o json nova status", "for programs"}},
       .run = nova_status},
      {.path = "nova pause",
       .summary = "Hands the work back: takes no further requests of Nova",
       .description =
           "The broker gives the requests to a nova-scheduler or another Gantry, or keeps them: the answer says "
           "whether anybody else takes them. Requests under way are answered. The pause holds until `gantry nova "
           "resume`, also after a restart.",
       .examples = {{"gantry nova pause", "back to nova-scheduler, within a second"}},
       .run = pause},
      {.path = "nova resume",
       .summary = "Takes requests of Nova again after a pause",
       .examples = {{"gantry nova resume", "and over again"}},
       .run = resume},
      {.path = "nova why",
       .summary = "Explains the last decision about an instance of Nova",
       .description = "The user of Nova reads \"No valid host was found.\"; this is the rest: what placement offered, "
                      "which step was against the hosts, and what became of each claim. The daemon remembers the "
                      "decisions of late; an instance that it does not know ends with exit status 1.",
       .positionals = {{"INSTANCE", "the instance's uuid, as `openstack server show` has it"}},
       .examples = {{"gantry nova why 6ae004a7-9983-453f-8297-96ff4aa2d35c", "a server in ERROR"}},
       .run = why},
  };
}

}  // namespace gantry::cli
