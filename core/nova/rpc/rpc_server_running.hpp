// SPDX-License-Identifier: Apache-2.0
//
// The parts of a server that runs, on one thread of their own.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/nova/rpc/broker_health.hpp"
#include "core/nova/rpc/direct_requests.hpp"
#include "core/nova/rpc/queue_consumers.hpp"
#include "core/nova/rpc/reply_sender.hpp"
#include "core/nova/rpc/requests_under_way.hpp"
#include "core/nova/rpc/rpc_server.hpp"
#include "core/transport/amqp/kept_connection.hpp"

namespace gantry::nova {

class RpcServer::Running {
 public:
  struct Parts {
    RpcServerSettings settings;
    std::vector<amqp::ConnectionSettings> brokers;
    std::vector<ServerQueue> queues;
    std::shared_ptr<Journal> journal;
    RpcHandler& handler;
    std::shared_ptr<telemetry::Logger> logger;
    std::shared_ptr<telemetry::Counters> counters;
  };

  explicit Running(Parts parts);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void start();
  void pause();
  std::optional<std::uint32_t> other_consumers(std::chrono::steady_clock::time_point deadline);
  void resume();
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline);
  bool stop(std::chrono::steady_clock::time_point deadline);
  void take(DirectRequest request);
  RpcServerStatus status() const;

 private:
  // A message that waits unacknowledged for its turn.
  struct Held {
    amqp::Delivery delivery;
    std::shared_ptr<amqp::Channel> channel;
  };

  // Posts a task to the thread, if the server is still there.
  DirectRequests::Post post_if_alive() const;
  RequestsUnderWay::Parts request_parts(const Parts& parts);
  void on_closed();
  amqp::KeptConnectionEvents consuming_events();
  amqp::KeptConnectionEvents publishing_events();
  QueueConsumersEvents consumer_events();
  void post(std::function<void()> task);
  // Asks the broker who else consumes from the queue of requests.
  void look_for_others();
  void note_others(std::optional<std::uint32_t> others);
  void take(const Held& held);
  void take_held();
  void on_consuming(bool casts_are_lost);
  // Notes the numbers for other threads, and ticks while there is something under way.
  void note_counts();
  void arm_tick();
  void say_goodbye();
  void end_thread();

  const std::shared_ptr<boost::asio::io_context> context_;
  const std::size_t most_under_way_;
  const std::string topic_;
  RpcHandler& handler_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  transport::Strand strand_;
  BrokerHealth consuming_health_;
  BrokerHealth publishing_health_;
  amqp::KeptConnection consuming_;
  amqp::KeptConnection publishing_;
  QueueConsumers consumers_;
  ReplySender sender_;
  RequestsUnderWay requests_;
  DirectRequests direct_;
  boost::asio::steady_timer tick_;
  bool is_ticking_ = false;
  std::deque<Held> held_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  std::size_t replies_waiting_ = 0;
  bool is_consuming_ = false;
  bool is_paused_ = false;
  bool are_others_told_ = false;         // since the last pause
  std::optional<std::uint32_t> others_;  // consumers
  bool has_ended_ = false;
  int goodbyes_ = 0;
  std::thread thread_;
};

}  // namespace gantry::nova
