// SPDX-License-Identifier: Apache-2.0
//
// The caller of a message that cannot be read as a whole, so that the caller hears of the failure.
#pragma once

#include <string_view>

#include "core/nova/rpc/message.hpp"

namespace gantry::nova {

// Looks for the members of the caller in the text of a body, or in the end of the text. oslo.messaging puts them behind
// the arguments of the call. A caller without heartbeats, or none.
RpcCaller caller_in_text(std::string_view text);

}  // namespace gantry::nova
