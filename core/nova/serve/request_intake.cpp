// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/request_intake.hpp"

#include <thread>
#include <utility>

#include "core/nova/serve/part_settings.hpp"
#include "core/nova/serve/rpc_endpoint.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds longest_journal_wait{5};
constexpr std::chrono::milliseconds journal_interval{5};

Result<std::unique_ptr<RpcServer>> make_server(const RpcServerSettings& settings, RpcHandler& handler,
                                               const RequestIntake::Parts& parts) {
  const auto until = Clock::now() + longest_journal_wait;
  auto server = RpcServer::make(settings, handler, parts.logger, parts.counters);
  while (!server && server.error().code == ErrorCode::already_exists && Clock::now() < until) {
    std::this_thread::sleep_for(journal_interval);
    server = RpcServer::make(settings, handler, parts.logger, parts.counters);
  }
  return server;
}

}  // namespace

Result<std::shared_ptr<RequestIntake>> RequestIntake::make(const Parts& parts) {
  auto settings = rpc_settings(parts.settings);
  if (!settings) return std::move(settings).error();
  std::shared_ptr<RequestIntake> intake(new RequestIntake);
  if (parts.settings.nova.is_shadow()) {
    auto shadow = shadow_settings(parts.settings);
    if (!shadow) return std::move(shadow).error();
    auto made =
        std::make_unique<ShadowEndpoint>(ShadowEndpoint::Parts{parts.manager, parts.fleet, parts.facts, parts.placement,
                                                               parts.mirror, parts.logger, parts.counters},
                                         *std::move(shadow));
    intake->shadow_ = made.get();
    intake->endpoint_ = std::move(made);
  } else {
    intake->endpoint_ = std::make_unique<RpcEndpoint>(parts.manager, parts.fleet, parts.facts, parts.placement,
                                                      parts.mirror, parts.logger);
  }
  auto server = make_server(*settings, *intake->endpoint_, parts);
  if (!server) return std::move(server).error();
  intake->rpc_ = *std::move(server);
  return intake;
}

void RequestIntake::start(bool is_paused) {
  if (is_paused) rpc_->pause();
  rpc_->start();
}

bool RequestIntake::stop(std::chrono::steady_clock::time_point deadline) {
  const bool is_idle = rpc_->stop(deadline);
  if (shadow_ != nullptr) shadow_->stop();
  return is_idle;
}

void RequestIntake::add_status(json::object& status) const {
  if (shadow_ != nullptr) status["shadow"] = shadow_->status();
  const auto rpc = rpc_->status();
  status["rpc"] = json::object{{"connected", rpc.is_connected}, {"broker", rpc.broker},
                               {"trouble", rpc.trouble},        {"paused", rpc.is_paused},
                               {"under_way", rpc.under_way},    {"replies_waiting", rpc.replies_waiting}};
}

}  // namespace gantry::nova
