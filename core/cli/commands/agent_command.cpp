// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "core/cli/agent/host_agent.hpp"
#include "core/cli/agent/simulated_fleet.hpp"
#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/terminal/machine_name.hpp"
#include "core/cli/terminal/read_file.hpp"

namespace gantry::cli {

namespace {

using agent::AgentSettings;
using agent::AgentState;
using agent::HostAgent;
using agent::NewConnection;
using agent::StopSignal;

std::string state_directory(const Session& session, const Arguments& arguments) {
  if (arguments.has("state-dir")) return arguments.text("state-dir");
  const auto& variables = session.environment().variables;
  const auto found = variables.find("XDG_STATE_HOME");
  if (found != variables.end() && !found->second.empty()) return found->second + "/gantry-agent";
  return "/var/lib/gantry-agent";
}

Result<NewConnection> connections(Session& session) {
  auto to = session.destination();
  if (!to) return std::move(to).error();
  return NewConnection([connect = session.environment().connect, to = *to] { return connect(to); });
}

Result<void> run_simulation(Session& session, const Arguments& arguments, const NewConnection& connect,
                            telemetry::Logger& logger, const std::stop_token& stop) {
  const std::string name = arguments.text("simulate");
  auto text = read_file(session, name);
  if (!text) return std::move(text).error();
  auto hosts = agent::parse_simulation(*text, name);
  if (!hosts) return std::move(hosts).error();
  return simulate(std::move(*hosts), *arguments.seconds("report-interval"), arguments.flag("once"), connect, logger,
                  stop);
}

AgentSettings settings_of(const Arguments& arguments) {
  AgentSettings settings;
  settings.host.topic = arguments.text("topic");
  settings.host.host = arguments.has("host") ? arguments.text("host") : machine_name();
  settings.host.node = arguments.text("node");
  settings.host.disk_path = arguments.text("disk-path");
  settings.host.collectors = arguments.text("collectors");
  settings.launch.launch = arguments.text("launch");
  settings.launch.terminate = arguments.text("terminate");
  settings.launch.timeout = *arguments.seconds("launch-timeout");
  settings.report_interval = *arguments.seconds("report-interval");
  settings.launches_at_once = static_cast<std::size_t>(*arguments.integer("launches"));
  return settings;
}

// Checks what would fail later: at each report, or at the first instance.
Result<void> check(const AgentSettings& settings) {
  if (auto facts = agent::read_host_facts(settings.host.disk_path); !facts) {
    Error error = std::move(facts).error();
    error.code = ErrorCode::invalid_argument;
    return error;
  }
  std::error_code ignored;
  if (!settings.host.collectors.empty() && !std::filesystem::is_directory(settings.host.collectors, ignored))
    return Error{ErrorCode::invalid_argument,
                 "--collectors " + settings.host.collectors + ": expected a directory, found none", ""};
  for (const auto& [option, command] :
       {std::pair{"--launch ", settings.launch.launch}, std::pair{"--terminate ", settings.launch.terminate}})
    if (command.find('/') != std::string::npos && ::access(command.c_str(), X_OK) != 0)
      return Error{ErrorCode::invalid_argument,
                   option + command + ": expected one executable, without arguments, found none of that name", ""};
  return {};
}

Result<void> run_host(Session& session, const Arguments& arguments, const NewConnection& connect,
                      const std::shared_ptr<telemetry::Logger>& logger, const std::stop_token& stop) {
  const AgentSettings settings = settings_of(arguments);
  if (auto good = check(settings); !good) return good;
  auto state = AgentState::open(state_directory(session, arguments), settings.host.topic, settings.host.host);
  if (!state) return std::move(state).error();
  HostAgent host(settings, **state, connect, logger);
  return arguments.flag("once") ? host.once(stop) : host.run(stop);
}

Result<int> run_agent(Session& session, const Arguments& arguments) {
  telemetry::LogSettings log;
  if (session.quiet()) log.level = telemetry::Level::warning;
  if (arguments.flag("debug")) log.level = telemetry::Level::debug;
  auto logger = telemetry::Logger::open(log);
  if (!logger) return std::move(logger).error();
  // Logrotate's signal to everybody; the agent writes to standard error and has nothing to reopen. With a terminal it
  // still means that the terminal has gone.
  if (!session.environment().err_is_terminal) std::signal(SIGHUP, SIG_IGN);
  const StopSignal signal;
  auto connect = connections(session);
  if (!connect) return std::move(connect).error();
  auto ended = arguments.has("simulate") ? run_simulation(session, arguments, *connect, **logger, signal.token())
                                         : run_host(session, arguments, *connect, *logger, signal.token());
  if (!ended) return std::move(ended).error();
  return 0;
}

Option text_option(const char* name, const char* value_name, const char* help, const char* fallback = "") {
  return {.name = name, .kind = ValueKind::text, .value_name = value_name, .help = help, .fallback = fallback};
}

Option seconds_option(const char* name, const char* help, const char* fallback) {
  return {.name = name,
          .kind = ValueKind::number,
          .value_name = "SECONDS",
          .help = help,
          .fallback = fallback,
          .minimum = 0.01};
}

std::vector<Option> agent_options() {
  return {
      text_option("host", "HOST", "The name under which the host is known; otherwise this machine's host name"),
      text_option("node", "NODE", "The node, for a host that is known by a pair of names"),
      text_option("topic", "TOPIC", "The topic of its service", "compute"),
      seconds_option("report-interval", "Between two reports, each of them a heartbeat", "10"),
      text_option("disk-path", "PATH", "A path on the file system that instances' disks are on", "/"),
      text_option("collectors", "DIR", "Executables that collect what else drivers want to know; see above"),
      text_option("launch", "COMMAND", "Starts an instance; see above. Without it, instances exist in name only"),
      text_option("terminate", "COMMAND", "Ends an instance, called as the launch command is"),
      seconds_option("launch-timeout", "How long either command may take", "600"),
      {.name = "launches",
       .kind = ValueKind::integer,
       .value_name = "N",
       .help = "How many commands may run beside each other",
       .fallback = "4",
       .minimum = 1},
      text_option("state-dir", "DIR",
                  "Where it keeps what it must not forget; otherwise $XDG_STATE_HOME/gantry-agent, or "
                  "/var/lib/gantry-agent"),
      text_option("simulate", "FILE", "Plays the agents of all hosts that the TOML file describes; see above"),
      {.name = "once", .help = "Registers, reports and ends"},
  };
}

constexpr const char* description =
    "Registers the host's service, reports processors, memory, disk and instances, and carries out what is sent to the "
    "host: run_instance and terminate_instance. It outlives the daemon's restarts, and its own restart forgets "
    "nothing: "
    "what it runs and what it took is in its state directory. SIGTERM ends it; commands under way are ended too and "
    "begun anew at its next start. SIGHUP is ignored where standard error is no terminal. "
    "The LAUNCH command is one executable, called without a shell and without arguments, with GANTRY_INSTANCE_UUID, "
    "GANTRY_INSTANCE_NAME, GANTRY_INSTANCE_VCPUS, GANTRY_INSTANCE_MEMORY_MB and GANTRY_INSTANCE_ROOT_GB in its "
    "environment and the message's arguments as JSON on its standard input. Exit status 0: the instance is active. "
    "Anything else: it is in error, and the command's last line is the reason. It must bear being called twice for one "
    "instance. "
    "The TERMINATE command is called in the same way, and again, after a growing pause, until its exit status is 0; so "
    "long the instance counts as used. "
    "A COLLECTOR is an executable in the --collectors directory that only its owner, root or the agent's user, may "
    "write. Called with --provides, once at the start, it prints the keys it can tell, one a line; called without "
    "arguments, at each report, it prints one JSON object with them. Only those are run that provide a key which a "
    "loaded driver wants, asked anew at each report; each has 5 seconds and 256 KiB. Of one that fails, with a "
    "warning, "
    "the host has no values until it succeeds again. "
    "A SIMULATION file holds [[hosts]] tables: name (\"c{1..10}\", or \"c\" with count = 10), and optionally node, "
    "topic, vcpus, memory_mb, local_gb, stats = { key = value }, launch = \"ok\" or \"fail: why\", boot_seconds.";

}  // namespace

std::vector<Command> agent_commands() {
  return {{.path = "agent",
           .summary = "Runs as the agent of a host, or of a simulated fleet",
           .description = description,
           .options = agent_options(),
           .examples = {{"gantry agent", "this machine"},
                        {"gantry agent --host c1 --launch /usr/local/bin/start-instance", "with a command of its own"},
                        {"gantry agent --simulate fleet.toml", "a fleet to try things on"},
                        {"gantry agent --simulate fleet.toml --once", "one report of each, then down after a minute"}},
           .run = run_agent}};
}

}  // namespace gantry::cli
