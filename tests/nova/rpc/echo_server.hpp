// SPDX-License-Identifier: Apache-2.0
//
// A small RPC server made of the parts of core/nova/rpc, for oslo.messaging's own client to call. Methods of the
// scheduler answer with their arguments. {"fail": reason} is answered with NoValidHost, {"hold": seconds} late, with
// heartbeats until then.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/nova/rpc/declarations.hpp"
#include "core/nova/rpc/message.hpp"
#include "core/nova/rpc/recent_ids.hpp"
#include "tests/transport/amqp/broker_client.hpp"

namespace gantry::nova {

class EchoServer {
 public:
  EchoServer(amqp::BrokerClient& client, const QueueOptions& options);

  std::vector<std::string> casts;  // the methods of messages without a waiting caller
  int returned = 0;                // replies whose queue was gone
  int refused = 0;                 // messages that could not be read

 private:
  void consume(const ServerQueue& queue);
  void take(const amqp::Delivery& delivery);
  void answer(const RpcCaller& caller, const RpcRequest& request);
  void hold(const RpcCaller& caller, std::chrono::steady_clock::time_point until);
  void send(const RpcCaller& caller, std::string body);

  amqp::BrokerClient& client_;
  std::shared_ptr<amqp::Channel> consuming_;
  std::shared_ptr<amqp::Channel> publishing_;
  RecentIds recent_;
};

}  // namespace gantry::nova
