// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/agent_state.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/files/errno_text.hpp"
#include "core/files/write_all.hpp"

namespace gantry::cli::agent {

namespace {

constexpr const char* phase_names[] = {"launching", "active", "failed", "terminating"};

Error failed(const std::string& path, const std::string& what) {
  const int problem = errno;
  const ErrorCode code = problem == EACCES || problem == EPERM ? ErrorCode::permission_denied : ErrorCode::internal;
  return Error{code, path + ": " + what + ": " + files::errno_text(problem) + "; --state-dir names another directory",
               ""};
}

json::object to_json(const AgentInstance& instance) {
  return {{"uuid", instance.uuid},
          {"name", instance.name},
          {"vcpus", instance.vcpus},
          {"memory_mb", instance.memory_mb},
          {"root_gb", instance.root_gb},
          {"disk_gb", instance.disk_gb},
          {"phase", phase_names[static_cast<std::size_t>(instance.phase)]},
          {"told", instance.told},
          {"fault", instance.fault},
          {"cast", instance.cast}};
}

AgentInstance from_json(const json::object& object) {
  AgentInstance instance;
  instance.uuid = json::find_string(object, "uuid").value_or("");
  instance.name = json::find_string(object, "name").value_or("");
  instance.vcpus = json::find_integer(object, "vcpus").value_or(0);
  instance.memory_mb = json::find_integer(object, "memory_mb").value_or(0);
  instance.root_gb = json::find_integer(object, "root_gb").value_or(0);
  instance.disk_gb = json::find_integer(object, "disk_gb").value_or(0);
  const auto phase = json::find_string(object, "phase").value_or("launching");
  const auto* found = std::ranges::find(phase_names, phase);
  if (found != std::end(phase_names)) instance.phase = static_cast<Phase>(found - phase_names);
  instance.told = json::find_bool(object, "told").value_or(false);
  instance.fault = json::find_string(object, "fault").value_or("");
  if (const json::object* cast = json::find_object(object, "cast")) instance.cast = *cast;
  return instance;
}

std::string file_name(const std::string& topic, const std::string& host) {
  std::string name = topic + "-" + host;
  std::ranges::replace(name, '/', '_');
  return name + ".json";
}

}  // namespace

Result<AgentInstance> instance_from_cast(const json::object& args) {
  const json::object empty;
  const json::object* instance = json::find_object(args, "instance");
  if (instance == nullptr) instance = &empty;
  const json::object* flavor = json::find_object(*instance, "flavor");
  if (flavor == nullptr) flavor = instance;
  AgentInstance made;
  made.uuid = json::find_string(*instance, "uuid").value_or(json::find_string(args, "instance_uuid").value_or(""));
  if (made.uuid.empty())
    return Error{ErrorCode::invalid_argument, "the cast names no instance: expected instance_uuid in its args", ""};
  made.name = json::find_string(*instance, "name").value_or("");
  const auto whole = [flavor](std::string_view key) {
    return static_cast<std::int64_t>(std::ceil(json::find_number(*flavor, key).value_or(0)));
  };
  made.vcpus = whole("vcpus");
  made.memory_mb = whole("memory_mb");
  made.root_gb = whole("root_gb");
  made.disk_gb = made.root_gb + whole("ephemeral_gb") + (whole("swap") + 1023) / 1024;
  made.cast = args;
  return made;
}

AgentState::AgentState(std::string path, files::Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

Result<std::unique_ptr<AgentState>> AgentState::open(const std::string& directory, const std::string& topic,
                                                     const std::string& host) {
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  if (problem) {
    errno = problem.value();
    return failed(directory, "cannot be made");
  }
  const std::string path = (std::filesystem::path(directory) / file_name(topic, host)).string();
  files::Descriptor lock(::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.is_open()) return failed(path + ".lock", "cannot be opened");
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::failed_precondition,
                 path + ": another agent for " + topic + " on " + host + " is running; end it first", ""};
  std::unique_ptr<AgentState> state(new AgentState(path, std::move(lock)));
  if (auto loaded = state->load(); !loaded) return std::move(loaded).error();
  // A state that cannot be written is found at the start, before the first cast.
  if (auto saved = state->save(); !saved) return std::move(saved).error();
  return state;
}

Result<void> AgentState::load() {
  std::ifstream file(path_);
  if (!file) return errno == ENOENT ? Result<void>() : Result<void>(failed(path_, "cannot be read"));
  std::ostringstream text;
  text << file.rdbuf();
  auto object = json::parse_object(text.str(), 2 * json::max_depth);
  if (!object)
    return std::move(object).error().within(path_ + ": expected an agent's state (move it away to start anew)");
  if (const json::array* list = json::find_array(*object, "instances"))
    for (const json::value& value : *list)
      if (value.is_object()) instances_.push_back(from_json(value.get_object()));
  if (const json::array* list = json::find_array(*object, "casts"))
    for (const json::value& value : *list)
      if (value.is_string()) casts_.emplace_back(value.get_string());
  idle_.memory_mb = json::find_integer(*object, "idle_memory_mb").value_or(0);
  idle_.disk_gb = json::find_integer(*object, "idle_disk_gb").value_or(0);
  return {};
}

Result<void> AgentState::save() {
  json::array instances;
  for (const AgentInstance& instance : instances_) instances.emplace_back(to_json(instance));
  json::array casts;
  for (const std::string& id : casts_) casts.emplace_back(id);
  const std::string text = json::write(json::object{{"version", 1},
                                                    {"idle_memory_mb", idle_.memory_mb},
                                                    {"idle_disk_gb", idle_.disk_gb},
                                                    {"instances", instances},
                                                    {"casts", casts}}) +
                           "\n";
  const std::string next = path_ + ".next";
  {
    const files::Descriptor file(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.is_open()) return failed(next, "cannot be opened");
    if (!files::write_all(file.number(), text) || ::fsync(file.number()) != 0) return failed(next, "cannot be written");
  }
  if (::rename(next.c_str(), path_.c_str()) != 0) return failed(path_, "cannot be replaced");
  const files::Descriptor directory(
      ::open(std::filesystem::path(path_).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) ::fsync(directory.number());
  return {};
}

}  // namespace gantry::cli::agent
