// SPDX-License-Identifier: Apache-2.0
//
// The methods of nova-scheduler, as the service and the facts answer them.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/nova/serve/claim_note.hpp"
#include "core/nova/serve/nova_casts.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/placement_mirror.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

class RpcEndpoint final : public RpcHandler {
 public:
  // All outlive the endpoint. `mirror` may be nullptr.
  RpcEndpoint(scheduling::Manager& manager, fleet::Fleet& fleet, FactKeeper& facts, PlacementDesk& placement,
              PlacementMirror* mirror, std::shared_ptr<telemetry::Logger> logger);
  ~RpcEndpoint() override;
  RpcEndpoint(const RpcEndpoint&) = delete;
  RpcEndpoint& operator=(const RpcEndpoint&) = delete;

  void handle(RpcWork work, Done done) override;
  void give_back(RpcLeftover leftover, std::function<void()> done) override;
  void on_casts_lost() override { casts_.on_casts_lost(); }

 private:
  void select(RpcWork work, const Done& done);
  std::shared_ptr<boost::asio::steady_timer> answer_at(Clock::time_point time, const Done& done);
  bool end_claims(const std::vector<std::string>& notes, const std::string& request_id);
  bool end_claim(ClaimNote note, const std::string& request_id);
  Result<std::vector<std::string>> unused(std::vector<std::string> notes);

  scheduling::Manager& manager_;
  fleet::Fleet& fleet_;
  FactKeeper& facts_;
  PlacementDesk& placement_;
  std::shared_ptr<telemetry::Logger> logger_;
  NovaCasts casts_;
  boost::asio::thread_pool ending_{4};  // claims of earlier processes and of callers that are gone
};

}  // namespace gantry::nova
