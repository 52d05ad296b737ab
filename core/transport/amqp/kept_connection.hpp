// SPDX-License-Identifier: Apache-2.0
//
// A connection to one of several brokers that is made again whenever it is lost.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/transport/amqp/connection.hpp"
#include "core/transport/amqp/reconnect.hpp"

namespace gantry::amqp {

struct KeptConnectionEvents {
  std::function<void()> on_up;
  // The connection was lost, or an attempt has failed. The next attempt follows.
  std::function<void(const Error& reason)> on_down;
  std::function<void(const std::string& reason)> on_blocked;
  std::function<void()> on_unblocked;
};

// All members are called on the strand, and the events come on it. The object lives until the strand runs no more.
class KeptConnection {
 public:
  // `brokers`: at least one. The order of the attempts follows from `seed`.
  KeptConnection(const transport::Strand& strand, std::vector<ConnectionSettings> brokers, std::uint64_t seed,
                 KeptConnectionEvents events);

  // Begins the first attempt. Call this once.
  void start();
  // Takes leave of the broker, and connects no more. `done` is called when the broker has answered.
  void close(std::function<void()> done);

  bool is_up() const { return is_up_ && connection_->is_open(); }
  // Returns "10.0.0.5:5672": the broker of the last attempt.
  const std::string& broker() const { return broker_; }
  // See Connection::open_channel(). Call this while the connection is up.
  std::shared_ptr<Channel> open_channel(std::function<void(const Error& error)> on_closed);

 private:
  using Clock = std::chrono::steady_clock;

  void attempt();
  void connect(std::size_t broker);
  void on_open();
  void on_closed(const Result<void>& reason);

  transport::Strand strand_;
  const std::vector<ConnectionSettings> brokers_;
  const KeptConnectionEvents events_;
  Reconnect reconnect_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<Connection> connection_;
  std::string broker_;
  std::function<void()> on_goodbye_;
  Clock::time_point opened_at_;
  bool is_up_ = false;
  bool is_ending_ = false;
  bool was_brief_ = false;  // the last connection was lost at once
};

}  // namespace gantry::amqp
