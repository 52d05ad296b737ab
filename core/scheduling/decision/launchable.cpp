// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/launchable.hpp"

namespace gantry::scheduling {

namespace {

// Empty if the record does not forbid a launch.
std::string where_it_is(const fleet::Instance& instance) {
  if (instance.vm_state == "deleted" || (instance.host.empty() && instance.vm_state != "active")) return {};
  if (instance.vm_state == "error")
    return instance.active_at == 0 ? std::string() : "is in error on " + instance.host + ", where it was active";
  const auto doing = instance.task_state.empty() ? std::string() : " (" + instance.task_state + ")";
  return "is " + instance.vm_state + doing + " on " + instance.host;
}

Result<void> check(const fleet::Fleet& fleet, const std::string& uuid) {
  const auto known = fleet.instance(uuid);
  const auto refused = [&uuid](const std::string& why) {
    return Error{ErrorCode::failed_precondition, "instance " + uuid + " " + why + " before it is scheduled again", {}};
  };
  if (const auto where = known ? where_it_is(*known) : std::string(); !where.empty())
    return refused(where + "; delete it");
  for (const auto& host : fleet.listed_on(uuid)) {
    if (!known || known->host != host)
      return refused("is on " + host + ", as the host's last report says; end it there");
  }
  return {};
}

}  // namespace

Result<void> check_launchable(const fleet::Fleet& fleet, const std::vector<std::string>& uuids) {
  for (const auto& uuid : uuids) {
    if (auto checked = check(fleet, uuid); !checked) return checked;
  }
  return {};
}

}  // namespace gantry::scheduling
