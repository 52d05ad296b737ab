// SPDX-License-Identifier: Apache-2.0
//
// The methods that a scheduler of Nova has, in their namespaces and versions, and the choice among them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/nova/rpc/failure.hpp"
#include "core/nova/rpc/message.hpp"

namespace gantry::nova {

inline constexpr std::string_view base_namespace = "baseapi";

// Returns the failure that the caller of the request hears if no endpoint has its method in its version. nullopt: one has.
std::optional<RpcFailure> fault_of_target(const RpcRequest& request);

// Returns whether an implementation of version `offered` can answer a request of version `asked`: the same major number,
// and no later minor one. False if `asked` cannot be read as a version.
bool is_compatible(std::string_view offered, std::string_view asked);

}  // namespace gantry::nova
