// SPDX-License-Identifier: Apache-2.0
//
// The bodies that go to a caller's reply queue. A body that is published again keeps its unique id, by which the caller
// drops a repeated one.
#pragma once

#include <string>

#include "core/encoding/json.hpp"
#include "core/nova/rpc/failure.hpp"
#include "core/nova/rpc/message.hpp"
#include "core/transport/amqp/values.hpp"

namespace gantry::nova {

// Returns 32 hexadecimal digits by chance.
std::string new_unique_id();

std::string encode_result(const RpcCaller& caller, const std::string& unique_id, json::value result);
std::string encode_failure(const RpcCaller& caller, const std::string& unique_id, const RpcFailure& failure);
// Tells the caller that its request is still being worked on.
std::string encode_heartbeat(const RpcCaller& caller, const std::string& unique_id);

// Returns the message that carries a body to the caller, with the properties that oslo.messaging writes.
amqp::Publication publication_to(const RpcCaller& caller, std::string body);

}  // namespace gantry::nova
