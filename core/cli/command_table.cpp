// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cli/commands/commands.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/upkeep/backup_command.hpp"
#include "core/cli/upkeep/compare_command.hpp"
#include "core/cli/upkeep/restore_command.hpp"
#include "core/cli/upkeep/upgrade_command.hpp"

namespace gantry::cli {

namespace {

std::vector<Option> connection_options() {
  return {
      {.name = "url",
       .kind = ValueKind::text,
       .value_name = "URL",
       .help = "Where the daemon is: a path, unix:///path, http://host:port or https://host:port. Otherwise "
               "$GANTRY_URL, the socket of "
               "--config, or unix:///run/gantry/gantry.sock"},
      {.name = "token-file",
       .kind = ValueKind::text,
       .value_name = "FILE",
       .help =
           "Holds the access token on one line. Otherwise $GANTRY_TOKEN, or the file that $GANTRY_TOKEN_FILE names"},
      {.name = "ca-file",
       .kind = ValueKind::text,
       .value_name = "FILE",
       .help = "PEM: who may have signed the certificate of a https daemon. Otherwise $GANTRY_CA_FILE, or the system's "
               "authorities"},
      {.name = "timeout",
       .kind = ValueKind::number,
       .value_name = "SECONDS",
       .help = "How long a call may take",
       .fallback = "30",
       .minimum = 0.001},
      {.name = "request-id",
       .kind = ValueKind::text,
       .value_name = "ID",
       .help = "The id under which the request is logged: req- and a UUID. Otherwise made up"},
      {.name = "remote-address",
       .kind = ValueKind::text,
       .value_name = "IP",
       .help = "The address on whose behalf the request is made, for drivers that place by it"},
      {.name = "user", .kind = ValueKind::text, .value_name = "ID", .help = "The user the request is made for"},
      {.name = "project", .kind = ValueKind::text, .value_name = "ID", .help = "The project the request is made for"},
  };
}

std::vector<Option> output_options() {
  return {
      {.name = "output",
       .letter = 'o',
       .kind = ValueKind::text,
       .value_name = "FORMAT",
       .help = "table for people; json as the daemon said it, errors and warnings included, a line each on standard "
               "error; value: tab-separated without a header",
       .fallback = "table",
       .choices = {"table", "json", "value"}},
      {.name = "config",
       .kind = ValueKind::text,
       .value_name = "FILE",
       .help = "The configuration file. Otherwise $GANTRY_CONFIG, or /etc/gantry/gantry.toml where one is needed"},
      {.name = "config-dir",
       .kind = ValueKind::text,
       .value_name = "DIR",
       .help = "Its drop-ins. Otherwise conf.d beside the file"},
      {.name = "set",
       .kind = ValueKind::text,
       .value_name = "KEY=VALUE",
       .help = "Sets a key of the configuration, above the file: server.socket=/tmp/g.sock",
       .repeatable = true},
      {.name = "no-color", .help = "No colours; $NO_COLOR does the same"},
      {.name = "quiet", .letter = 'q', .help = "Nothing but the answer and errors"},
      {.name = "debug", .help = "Shows each call and its answer's time on standard error"},
      {.name = "help", .letter = 'h', .help = "Shows help for the program, a group of commands or a command"},
      {.name = "version", .help = "Shows the version and the driver ABI"},
  };
}

std::vector<Group> groups() {
  return {
      {"server", "Instances: create, look at, delete"},
      {"host", "Hosts, their capacity and what they run"},
      {"service", "Services on hosts: up, down, enabled, disabled"},
      {"aggregate", "Aggregates of hosts and availability zones"},
      {"group", "Server groups: affinity and anti-affinity"},
      {"decision", "Decisions that were made: what was asked, seen and chosen"},
      {"fleet", "The whole fleet, written down"},
      {"cast", "Messages that wait for a host"},
      {"claim", "What picks hold until a host reports it"},
      {"driver", "Drivers: write, build, judge and install them"},
      {"config", "The configuration: check, show, sample, import from Nova"},
      {"nova", "Gantry in the place of nova-scheduler: check, privileges, status, decisions"},
      {"token", "Access tokens: create, list, revoke"},
      {"upgrade", "Before and after another version is installed"},
  };
}

}  // namespace

const Command* CommandTable::find(const std::string& path) const {
  const auto found = std::ranges::find(commands, path, &Command::path);
  return found == commands.end() ? nullptr : &*found;
}

bool CommandTable::is_group(const std::string& word) const {
  return std::ranges::find(groups, word, &Group::name) != groups.end();
}

std::vector<const Command*> CommandTable::in_group(const std::string& word) const {
  std::vector<const Command*> found;
  for (const Command& command : commands)
    if (!command.hidden && command.path.starts_with(word + " ")) found.push_back(&command);
  return found;
}

CommandTable command_table() {
  CommandTable table;
  table.global_options = connection_options();
  std::ranges::move(output_options(), std::back_inserter(table.global_options));
  table.groups = groups();
  for (auto part : {status_commands,       page_commands,        stats_commands,   top_commands,      doctor_commands,
                    reload_commands,       restart_commands,     events_commands,  server_commands,   host_commands,
                    service_commands,      aggregate_commands,   group_commands,   schedule_commands, select_commands,
                    capacity_commands,     decision_commands,    whatif_commands,  fleet_commands,    driver_commands,
                    config_commands,       nova_commands,        agent_commands,   token_commands,    backup_commands,
                    driver_kit_commands,   driver_test_commands, restore_commands, compare_commands,  upgrade_commands,
                    documentation_commands})
    std::ranges::move(part(), std::back_inserter(table.commands));
  return table;
}

}  // namespace gantry::cli
