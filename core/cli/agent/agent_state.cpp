// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/agent_state.hpp"

#include <algorithm>

namespace gantry::cli::agent {

namespace {

constexpr std::size_t most_casts = 1000;

}  // namespace

bool AgentState::has_seen(const std::string& cast_id) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(casts_, cast_id) != casts_.end();
}

Result<void> AgentState::change(const std::function<void()>& apply) {
  const std::lock_guard lock(mutex_);
  auto instances = instances_;
  auto casts = casts_;
  apply();
  auto saved = save();
  if (!saved) {
    instances_ = std::move(instances);
    casts_ = std::move(casts);
  }
  return saved;
}

AgentInstance* AgentState::known(const std::string& uuid) {
  const auto found = std::ranges::find(instances_, uuid, &AgentInstance::uuid);
  return found == instances_.end() ? nullptr : &*found;
}

Result<void> AgentState::take(const AgentInstance& instance, const std::string& cast_id) {
  return change([&] {
    AgentInstance* found = known(instance.uuid);
    if (found == nullptr)
      instances_.push_back(instance);
    else if (instance.phase == Phase::terminating) {
      found->phase = Phase::terminating;
      found->cast = instance.cast;
    } else if (found->phase == Phase::active) {
      // The instance runs already, and the daemon has to be told again.
      found->told = false;
    } else {
      *found = instance;
    }
    casts_.push_back(cast_id);
    if (casts_.size() > most_casts) casts_.pop_front();
  });
}

std::optional<AgentInstance> AgentState::find(const std::string& uuid) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(instances_, uuid, &AgentInstance::uuid);
  if (found == instances_.end()) return std::nullopt;
  return *found;
}

std::vector<AgentInstance> AgentState::instances() const {
  const std::lock_guard lock(mutex_);
  return instances_;
}

Result<void> AgentState::launched(const std::string& uuid, const std::string& fault) {
  return change([&] {
    AgentInstance* found = known(uuid);
    if (found == nullptr || found->phase != Phase::launching) return;
    found->phase = fault.empty() ? Phase::active : Phase::failed;
    found->fault = fault;
    found->told = false;
    found->cast.clear();
  });
}

Result<void> AgentState::told(const std::string& uuid) {
  return change([&] {
    AgentInstance* found = known(uuid);
    if (found == nullptr) return;
    found->told = true;
    if (found->phase == Phase::failed)
      std::erase_if(instances_, [&](const AgentInstance& instance) { return instance.uuid == uuid; });
  });
}

Result<void> AgentState::end(const std::string& uuid) {
  return change([&] {
    AgentInstance* found = known(uuid);
    if (found == nullptr || found->phase != Phase::active) return;
    found->phase = Phase::terminating;
    found->cast = {{"instance_uuid", uuid}};
  });
}

Result<void> AgentState::forget(const std::string& uuid) {
  return change(
      [&] { std::erase_if(instances_, [&](const AgentInstance& instance) { return instance.uuid == uuid; }); });
}

InstanceUse AgentState::use() const {
  const std::lock_guard lock(mutex_);
  InstanceUse use;
  for (const AgentInstance& instance : instances_) {
    if (instance.phase == Phase::failed) continue;
    use.vcpus += instance.vcpus;
    use.memory_mb += instance.memory_mb;
    use.disk_gb += instance.disk_gb;
    ++use.count;
  }
  return use;
}

IdleUse AgentState::idle() const {
  const std::lock_guard lock(mutex_);
  return idle_;
}

void AgentState::set_idle(const IdleUse& idle) {
  const std::lock_guard lock(mutex_);
  idle_ = idle;
}

}  // namespace gantry::cli::agent
