// SPDX-License-Identifier: Apache-2.0
//
// Neutron, for the request filters that look at a request's networks. Asked with the service's own login of [neutron]:
// the user's token goes nowhere.
#pragma once

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

// [any thread] Each function blocks, for a minute at most.
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
  explicit Neutron(PlacementDesk& placement) : placement_(placement) {}
  HttpOutcome get(const std::string& target) const;
  Result<bool> has_segments() const;

  PlacementDesk& placement_;
  mutable StrandThread thread_;
  std::unique_ptr<AsioTimers> timers_;
  std::unique_ptr<ServiceLogin> login_;
  std::unique_ptr<ServiceClient> client_;
};

}  // namespace gantry::nova
