// SPDX-License-Identifier: Apache-2.0
#include "decision/document_counts.hpp"

namespace filter_driver {

std::optional<document_counts::counted> document_counts::find(const std::string& request, const key& row) const {
  const std::lock_guard lock(mutex_);
  const auto of_request = known_.find(request);
  if (of_request == known_.end()) return std::nullopt;
  const auto found = of_request->second.find(row);
  if (found == of_request->second.end()) return std::nullopt;
  return found->second;
}

void document_counts::put(const std::string& request, const key& row, const counted& found) {
  const std::lock_guard lock(mutex_);
  if (size_ >= most) {
    known_.clear();
    size_ = 0;
  }
  size_ += known_[request].insert_or_assign(row, found).second ? 1 : 0;
}

}  // namespace filter_driver
