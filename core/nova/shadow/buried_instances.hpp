// SPDX-License-Identifier: Apache-2.0
//
// The instances that Nova has put into cell0, since it found no host for them.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "core/nova/facts/database/connection.hpp"

namespace gantry::nova {

// [any thread] Connects at the first question, and again after the connection was lost.
class BuriedInstances {
 public:
  // `url`: of the API database.
  BuriedInstances(DatabaseUrl url, Timeouts timeouts) : url_(std::move(url)), timeouts_(timeouts) {}

  // Returns those of the instances that are in cell0.
  Result<std::set<std::string>> among(std::span<const std::string> instances);

 private:
  const DatabaseUrl url_;
  const Timeouts timeouts_;
  std::mutex mutex_;
  std::optional<Connection> connection_;
};

}  // namespace gantry::nova
