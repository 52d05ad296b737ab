// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/declarations.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

namespace gantry::nova {

namespace {

using amqp::Arguments;

constexpr const char* queue_type = "x-queue-type";
constexpr std::string_view stream = "stream";

Arguments shared_arguments(const QueueOptions& options) {
  Arguments arguments;
  if (options.rabbit_ha_queues) arguments.emplace_back("x-ha-policy", std::string("all"));
  return arguments;
}

void add_quorum(const QueueOptions& options, Arguments& arguments) {
  const auto add = [&arguments](const char* name, std::int64_t limit) {
    if (limit != 0) arguments.emplace_back(name, limit);
  };
  arguments.emplace_back(queue_type, std::string("quorum"));
  add("x-delivery-limit", options.rabbit_quorum_delivery_limit);
  add("x-max-in-memory-length", options.rabbit_quorum_max_memory_length);
  add("x-max-in-memory-bytes", options.rabbit_quorum_max_memory_bytes);
}

Arguments topic_arguments(const QueueOptions& options) {
  Arguments arguments = shared_arguments(options);
  if (options.rabbit_quorum_queue) add_quorum(options, arguments);
  return arguments;
}

Arguments stream_arguments(const QueueOptions& options) {
  Arguments arguments{{queue_type, std::string(stream)}};
  if (options.rabbit_transient_queues_ttl > 0)
    arguments.emplace_back("x-max-age", std::to_string(options.rabbit_transient_queues_ttl) + "s");
  return arguments;
}

Arguments fanout_arguments(const QueueOptions& options) {
  if (options.rabbit_stream_fanout) return stream_arguments(options);
  Arguments arguments = shared_arguments(options);
  if (options.rabbit_transient_quorum_queue) add_quorum(options, arguments);
  if (options.rabbit_transient_queues_ttl > 0)
    arguments.emplace_back("x-expires", options.rabbit_transient_queues_ttl * 1000);
  return arguments;
}

ServerQueue topic_queue(const std::string& exchange, const std::string& name, const QueueOptions& options) {
  const bool is_durable = options.amqp_durable_queues || options.rabbit_quorum_queue;
  ServerQueue made;
  made.exchange = {exchange, "topic", is_durable, options.amqp_auto_delete, {}};
  made.queue = {name, is_durable, false, options.amqp_auto_delete, topic_arguments(options)};
  made.binding = {name, exchange, name};
  return made;
}

ServerQueue fanout_queue(const std::string& topic, const std::string& fanout_id, const QueueOptions& options) {
  ServerQueue made;
  const std::string exchange = topic + "_fanout";
  const std::string name = options.rabbit_stream_fanout ? exchange : exchange + "_" + fanout_id;
  const bool is_durable = options.rabbit_transient_quorum_queue || options.rabbit_stream_fanout;
  made.exchange = {exchange, "fanout", is_durable, true, {}};
  made.queue = {name, is_durable, false, false, fanout_arguments(options)};
  made.binding = {name, exchange, topic};
  if (options.rabbit_stream_fanout) made.consumer_arguments.emplace_back("x-stream-offset", std::string("next"));
  return made;
}

Result<std::vector<ServerQueue>> finished(std::vector<ServerQueue> queues, const QueueOptions& options) {
  if (options.rabbit_quorum_queue && options.rabbit_ha_queues)
    return Error{ErrorCode::invalid_configuration,
                 "oslo_messaging_rabbit: expected one of rabbit_quorum_queue and rabbit_ha_queues at most, found both",
                 ""};
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i].consumer_tag = std::to_string(i + 1);
    if (options.enable_cancel_on_failover && !queues[i].is_stream())
      queues[i].consumer_arguments.emplace_back("x-cancel-on-ha-failover", true);
  }
  return queues;
}

ServerQueue copies_of(const std::string& exchange, const std::string& topic, const std::string& shadow_id,
                      const QueueOptions& options) {
  constexpr std::int64_t most_copies = 1000;
  constexpr std::int64_t longest_wait = 60'000;  // milliseconds
  auto made = topic_queue(exchange, topic, options);
  made.queue = {
      "gantry_shadow_" + shadow_id,
      false,
      true,
      true,
      {{"x-max-length", most_copies}, {"x-overflow", std::string("drop-head")}, {"x-message-ttl", longest_wait}}};
  made.binding.queue = made.queue.name;
  return made;
}

}  // namespace

bool ServerQueue::is_stream() const {
  return std::ranges::any_of(queue.arguments, [](const auto& argument) {
    const auto* text = std::get_if<std::string>(&argument.second);
    return argument.first == queue_type && text != nullptr && *text == stream;
  });
}

Result<std::vector<ServerQueue>> shadow_queues(const std::string& control_exchange, const std::string& topic,
                                               const std::string& shadow_id, const QueueOptions& options) {
  return finished({copies_of(control_exchange, topic, shadow_id, options), fanout_queue(topic, shadow_id, options)},
                  options);
}

Result<std::vector<ServerQueue>> server_queues(const std::string& control_exchange, const std::string& topic,
                                               const std::string& host, const std::string& fanout_id,
                                               const QueueOptions& options) {
  return finished({topic_queue(control_exchange, topic, options),
                   topic_queue(control_exchange, topic + "." + host, options), fanout_queue(topic, fanout_id, options)},
                  options);
}

}  // namespace gantry::nova
