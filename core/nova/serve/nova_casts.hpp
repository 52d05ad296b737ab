// SPDX-License-Identifier: Apache-2.0
//
// The casts of Nova to all schedulers, as the facts and the mirror take them.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <memory>

#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/nova/serve/placement_mirror.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// [any thread] Casts are taken in the order of their calls, on a thread of this object.
class NovaCasts {
 public:
  // All outlive the object. `mirror` may be nullptr.
  NovaCasts(FactKeeper& facts, PlacementMirror* mirror, std::shared_ptr<telemetry::Logger> logger)
      : facts_(facts), mirror_(mirror), logger_(std::move(logger)) {}
  ~NovaCasts() { thread_.join(); }
  NovaCasts(const NovaCasts&) = delete;
  NovaCasts& operator=(const NovaCasts&) = delete;

  void take(RpcWork work, RpcHandler::Done done);
  void on_casts_lost() { facts_.reload_instances(); }

 private:
  void apply(const RpcWork& work, const RpcHandler::Done& done);
  void mark_in_mirror(const json::object& args) const;

  FactKeeper& facts_;
  PlacementMirror* mirror_;
  std::shared_ptr<telemetry::Logger> logger_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace gantry::nova
