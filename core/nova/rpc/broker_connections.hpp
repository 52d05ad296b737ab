// SPDX-License-Identifier: Apache-2.0
//
// How the server connects to each broker of its URL.
#pragma once

#include <string>
#include <vector>

#include "core/nova/rpc/rpc_server.hpp"
#include "core/result.hpp"
#include "core/transport/amqp/connection.hpp"

namespace gantry::nova {

// Reads the files for TLS. invalid_configuration names the one that is not usable.
Result<std::vector<amqp::ConnectionSettings>> broker_connections(const RpcServerSettings& settings);

}  // namespace gantry::nova
