// SPDX-License-Identifier: Apache-2.0
//
// An RPC server on a real RabbitMQ, and a caller who speaks with it over a connection of its own.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/nova/rpc/rpc_server.hpp"
#include "tests/nova/rpc/echo_handler.hpp"
#include "tests/nova/rpc/recording_logger.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/transport/amqp/broker_client.hpp"
#include "tests/transport/amqp/running_broker.hpp"

namespace gantry::nova {

// One broker for all tests of the program.
struct RealRpc : ::testing::Test {
  void SetUp() override;
  static gantry::testing::RunningBroker& broker();
  static amqp::ConnectionSettings connection();
  // Settings of a server with queues of its own.
  RpcServerSettings settings() const;

  support::ScratchDirectory directory;
};

// A request as a conductor sends it.
struct TestCall {
  json::object args = {};
  std::string method = "select_destinations";
  std::string version = "4.5";
  std::string unique_id = {};  // empty: one by chance
  std::string reply_queue = "reply_1";
  int monitor_time = 0;
  std::optional<std::string> name_space = {};
};
std::string body_of(const TestCall& call);

class TestCaller {
 public:
  explicit TestCaller(const amqp::ConnectionSettings& settings);

  void send_body(const std::string& body, const std::string& key = "scheduler");
  void send(const TestCall& call) { send_body(body_of(call)); }
  void declare_replies(const std::string& queue);
  // Waits for as many messages, each the inner object, without and with the heartbeats.
  std::vector<json::object> answers(std::size_t count);
  // The results as text, or "CLASS: MESSAGE" of failures, in their order.
  std::vector<std::string> words(std::size_t count);
  // How many calls have an answer.
  std::size_t answered() const;
  std::size_t heartbeats() const { return heartbeats_; }
  amqp::QueueState state_of(const std::string& queue);
  void wait_for(const std::function<bool()>& holds) { client.wait_for(holds); }

  amqp::BrokerClient client;
  std::shared_ptr<amqp::Channel> channel;

 private:
  std::vector<json::object> answers_;
  std::set<std::string> heard_;  // a repeated answer is dropped, as oslo.messaging drops it
  std::size_t heartbeats_ = 0;
};

// A server that runs.
struct ServedRpc {
  explicit ServedRpc(const RpcServerSettings& settings);
  ~ServedRpc();

  // Waits until the condition holds for the server's status.
  void await(const std::function<bool(const RpcServerStatus& status)>& holds) const;
  void await_connection() const {
    await([](const RpcServerStatus& status) { return status.is_connected; });
  }

  EchoHandler handler;
  std::shared_ptr<RecordingLogger> logger = std::make_shared<RecordingLogger>();
  std::shared_ptr<telemetry::Counters> counters = std::make_shared<telemetry::Counters>();
  std::unique_ptr<RpcServer> server;

  std::uint64_t counted(std::string_view name) const;
};

}  // namespace gantry::nova
