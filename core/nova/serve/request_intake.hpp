// SPDX-License-Identifier: Apache-2.0
//
// Takes Nova's requests from the broker, has them answered, and holds their journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/config/settings.hpp"
#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"
#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/rpc/rpc_server.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/placement_mirror.hpp"
#include "core/nova/serve/shadow_endpoint.hpp"
#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// [any thread]
class RequestIntake {
 public:
  // All outlive the intake.
  struct Parts {
    const config::Settings& settings;
    scheduling::Manager& manager;
    fleet::Fleet& fleet;
    FactKeeper& facts;
    PlacementDesk& placement;
    PlacementMirror* mirror;  // nullptr: there is none
    std::shared_ptr<telemetry::Logger> logger;
    std::shared_ptr<telemetry::Counters> counters;
  };

  // Opens the journal, for which it waits a moment if another process still has it. Takes nothing before start().
  static Result<std::shared_ptr<RequestIntake>> make(const Parts& parts);

  void start(bool is_paused);
  void pause() { rpc_->pause(); }
  // After pause(): how many others take requests from the broker. nullopt: it has not told by the deadline.
  std::optional<std::uint32_t> other_consumers(std::chrono::steady_clock::time_point deadline) {
    return rpc_->other_consumers(deadline);
  }
  void resume() { rpc_->resume(); }
  // After pause(): waits until all requests under way are answered. False: some are not by the deadline.
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline) { return rpc_->wait_until_idle(deadline); }
  // Takes no further requests, waits until all under way are answered, and takes leave of the broker. False: some are not
  // answered by the deadline, and stay in the journal.
  bool stop(std::chrono::steady_clock::time_point deadline);

  // Takes a request that comes past the broker.
  void take(DirectRequest request) { rpc_->take(std::move(request)); }

  // Why no requests are taken at present. Empty: they are.
  std::string trouble() const { return rpc_->status().trouble; }
  // Adds the members `rpc` and, in shadow mode, `shadow`.
  void add_status(json::object& status) const;

 private:
  RequestIntake() = default;

  std::unique_ptr<RpcHandler> endpoint_;
  ShadowEndpoint* shadow_ = nullptr;  // endpoint_ in shadow mode
  std::unique_ptr<RpcServer> rpc_;    // ends before the endpoint
};

}  // namespace gantry::nova
