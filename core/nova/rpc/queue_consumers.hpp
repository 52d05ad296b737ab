// SPDX-License-Identifier: Apache-2.0
//
// The consumers of a server's queues. Exchanges and queues are declared, bound and consumed from one after the other.
// An exchange or queue that the broker has with other arguments is used as it is. After any trouble everything is done
// again.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/nova/rpc/declarations.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/amqp/kept_connection.hpp"

namespace gantry::nova {

struct QueueConsumersEvents {
  // The message is acknowledged on the channel, or goes back to the broker with the channel's end.
  std::function<void(amqp::Delivery delivery, const std::shared_ptr<amqp::Channel>& channel)> on_delivery;
  // All queues are consumed from. `casts_are_lost`: the queue of casts was gone since the last time.
  std::function<void(bool casts_are_lost)> on_consuming;
  // Some queue is consumed from no more.
  std::function<void()> on_stopped;
};

// All members are called on the connection's strand.
class QueueConsumers {
 public:
  QueueConsumers(amqp::KeptConnection& connection, const transport::Strand& strand, std::vector<ServerQueue> queues,
                 std::uint16_t prefetch, std::shared_ptr<telemetry::Logger> logger, QueueConsumersEvents events);

  // Begins when the connection is up, and again each time.
  void begin();
  // The connection is down.
  void on_down();
  // Gives what is not acknowledged back to the broker. `left` is called when the broker knows it.
  void pause(const std::function<void()>& left);
  void resume();

 private:
  // One queue, as this process has seen it.
  struct State {
    bool uses_exchange = false;  // with the arguments that it has
    bool uses_queue = false;
    bool is_made = false;  // by this process
  };
  using Step = void (QueueConsumers::*)(std::size_t queue);

  void declare_exchange(std::size_t queue);
  void declare_queue(std::size_t queue);
  void bind(std::size_t queue);
  void consume(std::size_t queue);
  // Returns a callback that goes on with the next step.
  amqp::Done then(Step next, std::size_t queue, bool* uses, const std::string& what);
  void on_refused(std::size_t queue, bool* uses, const std::string& what, const Error& error);
  void on_consuming();
  void leave(const std::function<void()>& left = [] {});
  void begin_after(std::chrono::milliseconds wait);
  bool is_fanout(std::size_t queue) const { return queues_[queue].exchange.type == "fanout"; }

  amqp::KeptConnection& connection_;
  const std::vector<ServerQueue> queues_;
  const std::uint16_t prefetch_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const QueueConsumersEvents events_;
  boost::asio::steady_timer timer_;
  std::vector<State> states_;
  std::shared_ptr<amqp::Channel> channel_;
  std::uint64_t round_ = 0;  // callbacks of earlier rounds are void
  bool is_paused_ = false;
  bool casts_are_lost_ = false;
  std::set<std::string> said_;  // differences that are in the log
  std::string last_trouble_;
};

}  // namespace gantry::nova
