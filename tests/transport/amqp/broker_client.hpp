// SPDX-License-Identifier: Apache-2.0
//
// A connection to a real broker whose calls wait for their outcome, for tests.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/transport/amqp/connection.hpp"

namespace gantry::amqp {

class BrokerClient {
 public:
  explicit BrokerClient(ConnectionSettings settings) {
    DialogueEvents events;
    events.on_open = [this] { is_open_ = true; };
    events.on_closed = [this](const Result<void>& reason) { closed = reason ? "goodbye" : reason.error().message; };
    connection = Connection::make(transport::Strand(context.get_executor()), std::move(settings), std::move(events));
    connection->start();
    wait_for([this] { return is_open_ || closed; });
  }
  ~BrokerClient() {
    connection->close();
    wait_for([this] { return closed.has_value(); });
  }
  BrokerClient(const BrokerClient&) = delete;
  BrokerClient& operator=(const BrokerClient&) = delete;

  // Runs the connection until the condition holds.
  void wait_for(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > end)
        throw std::runtime_error("the broker did not answer within three minutes");
      if (context.stopped()) context.restart();
      context.run_one_for(std::chrono::milliseconds(100));
    }
  }
  std::shared_ptr<Channel> channel() {
    return connection->open_channel([this](const Error& error) { channel_ends.push_back(error.message); });
  }
  // Runs an operation that ends with a Done, a QueueDone or a PublishDone.
  Result<void> done(const std::function<void(Done)>& operation) { return outcome<Result<void>>(operation); }
  Result<QueueState> queue(const std::function<void(QueueDone)>& operation) {
    return outcome<Result<QueueState>>(operation);
  }
  Published published(const std::function<void(PublishDone)>& operation) { return outcome<Published>(operation); }
  Published publish(Channel& channel, const std::string& exchange, const std::string& key, const std::string& body,
                    bool is_mandatory = true) {
    return published([&](PublishDone done) {
      channel.publish({exchange, key, is_mandatory, {"application/json", "utf-8", "", "", 2, 0}, body},
                      std::move(done));
    });
  }

  boost::asio::io_context context;
  std::shared_ptr<Connection> connection;
  std::optional<std::string> closed;
  std::vector<std::string> channel_ends;

 private:
  template <class Outcome, class Operation>
  Outcome outcome(const Operation& operation) {
    const auto found = std::make_shared<std::optional<Outcome>>();
    operation([found](Outcome result) { found->emplace(std::move(result)); });
    wait_for([&] { return found->has_value(); });
    return **found;
  }

  bool is_open_ = false;
};

}  // namespace gantry::amqp
