// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/buried_instances.hpp"

#include <utility>

namespace gantry::nova {

Result<std::set<std::string>> BuriedInstances::among(std::span<const std::string> instances) {
  std::set<std::string> buried;
  if (instances.empty()) return buried;
  const std::lock_guard lock(mutex_);
  if (!connection_ || !connection_->is_open()) {
    auto opened = Connection::open(url_, timeouts_);
    if (!opened) return std::move(opened).error();
    connection_ = *std::move(opened);
  }
  std::string list;
  for (const auto& instance : instances) list += (list.empty() ? "" : ", ") + connection_->quoted(instance);
  auto done = connection_->query(
      "SELECT m.`instance_uuid` FROM `instance_mappings` m JOIN `cell_mappings` c ON c.`id` = m.`cell_id` "
      "WHERE c.`uuid` = '00000000-0000-0000-0000-000000000000' AND m.`instance_uuid` IN (" +
          list + ")",
      [&buried](Row row) {
        if (const auto* uuid = std::get_if<std::string_view>(&row[0])) buried.emplace(*uuid);
      });
  if (!done) return std::move(done).error();
  return buried;
}

}  // namespace gantry::nova
