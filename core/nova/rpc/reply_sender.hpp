// SPDX-License-Identifier: Apache-2.0
//
// Brings bodies to the callers' reply queues. A reply that the broker has not confirmed when the connection was lost is
// published again over the next one. A reply whose queue is gone is tried again for a while.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/nova/rpc/dead_queues.hpp"
#include "core/nova/rpc/message.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/amqp/kept_connection.hpp"

namespace gantry::nova {

// The fate of a reply.
struct ReplyFate {
  bool is_delivered = false;
  // An earlier copy may have reached the queue although this one has not.
  bool may_have_arrived = false;
};

// All members are called on the connection's strand.
class ReplySender {
 public:
  using Clock = std::chrono::steady_clock;
  using Done = std::function<void(const ReplyFate& fate)>;
  // Whether the caller still waits.
  using IsAwaited = std::function<bool()>;

  // `retry_time`: how long a reply to a queue that is gone is tried.
  ReplySender(amqp::KeptConnection& connection, std::chrono::seconds retry_time,
              std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<telemetry::Counters> counters);

  void send(std::uint64_t number, const RpcCaller& caller, std::string body, IsAwaited is_awaited, Done done);
  // Sends a heartbeat. `on_heard` is called when the broker has it. False: the broker is away, or the caller's last
  // heartbeat is still on its way.
  bool send_heartbeat(std::uint64_t number, const RpcCaller& caller, std::function<void()> on_heard);

  void on_up();
  void on_down();
  // Tries again what is due.
  void tick(Clock::time_point now);
  std::size_t waiting() const { return replies_.size(); }

 private:
  struct Reply {
    RpcCaller caller;
    std::string body;
    IsAwaited is_awaited;
    Done done;
    bool is_on_its_way = false;
    bool may_have_arrived = false;
    std::optional<Clock::time_point> failing_since;
  };

  void publish(std::uint64_t number);
  void on_published(std::uint64_t number, const amqp::Published& published, bool is_connected);
  void settle(std::uint64_t number, bool is_delivered);
  void open_channel();

  amqp::KeptConnection& connection_;
  const std::chrono::seconds retry_time_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  std::shared_ptr<amqp::Channel> channel_;
  std::map<std::uint64_t, Reply> replies_;
  std::set<std::uint64_t> heartbeats_;  // on their way: the requests
  DeadQueues dead_;
  Clock::time_point next_channel_;
};

}  // namespace gantry::nova
