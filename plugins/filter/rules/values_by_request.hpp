// SPDX-License-Identifier: Apache-2.0
//
// Verdicts that depend on the request too, kept by row for the requests that were asked latest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "rules/values_by_row.hpp"

namespace filter_driver {

// [any thread]
template <class Value, std::size_t Width>
class values_by_request {
 public:
  using rows = values_by_row<Value, Width>;

  // `request`: all of it that values depend on. What is kept grows with the hosts, so the more there are the fewer
  // requests are remembered.
  std::shared_ptr<rows> find(const std::string& request, std::uint32_t hosts) {
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& known) { return known.first == request; });
    const std::size_t most = std::clamp<std::size_t>(most_values / std::max<std::uint32_t>(hosts, 1), 1, most_requests);
    if (found == known_.end()) found = known_.size() < most ? add() : oldest_anew();
    found->first = request;
    known_.splice(known_.begin(), known_, found);
    while (known_.size() > most) known_.pop_back();
    return known_.front().second;
  }

 private:
  static constexpr std::size_t most_requests = 32;
  static constexpr std::size_t most_values = 2'000'000;

  using requests = std::list<std::pair<std::string, std::shared_ptr<rows>>>;

  typename requests::iterator add() { return known_.emplace(known_.end(), std::string(), std::make_shared<rows>()); }
  // In the same memory, unless somebody still reads it.
  typename requests::iterator oldest_anew() {
    if (known_.back().second.use_count() > 1) return add();
    known_.back().second->forget();
    return std::prev(known_.end());
  }

  std::mutex mutex_;
  requests known_;  // the latest first
};

}  // namespace filter_driver
