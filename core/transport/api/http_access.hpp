// SPDX-License-Identifier: Apache-2.0
//
// Who is at the other end of a request, found out before its body is read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::transport {

// [any thread]
class HttpAccess {
 public:
  HttpAccess(const scheduling::Manager& manager, std::shared_ptr<telemetry::Logger> logger)
      : manager_(manager), logger_(std::move(logger)) {}

  // The caller that the header Authorization names; nullptr: none, which is trusted or asks for what everybody may see.
  // unauthenticated or permission_denied otherwise. Refusals are logged, a line a second at most.
  Result<std::shared_ptr<const scheduling::Caller>> admit(std::string_view authorization, std::string_view target,
                                                          bool requires_token, std::string_view peer) const;

 private:
  void log(const Error& refusal, std::string_view target, std::string_view peer) const;

  const scheduling::Manager& manager_;
  std::shared_ptr<telemetry::Logger> logger_;
  mutable std::atomic<std::int64_t> next_line_{0};  // seconds of the steady clock
  mutable std::atomic<std::uint64_t> unwritten_{0};
};

}  // namespace gantry::transport
