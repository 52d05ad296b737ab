// SPDX-License-Identifier: Apache-2.0
//
// Shadow mode: decides on the copy of each request that nova-scheduler gets, claims nothing, and compares with the
// allocation that appears at placement.
//
//   a request arrives    decide, and keep the facts aside
//   until Nova chooses   look for the allocation; decide again, as the facts may have changed
//   the choice is seen   compare; keep the facts of a difference, count, log
#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/nova/serve/nova_casts.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/shadow_facts.hpp"
#include "core/nova/shadow/buried_instances.hpp"
#include "core/nova/shadow/kept_differences.hpp"
#include "core/nova/shadow/shadow_tally.hpp"
#include "core/scheduling/manager.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

struct ShadowSettings {
  std::chrono::milliseconds interval{50};  // between two decisions on a request, at least
  std::size_t subset = 1;                  // nova-scheduler's host_subset_size
  std::size_t most_candidates = 1000;      // max_placement_results; 0: all
  std::string directory;                   // the differences that are kept
  std::size_t most_kept = 20;
  DatabaseUrl api_database;
};

class ShadowEndpoint final : public RpcHandler {
 public:
  // All outlive the endpoint. `mirror` may be nullptr.
  struct Parts {
    scheduling::Manager& manager;
    fleet::Fleet& fleet;
    FactKeeper& facts;
    PlacementDesk& placement;
    PlacementMirror* mirror;
    std::shared_ptr<telemetry::Logger> logger;
    std::shared_ptr<telemetry::Counters> counters;
  };

  ShadowEndpoint(Parts parts, ShadowSettings settings);
  ~ShadowEndpoint() override;
  ShadowEndpoint(const ShadowEndpoint&) = delete;
  ShadowEndpoint& operator=(const ShadowEndpoint&) = delete;

  void handle(RpcWork work, Done done) override;
  void give_back(RpcLeftover leftover, std::function<void()> done) override;
  void on_casts_lost() override { casts_.on_casts_lost(); }

  // Watches no further, and waits for the decisions under way. Their requests are not counted.
  void stop();
  json::object status() const;  // [any thread]

 private:
  struct Watched;
  using WatchedRequest = std::shared_ptr<Watched>;

  void begin(const WatchedRequest& request);
  bool decide(Watched& request, bool is_repeated);
  void decide_again(const WatchedRequest& request);
  void look(const WatchedRequest& request);
  static void note_trouble(Watched& request, const Error& error);
  // Returns nova-scheduler's choice. nullopt: the choice is not to be seen yet.
  std::optional<NovasChoice> choice_of(Watched& request);
  std::string chosen_host(Watched& request, const std::string& instance);
  void end(Watched& request, const ShadowVerdict& verdict, const NovasChoice& choice);
  std::string keep(const Watched& request);

  const Parts parts_;
  const ShadowSettings settings_;
  NovaCasts casts_;
  BuriedInstances buried_;
  ShadowFacts shelf_;
  ShadowTally tally_;
  KeptDifferences kept_;
  std::mutex keeping_;
  std::atomic<std::size_t> watched_ = 0;
  std::atomic<bool> is_ended_ = false;
  boost::asio::thread_pool arriving_;
  boost::asio::thread_pool deciding_;  // again, until nova-scheduler has chosen
  boost::asio::thread_pool looking_;   // threads that wait for placement
};

}  // namespace gantry::nova
