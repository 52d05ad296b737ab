// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/recent_ids.hpp"

namespace gantry::nova {

bool RecentIds::is_repeated(const std::string& unique_id) {
  if (unique_id.empty()) return false;
  if (!ids_.insert(unique_id).second) return true;
  in_order_.push_back(unique_id);
  if (in_order_.size() > kept) {
    ids_.erase(in_order_.front());
    in_order_.pop_front();
  }
  return false;
}

}  // namespace gantry::nova
