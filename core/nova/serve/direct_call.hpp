// SPDX-License-Identifier: Apache-2.0
//
// A call of nova_select_destinations as a request that the RPC server takes.
#pragma once

#include "core/nova/rpc/direct_requests.hpp"
#include "core/scheduling/manager.hpp"

namespace gantry::nova {

DirectRequest direct_request(const scheduling::MethodCall& call, scheduling::Done done);

}  // namespace gantry::nova
