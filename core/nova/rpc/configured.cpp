// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/configured.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

namespace gantry::nova {

std::string host_of(const config::NovaSettings& settings) {
  if (!settings.host.empty()) return settings.host;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("localhost");
}

std::uint16_t heartbeat_of(const config::NovaSettings& settings) {
  constexpr std::int64_t most = std::numeric_limits<std::uint16_t>::max();
  return static_cast<std::uint16_t>(std::clamp<std::int64_t>(settings.rabbit.heartbeat_timeout_threshold, 0, most));
}

QueueOptions queue_options_of(const config::NovaSettings& settings) {
  const auto& rabbit = settings.rabbit;
  QueueOptions options;
  options.amqp_durable_queues = rabbit.amqp_durable_queues;
  options.amqp_auto_delete = rabbit.amqp_auto_delete;
  options.rabbit_quorum_queue = rabbit.rabbit_quorum_queue;
  options.rabbit_quorum_delivery_limit = rabbit.rabbit_quorum_delivery_limit;
  options.rabbit_quorum_max_memory_length = rabbit.rabbit_quorum_max_memory_length;
  options.rabbit_quorum_max_memory_bytes = rabbit.rabbit_quorum_max_memory_bytes;
  options.rabbit_ha_queues = rabbit.rabbit_ha_queues;
  options.rabbit_transient_quorum_queue = rabbit.rabbit_transient_quorum_queue;
  options.rabbit_stream_fanout = rabbit.rabbit_stream_fanout;
  options.rabbit_transient_queues_ttl = rabbit.rabbit_transient_queues_ttl;
  options.enable_cancel_on_failover = rabbit.enable_cancel_on_failover;
  return options;
}

}  // namespace gantry::nova
