// SPDX-License-Identifier: Apache-2.0
//
// Authentication and the role check of a request, before its body is read.
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

  // Returns the caller whose token the header Authorization holds. nullptr: the header is empty, and either no token is
  // required or the target is a public document. Errors: unauthenticated, permission_denied. Logs refusals, at most one
  // line a second.
  Result<std::shared_ptr<const scheduling::Caller>> admit(std::string_view authorization, std::string_view target,
                                                          bool requires_token, std::string_view peer) const;
  // Returns the caller if there is one and its role may call the target. nullptr: there is none, and the target is a
  // public document. Error permission_denied. Logs refusals in the same way.
  Result<std::shared_ptr<const scheduling::Caller>> admit(Result<std::shared_ptr<const scheduling::Caller>> caller,
                                                          std::string_view target, std::string_view peer) const;

 private:
  void log(const Error& refusal, std::string_view target, std::string_view peer) const;

  const scheduling::Manager& manager_;
  std::shared_ptr<telemetry::Logger> logger_;
  mutable std::atomic<std::int64_t> next_line_{0};   // when the next line is allowed; seconds of the steady clock
  mutable std::atomic<std::uint64_t> unwritten_{0};  // refusals since the last line, which got no line themselves
};

}  // namespace gantry::transport
