// SPDX-License-Identifier: Apache-2.0
//
// Options of nova.conf that a transport URL says itself: rabbit://host/?rabbit_quorum_queue=true
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "core/nova/rpc/declarations.hpp"

namespace gantry::nova {

namespace {

void read_option(const std::string& text, bool& option) {
  constexpr std::array<std::string_view, 4> yes{"1", "true", "yes", "on"};
  constexpr std::array<std::string_view, 4> no{"0", "false", "no", "off"};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  if (std::find(yes.begin(), yes.end(), lower) != yes.end()) option = true;
  if (std::find(no.begin(), no.end(), lower) != no.end()) option = false;
}

void read_option(const std::string& text, std::int64_t& option) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end) option = number;
}

}  // namespace

QueueOptions with_options_of(const amqp::TransportUrl& url, QueueOptions options) {
  const auto read = [&url](std::string_view name, auto& option) {
    if (const auto found = url.options.find(name); found != url.options.end()) read_option(found->second, option);
  };
  read("amqp_durable_queues", options.amqp_durable_queues);
  read("amqp_auto_delete", options.amqp_auto_delete);
  read("rabbit_quorum_queue", options.rabbit_quorum_queue);
  read("rabbit_quorum_delivery_limit", options.rabbit_quorum_delivery_limit);
  read("rabbit_quorum_max_memory_length", options.rabbit_quorum_max_memory_length);
  read("rabbit_quorum_max_memory_bytes", options.rabbit_quorum_max_memory_bytes);
  read("rabbit_ha_queues", options.rabbit_ha_queues);
  read("rabbit_transient_quorum_queue", options.rabbit_transient_quorum_queue);
  read("rabbit_stream_fanout", options.rabbit_stream_fanout);
  read("rabbit_transient_queues_ttl", options.rabbit_transient_queues_ttl);
  read("enable_cancel_on_failover", options.enable_cancel_on_failover);
  return options;
}

}  // namespace gantry::nova
