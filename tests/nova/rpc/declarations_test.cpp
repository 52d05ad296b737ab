// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/declarations.hpp"

#include <gmock/gmock.h>

#include "tests/nova/rpc/captured.hpp"

namespace gantry::nova {
namespace {

using testing::HasSubstr;

constexpr const char* fanout_id = "46884540247f4e1f807f64229c273767";

std::vector<ServerQueue> queues(const QueueOptions& options = {}) {
  return *server_queues("nova", "scheduler", "sched-host-1", fanout_id, options);
}

json::object json_of(const amqp::Arguments& arguments) {
  json::object object;
  for (const auto& [key, value] : arguments)
    std::visit([&object, name = key](const auto& held) { object[name] = json::value(held); }, value);
  return object;
}

json::object queue_event(const ServerQueue& made) {
  return {{"phase", "server-start"},
          {"op", "queue.declare+bind"},
          {"name", made.queue.name},
          {"durable", made.queue.is_durable},
          {"auto_delete", made.queue.is_auto_delete},
          {"exclusive", made.queue.is_exclusive},
          {"routing_key", made.binding.routing_key},
          {"exchange", made.binding.exchange},
          {"queue_arguments", json_of(made.queue.arguments)},
          {"consumer_arguments", nullptr}};
}

json::object exchange_event(const ServerQueue& made) {
  return {{"phase", "server-start"},
          {"op", "exchange.declare"},
          {"name", made.exchange.name},
          {"type", made.exchange.type},
          {"durable", made.exchange.is_durable},
          {"auto_delete", made.exchange.is_auto_delete},
          {"passive", false},
          {"delivery_mode", nullptr},
          {"arguments", nullptr}};
}

json::object consume_event(const ServerQueue& made) {
  return {{"phase", "server-start"},           {"op", "basic.consume"}, {"queue", made.queue.name},
          {"consumer_tag", made.consumer_tag}, {"no_ack", nullptr},     {"nowait", false}};
}

TEST(ServerQueues, AreTheRecordedOnes) {
  const auto made = queues();
  std::vector<json::object> queue_events;
  std::vector<json::object> exchange_events;
  std::vector<json::object> consume_events;
  for (const auto& queue : made) {
    queue_events.push_back(queue_event(queue));
    exchange_events.push_back(exchange_event(queue));
    consume_events.push_back(consume_event(queue));
  }
  EXPECT_EQ(queue_events, wire_events("server-start", "queue.declare+bind"));
  EXPECT_EQ(exchange_events, wire_events("server-start", "exchange.declare"));
  EXPECT_EQ(consume_events, wire_events("server-start", "basic.consume"));
}

TEST(ServerQueues, MakeQuorumQueuesAndTheirExchangeDurableButNeverTheFanout) {
  QueueOptions options;
  options.rabbit_quorum_queue = true;
  options.rabbit_quorum_delivery_limit = 3;
  const auto made = queues(options);
  for (const std::size_t i : {0, 1}) {
    EXPECT_TRUE(made[i].exchange.is_durable);
    EXPECT_TRUE(made[i].queue.is_durable);
    EXPECT_EQ(json_of(made[i].queue.arguments), (json::object{{"x-queue-type", "quorum"}, {"x-delivery-limit", 3}}));
  }
  EXPECT_FALSE(made[2].exchange.is_durable);
  EXPECT_FALSE(made[2].queue.is_durable);
  EXPECT_EQ(json_of(made[2].queue.arguments), (json::object{{"x-expires", 1'800'000}}));
}

TEST(ServerQueues, MakeTheFanoutAQuorumQueueWhereTransientOnesAre) {
  QueueOptions options;
  options.rabbit_transient_quorum_queue = true;
  options.rabbit_quorum_delivery_limit = 3;
  const auto made = queues(options);
  EXPECT_FALSE(made[0].queue.is_durable || made[0].exchange.is_durable);
  EXPECT_TRUE(made[2].queue.is_durable && made[2].exchange.is_durable && made[2].exchange.is_auto_delete);
  EXPECT_EQ(json_of(made[2].queue.arguments),
            (json::object{{"x-queue-type", "quorum"}, {"x-delivery-limit", 3}, {"x-expires", 1'800'000}}));
}

TEST(ServerQueues, ShareOneStreamForTheFanoutAndReadWhatIsToCome) {
  QueueOptions options;
  options.rabbit_transient_quorum_queue = options.rabbit_stream_fanout = options.enable_cancel_on_failover = true;
  const auto made = queues(options);
  EXPECT_EQ(made[2].queue.name, "scheduler_fanout");
  EXPECT_TRUE(made[2].is_stream() && made[2].queue.is_durable && made[2].exchange.is_durable);
  EXPECT_EQ(json_of(made[2].queue.arguments), (json::object{{"x-queue-type", "stream"}, {"x-max-age", "1800s"}}));
  EXPECT_EQ(json_of(made[2].consumer_arguments), (json::object{{"x-stream-offset", "next"}}));
  EXPECT_FALSE(made[0].is_stream());
  options.rabbit_transient_queues_ttl = 0;
  EXPECT_EQ(json_of(queues(options)[2].queue.arguments), (json::object{{"x-queue-type", "stream"}}));
}

TEST(ServerQueues, FollowTheOtherOptions) {
  QueueOptions options;
  options.amqp_durable_queues = true;
  options.amqp_auto_delete = true;
  options.rabbit_ha_queues = true;
  options.rabbit_transient_queues_ttl = 60;
  options.enable_cancel_on_failover = true;
  const auto made = queues(options);
  EXPECT_TRUE(made[0].queue.is_durable && made[0].queue.is_auto_delete && made[0].exchange.is_auto_delete);
  EXPECT_EQ(json_of(made[0].queue.arguments), (json::object{{"x-ha-policy", "all"}}));
  EXPECT_FALSE(made[2].queue.is_durable || made[2].queue.is_auto_delete);
  EXPECT_EQ(json_of(made[2].queue.arguments), (json::object{{"x-ha-policy", "all"}, {"x-expires", 60'000}}));
  EXPECT_EQ(json_of(made[2].consumer_arguments), (json::object{{"x-cancel-on-ha-failover", true}}));
}

TEST(ServerQueues, RefuseTwoKindsOfReplicationAtOnce) {
  QueueOptions options;
  options.rabbit_quorum_queue = true;
  options.rabbit_ha_queues = true;
  const auto made = server_queues("nova", "scheduler", "h", fanout_id, options);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("rabbit_quorum_queue and rabbit_ha_queues"));
}

}  // namespace
}  // namespace gantry::nova
