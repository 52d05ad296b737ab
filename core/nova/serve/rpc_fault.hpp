// SPDX-License-Identifier: Apache-2.0
//
// The failure that a caller of Nova's RPC hears, from an error of the service.
#pragma once

#include "core/nova/rpc/failure.hpp"
#include "core/result.hpp"

namespace gantry::nova {

RpcFailure rpc_fault(const Error& error);

}  // namespace gantry::nova
