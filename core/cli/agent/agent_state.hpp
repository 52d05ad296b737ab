// SPDX-License-Identifier: Apache-2.0
//
// Stores the state of a host's agent: its instances, the casts it took, and the idle machine's use. The state is one
// file of mode 0600, which each change replaces.
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
  launching,    // has to be started
  active,       // runs; the daemon may not have been told
  failed,       // did not start; removed once the daemon is told
  terminating,  // has to be ended, then removed
};

struct AgentInstance {
  std::string uuid;
  std::string name;
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t root_gb = 0;
  std::int64_t disk_gb = 0;  // root, ephemeral and swap
  Phase phase = Phase::launching;
  bool told = false;  // the daemon was told the phase
  std::string fault;  // of a failed instance
  json::object cast;  // the last cast for the instance, until it is carried out
};

// Reads the args of run_instance or terminate_instance.
Result<AgentInstance> instance_from_cast(const json::object& args);

// Each change is on disk when its function returns. After an error the change is rolled back. [any thread]
class AgentState {
 public:
  // Opens or makes the file and locks it against a second agent of the host. Refuses a broken file.
  static Result<std::unique_ptr<AgentState>> open(const std::string& directory, const std::string& topic,
                                                  const std::string& host);

  bool has_seen(const std::string& cast_id) const;
  // Takes a cast: stores the instance's new phase and the cast's id in one step.
  Result<void> take(const AgentInstance& instance, const std::string& cast_id);
  std::optional<AgentInstance> find(const std::string& uuid) const;
  std::vector<AgentInstance> instances() const;
  // Records the end of a launch. An empty fault means success. Does nothing if the instance is no longer launching.
  Result<void> launched(const std::string& uuid, const std::string& fault);
  Result<void> told(const std::string& uuid);
  // Makes an active instance terminating.
  Result<void> end(const std::string& uuid);
  Result<void> forget(const std::string& uuid);

  InstanceUse use() const;  // of all instances that have not failed
  IdleUse idle() const;
  void set_idle(const IdleUse& idle);  // written with the next change

 private:
  AgentState(std::string path, files::Descriptor lock);
  Result<void> change(const std::function<void()>& apply);
  AgentInstance* known(const std::string& uuid);  // nullptr if unknown; requires the mutex
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
