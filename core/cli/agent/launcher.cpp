// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/launcher.hpp"

#include "core/cli/agent/child_process.hpp"

namespace gantry::cli::agent {

namespace {

Result<void> run(const std::string& command, const LaunchSettings& settings, const AgentInstance& instance,
                 const std::stop_token& stop) {
  if (command.empty()) return {};
  ChildRequest request;
  request.program = command;
  request.environment = {{"GANTRY_INSTANCE_UUID", instance.uuid},
                         {"GANTRY_INSTANCE_NAME", instance.name},
                         {"GANTRY_INSTANCE_VCPUS", std::to_string(instance.vcpus)},
                         {"GANTRY_INSTANCE_MEMORY_MB", std::to_string(instance.memory_mb)},
                         {"GANTRY_INSTANCE_ROOT_GB", std::to_string(instance.root_gb)}};
  request.input = json::write(instance.cast);
  request.timeout = settings.timeout;
  request.most_output = std::size_t{64} << 10u;
  auto ended = run_child(request, stop);
  if (!ended) return std::move(ended).error();
  if (ended->stopped) return Error{ErrorCode::unavailable, command + ": stopped with the agent", ""};
  if (ended->succeeded()) return {};
  std::string fault = last_line(ended->errors);
  if (fault.empty()) fault = last_line(ended->output);
  const std::string how = command + ": " + ended->how_it_ended(settings.timeout);
  if (fault.empty() || ended->timed_out) fault = fault.empty() ? how : how + ": " + fault;
  return Error{ErrorCode::internal, fault, ""};
}

}  // namespace

Result<void> launch(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop) {
  return run(settings.launch, settings, instance, stop);
}

Result<void> terminate(const LaunchSettings& settings, const AgentInstance& instance, const std::stop_token& stop) {
  return run(settings.terminate, settings, instance, stop);
}

}  // namespace gantry::cli::agent
