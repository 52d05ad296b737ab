// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/recent_ids.hpp"

#include <algorithm>

namespace gantry::nova {

bool RecentIds::is_repeated(const std::string& unique_id) {
  if (unique_id.empty()) return false;
  if (std::find(ids_.begin(), ids_.end(), unique_id) != ids_.end()) return true;
  ids_.push_back(unique_id);
  if (ids_.size() > kept) ids_.pop_front();
  return false;
}

}  // namespace gantry::nova
