// SPDX-License-Identifier: Apache-2.0
//
// The policy services of the configuration, asked over HTTP: [ask.<name>].
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/scheduling/policy_services.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::daemon {

// [any thread]
class HttpPolicyServices final : public scheduling::PolicyServices {
 public:
  using Settings = std::map<std::string, config::PolicyService>;

  // Returns what is wrong with URLs and files. Connects to no service.
  static std::vector<Error> check(const Settings& settings);
  // Error invalid_configuration: the first that check() finds.
  static Result<std::unique_ptr<HttpPolicyServices>> make(const Settings& settings,
                                                          std::shared_ptr<telemetry::Logger> logger,
                                                          std::shared_ptr<telemetry::Counters> counters);
  // Ends the questions under way. Waits for no service and no name server.
  ~HttpPolicyServices() override;
  HttpPolicyServices(const HttpPolicyServices&) = delete;
  HttpPolicyServices& operator=(const HttpPolicyServices&) = delete;

  drivers::ServiceAnswer ask(std::string_view driver, std::string_view name, std::string_view json,
                             std::chrono::steady_clock::time_point deadline) override;

 private:
  struct Service;
  struct Loop;

  HttpPolicyServices(std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<telemetry::Counters> counters);
  void tell(Service& service, const std::string& name, const drivers::ServiceAnswer& answer);

  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  const std::shared_ptr<Loop> loop_;
  std::map<std::string, std::shared_ptr<Service>, std::less<>> services_;
};

}  // namespace gantry::daemon
