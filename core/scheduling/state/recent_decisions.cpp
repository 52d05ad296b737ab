// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/recent_decisions.hpp"

namespace gantry::scheduling {

void RecentDecisions::add(std::span<const std::string> instance_uuids, std::string record) {
  const auto shared = std::make_shared<const std::string>(std::move(record));
  const std::lock_guard lock(mutex_);
  for (const auto& uuid : instance_uuids) {
    by_instance_.insert_or_assign(uuid, Kept{next_, shared});
    order_.push_back({next_, uuid});
  }
  ++next_;
  while (order_.size() > most) {
    const auto kept = by_instance_.find(order_.front().instance_uuid);
    // A later decision about the instance has its own entry.
    if (kept != by_instance_.end() && kept->second.number == order_.front().number) by_instance_.erase(kept);
    order_.pop_front();
  }
}

std::optional<std::string> RecentDecisions::find(const std::string& instance_uuid) const {
  const std::lock_guard lock(mutex_);
  const auto kept = by_instance_.find(instance_uuid);
  if (kept == by_instance_.end()) return std::nullopt;
  return *kept->second.record;
}

}  // namespace gantry::scheduling
