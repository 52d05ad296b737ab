// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/nova_casts.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "core/nova/facts/casts.hpp"
#include "core/nova/serve/rpc_fault.hpp"

namespace gantry::nova {

void NovaCasts::take(RpcWork work, RpcHandler::Done done) {
  boost::asio::post(thread_, [this, work = std::move(work), done = std::move(done)] { apply(work, done); });
}

void NovaCasts::apply(const RpcWork& work, const RpcHandler::Done& done) {
  if (const auto taken = facts_.apply(work.method, work.args); !taken) {
    logger_->write(telemetry::Level::warning, "a cast was not taken",
                   {{"method", work.method}, {"reason", taken.error().message}});
    return done(rpc_fault(taken.error()));
  }
  if (mirror_ != nullptr && work.method == "delete_instance_info") mark_in_mirror(work.args);
  done(json::value(nullptr));
}

// A compute has deleted the allocations just before, which leaves no trace in placement's table of providers.
void NovaCasts::mark_in_mirror(const json::object& args) const {
  const auto cast = read_delete_instance_info(args);
  if (!cast) return;
  const auto nodes = facts_.snapshot()->compute_nodes(cast->host, {}, {});
  if (!nodes) return;
  for (const auto& node : *nodes) mirror_->mark(node.uuid);
}

}  // namespace gantry::nova
