// SPDX-License-Identifier: Apache-2.0
//
// The exchanges and queues that a server of oslo.messaging declares for a topic, by the options of nova.conf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/transport/amqp/values.hpp"

namespace gantry::nova {

// Options of [oslo_messaging_rabbit] by their names there.
struct QueueOptions {
  bool amqp_durable_queues = false;
  bool amqp_auto_delete = false;
  bool rabbit_quorum_queue = false;
  std::int64_t rabbit_quorum_delivery_limit = 0;
  std::int64_t rabbit_quorum_max_memory_length = 0;
  std::int64_t rabbit_quorum_max_memory_bytes = 0;
  bool rabbit_ha_queues = false;
  bool rabbit_transient_quorum_queue = false;  // these two since oslo.messaging 14.7, for the queue of casts to all
  bool rabbit_stream_fanout = false;
  std::int64_t rabbit_transient_queues_ttl = 1800;  // seconds; 0: the queue is kept
  bool enable_cancel_on_failover = false;
};

// A queue that the server consumes from, and what it hangs on.
struct ServerQueue {
  amqp::Exchange exchange;
  amqp::Queue queue;
  amqp::Binding binding;
  std::string consumer_tag;
  amqp::Arguments consumer_arguments;

  // All servers read the one queue, which stays when they are gone, and each begins with the messages to come.
  bool is_stream() const;
};

// Returns the three queues of a server: for the topic, for this host alone, and for casts to all servers. `fanout_id` is
// 32 hexadecimal digits, one for the life of the process. invalid_configuration: the options contradict each other.
Result<std::vector<ServerQueue>> server_queues(const std::string& control_exchange, const std::string& topic,
                                               const std::string& host, const std::string& fanout_id,
                                               const QueueOptions& options);

// Returns the two queues of a server that receives copies: one that the broker gives each message for the topic as
// well, and removes with its connection, and the one for casts to all servers. Copies that are not taken are dropped by the
// broker after a minute, and the oldest beyond a thousand.
Result<std::vector<ServerQueue>> shadow_queues(const std::string& control_exchange, const std::string& topic,
                                               const std::string& shadow_id, const QueueOptions& options);

}  // namespace gantry::nova
