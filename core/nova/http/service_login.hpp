// SPDX-License-Identifier: Apache-2.0
//
// Where an OpenStack service is, and the token to show there.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/nova/http/http_outcome.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct ServiceAccess {
  std::string endpoint;  // a URL
  std::string token;     // a secret
};

// [strand]
class ServiceLogin {
 public:
  using Done = std::function<void(Result<ServiceAccess>)>;

  virtual ~ServiceLogin() = default;
  // Calls `done` once, at once or later, at the deadline at the latest.
  virtual void access(Clock::time_point deadline, Done done) = 0;
  // The service has refused the token. Returns whether access() can get another one.
  virtual bool reject(const std::string& token) = 0;
};

// One token for ever, as placement's auth_strategy noauth2 takes it.
class StaticLogin final : public ServiceLogin {
 public:
  explicit StaticLogin(ServiceAccess access) : access_(std::move(access)) {}
  void access(Clock::time_point /*deadline*/, Done done) override { done(access_); }
  bool reject(const std::string& /*token*/) override { return false; }

 private:
  ServiceAccess access_;
};

}  // namespace gantry::nova
