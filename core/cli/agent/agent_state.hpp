// SPDX-License-Identifier: Apache-2.0
//
// Stores the state of a host's agent: the host's instances, the ids of the casts that the agent took, and the resources
// that the machine used without instances. The state is one file of mode 0600, which each change replaces.
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
  active,       // runs; the daemon may not know yet
  failed,       // did not start; removed from the state once the daemon is told
  terminating,  // has to be ended, then removed from the state
};

// An instance of the host, as the agent remembers it.
struct AgentInstance {
  std::string uuid;
  std::string name;
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t root_gb = 0;
  std::int64_t disk_gb = 0;  // root, ephemeral and swap disk together
  Phase phase = Phase::launching;
  bool told = false;  // true: the daemon was told the present phase
  std::string fault;  // why the instance failed; empty in the other phases
  json::object cast;  // args of the last cast for the instance; empty once its launch has ended
};

// Makes an instance from the args of a run_instance or terminate_instance cast. Its phase is launching. Fails if the
// args name no instance.
Result<AgentInstance> instance_from_cast(const json::object& args);

// The state in memory and its file. A function that returns a Result has written its change to disk when it returns. If
// it returns an error, the change is rolled back. [any thread]
class AgentState {
 public:
  // Opens or makes the state file in `directory`. Locks it, so that a second agent for the same topic and host is
  // refused. Fails if the file exists and is no JSON object.
  static Result<std::unique_ptr<AgentState>> open(const std::string& directory, const std::string& topic,
                                                  const std::string& host);

  // True if a cast of this id was taken before. Remembers the latest 1,000 ids.
  bool has_seen(const std::string& cast_id) const;
  // Takes a cast: stores the cast's id and the instance in one step. A launch of an active instance only marks that the
  // daemon has to be told again.
  Result<void> take(const AgentInstance& instance, const std::string& cast_id);
  // nullopt if the instance is unknown.
  std::optional<AgentInstance> find(const std::string& uuid) const;
  std::vector<AgentInstance> instances() const;
  // Records that a launch has ended. An empty fault makes the instance active, any other makes it failed. Does nothing
  // if the instance is no longer launching.
  Result<void> launched(const std::string& uuid, const std::string& fault);
  // Records that the daemon knows the instance's phase. Removes a failed instance.
  Result<void> told(const std::string& uuid);
  // Makes an active instance terminating. Does nothing in any other phase.
  Result<void> end(const std::string& uuid);
  // Removes the instance from the state.
  Result<void> forget(const std::string& uuid);

  InstanceUse use() const;  // the sum over all instances that have not failed
  IdleUse idle() const;
  void set_idle(const IdleUse& idle);  // kept in memory, reaches the disk with the next change

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
  std::deque<std::string> casts_;  // ids of the latest casts, oldest first
  IdleUse idle_;
};

}  // namespace gantry::cli::agent
