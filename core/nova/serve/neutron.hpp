// SPDX-License-Identifier: Apache-2.0
//
// Neutron, for the request filters that look at a request's networks. Asked with the service's own login of [neutron]:
// the user's token goes nowhere.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/http/service_client.hpp"
#include "core/nova/request/lookups.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/strand_thread.hpp"

namespace gantry::nova {

// [any thread] Each function blocks, for the timeout of [neutron] and a minute at most. An error of the code unavailable
// means that Neutron could not be asked: it is away, refuses the login, or answers with something else than expected.
class Neutron final : public NetworkLookups {
 public:
  // Returns nullptr if nova.conf has no login for Neutron. `placement` outlives the object.
  static Result<std::unique_ptr<Neutron>> make(const config::NovaServiceSettings& settings, PlacementDesk& placement);
  ~Neutron() override;
  Neutron(const Neutron&) = delete;
  Neutron& operator=(const Neutron&) = delete;

  Result<PortFacts> port(const std::string& id) const override;
  Result<std::vector<std::string>> segments_of_network(const std::string& id) const override;
  Result<std::optional<std::string>> segment_of_subnet(const std::string& id) const override;
  Result<std::vector<std::string>> aggregates_of_segment(const std::string& id) const override;

 private:
  Neutron(PlacementDesk& placement, std::chrono::seconds timeout);
  HttpOutcome get(const std::string& target, Clock::time_point deadline) const;
  Result<bool> has_segments(Clock::time_point deadline) const;

  PlacementDesk& placement_;
  const std::chrono::seconds patience_;
  mutable StrandThread thread_;
  std::unique_ptr<AsioTimers> timers_;
  std::unique_ptr<ServiceLogin> login_;
  std::unique_ptr<ServiceClient> client_;
};

}  // namespace gantry::nova
