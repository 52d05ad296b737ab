// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/placement_service.hpp"

#include <utility>

namespace gantry::nova {

void PlacementService::call(PlacementCall call, HttpDone done) {
  HttpRequest request{std::move(call.verb), std::move(call.target), {}, std::move(call.body)};
  if (!call.version.empty()) request.headers.push_back({"OpenStack-API-Version", "placement " + call.version});
  if (!call.request_id.empty()) request.headers.push_back({"X-OpenStack-Request-ID", std::move(call.request_id)});
  client_.send(std::move(request), call.deadline, std::move(done));
}

}  // namespace gantry::nova
