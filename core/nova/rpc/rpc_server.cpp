// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/rpc_server.hpp"

#include <utility>

#include "core/nova/rpc/broker_connections.hpp"
#include "core/nova/rpc/reply.hpp"
#include "core/nova/rpc/rpc_server_running.hpp"

namespace gantry::nova {

Result<std::unique_ptr<RpcServer>> RpcServer::make(const RpcServerSettings& settings, RpcHandler& handler,
                                                   std::shared_ptr<telemetry::Logger> logger,
                                                   std::shared_ptr<telemetry::Counters> counters) {
  auto queues =
      settings.takes_copies
          ? shadow_queues(settings.control_exchange, settings.topic, new_unique_id(), settings.queues)
          : server_queues(settings.control_exchange, settings.topic, settings.host, new_unique_id(), settings.queues);
  if (!queues) return std::move(queues).error();
  // A fanout queue has no other consumer.
  for (auto& queue : *queues)
    if (settings.consumer_priority != 0 && queue.exchange.type == "topic")
      queue.consumer_arguments.emplace_back("x-priority", settings.consumer_priority);
  auto brokers = broker_connections(settings);
  if (!brokers) return std::move(brokers).error();
  std::shared_ptr<Journal> journal;
  if (!settings.takes_copies) {
    auto opened = Journal::open(settings.journal, logger);
    if (!opened) return std::move(opened).error();
    journal = *std::move(opened);
  }
  return std::unique_ptr<RpcServer>(new RpcServer(
      std::make_unique<Running>(Running::Parts{settings, *std::move(brokers), *std::move(queues), std::move(journal),
                                               handler, std::move(logger), std::move(counters)})));
}

RpcServer::RpcServer(std::unique_ptr<Running> running) : running_(std::move(running)) {}

RpcServer::~RpcServer() = default;

void RpcServer::start() {
  running_->start();
}

void RpcServer::pause() {
  running_->pause();
}

std::optional<std::uint32_t> RpcServer::other_consumers(std::chrono::steady_clock::time_point deadline) {
  return running_->other_consumers(deadline);
}

void RpcServer::resume() {
  running_->resume();
}

bool RpcServer::wait_until_idle(std::chrono::steady_clock::time_point deadline) {
  return running_->wait_until_idle(deadline);
}

bool RpcServer::stop(std::chrono::steady_clock::time_point deadline) {
  return running_->stop(deadline);
}

void RpcServer::take(DirectRequest request) {
  running_->take(std::move(request));
}

RpcServerStatus RpcServer::status() const {
  return running_->status();
}

}  // namespace gantry::nova
