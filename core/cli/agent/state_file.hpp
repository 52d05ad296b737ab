// SPDX-License-Identifier: Apache-2.0
//
// What a host's agent must not forget: the instances it runs, the casts it took, what the idle machine used. Kept in
// one file, mode 0600, written anew at each change.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/agent/host_facts.hpp"
#include "core/encoding/json.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::cli::agent {

enum class Phase {
  launching,    // to be started
  active,       // runs; the daemon may not know yet
  failed,       // did not start; forgotten once the daemon knows
  terminating,  // to be ended, then forgotten
};

struct AgentInstance {
  std::string uuid;
  std::string name;
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t root_gb = 0;
  std::int64_t disk_gb = 0;  // root, ephemeral and swap
  Phase phase = Phase::launching;
  bool told = false;  // the daemon knows its phase
  std::string fault;  // of a failed one
  json::object cast;  // the last message about it, until it is carried out
};

// From the args of run_instance or terminate_instance.
Result<AgentInstance> instance_from_cast(const json::object& args);

// [any thread] Each change is on disk when the function returns; an error means that it is not, and did not happen.
class AgentState {
 public:
  // Opens or makes the file and locks it: one agent a host. A broken file is an error, not an empty one.
  static Result<std::unique_ptr<AgentState>> open(const std::string& directory, const std::string& topic,
                                                  const std::string& host);

  bool has_seen(const std::string& cast_id) const;
  // Takes a cast: the instance's new phase and the cast's id in one step.
  Result<void> take(const AgentInstance& instance, const std::string& cast_id);
  std::optional<AgentInstance> find(const std::string& uuid) const;
  std::vector<AgentInstance> instances() const;
  // The end of a launch; without effect if the instance is no longer launching.
  Result<void> launched(const std::string& uuid, const std::string& fault);
  Result<void> told(const std::string& uuid);
  // An active one that nobody wants any more is to be ended.
  Result<void> end(const std::string& uuid);
  Result<void> forget(const std::string& uuid);

  InstanceUse use() const;  // of all that is not failed
  IdleUse idle() const;
  void set_idle(const IdleUse& idle);  // on disk with the next change

 private:
  AgentState(std::string path, files::Descriptor lock);
  Result<void> change(const std::function<void()>& apply);
  AgentInstance* known(const std::string& uuid);  // nullptr: it is not; with the mutex held
  Result<void> load();
  Result<void> save();

  mutable std::mutex mutex_;
  std::string path_;
  files::Descriptor lock_;
  std::vector<AgentInstance> instances_;
  std::deque<std::string> casts_;  // the latest ids, oldest first
  IdleUse idle_;
};

}  // namespace gantry::cli::agent
