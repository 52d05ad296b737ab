// SPDX-License-Identifier: Apache-2.0
//
// Placement's API over HTTP.
#pragma once

#include "core/nova/http/service_client.hpp"
#include "core/nova/placement/placement_api.hpp"

namespace gantry::nova {

// [strand]
class PlacementService final : public PlacementApi {
 public:
  // `login` must outlive this object.
  PlacementService(const Strand& strand, ServiceLogin& login, HttpClientOptions options)
      : client_(strand, login, std::move(options)) {}
  void call(PlacementCall call, HttpDone done) override;

 private:
  ServiceClient client_;
};

}  // namespace gantry::nova
