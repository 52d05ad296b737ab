// SPDX-License-Identifier: Apache-2.0
//
// A message of oslo.messaging's RPC, as a conductor or a compute sends it to a scheduler: a JSON text inside of a JSON
// object, or the inner object alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/transport/amqp/values.hpp"

namespace gantry::nova {

// Where an answer goes, and the number that tells a repeated message.
struct RpcCaller {
  std::string msg_id;       // empty: a cast
  std::string reply_queue;  // empty: a cast
  std::string unique_id;    // empty: the message cannot be told from a repeated one
  // The caller gives up unless it hears a heartbeat in this interval until the answer. 0: it waits without.
  std::chrono::milliseconds heartbeat_interval{0};
  // The caller has sent a monitor time below 2 s, or one that cannot be read as a number. It hears no heartbeats.
  bool has_odd_monitor_time = false;

  bool waits() const { return !msg_id.empty() && !reply_queue.empty(); }
};

struct RpcRequest {
  std::string method;
  std::optional<std::string> name_space;
  std::string version;
  json::object args;
  json::object context;  // keys without their _context_, and without the user's token
};

// A message that could be read, or could not. The caller is known as far as it could be read, for the failure that it
// hears then.
struct RpcMessage {
  RpcCaller caller;
  Result<RpcRequest> request;
};

inline constexpr std::size_t longest_id = 255;  // AMQP allows no longer name of a queue
inline constexpr std::size_t longest_rpc = 8 * 1024 * 1024;

RpcMessage decode_rpc(std::string_view body, std::size_t longest = longest_rpc);
// Also refuses a body that is too large for the connection, or compressed.
RpcMessage decode_rpc(const amqp::Delivery& delivery);

}  // namespace gantry::nova
