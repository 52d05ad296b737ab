// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/restart_desk.hpp"

#include <unistd.h>

#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::daemon {

using scheduling::now_nanoseconds;
using scheduling::time_json;

Result<std::string> RestartDesk::begin(std::optional<std::chrono::milliseconds> timeout) {
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    if (last_ && last_->outcome == "under_way") {
      return Error{ErrorCode::failed_precondition,
                   "a restart is under way already, " + last_->id + ": gantry status tells how it ends",
                   {}};
    }
    id = to_text(random_uuid()).substr(0, 8);
    last_ = Restart{id, "under_way", "", now_nanoseconds(), 0};
    order_ = Order{id, timeout.value_or(timeout_)};
  }
  order_came_();
  return id;
}

std::optional<json::object> RestartDesk::last() const {
  const std::lock_guard lock(mutex_);
  if (!last_) return std::nullopt;
  return json::object{{"id", last_->id},
                      {"outcome", last_->outcome},
                      {"reason", last_->reason},
                      {"began_at", time_json(last_->began_at)},
                      {"ended_at", time_json(last_->ended_at)},
                      {"pid", getpid()}};
}

std::optional<RestartDesk::Order> RestartDesk::take_order() {
  const std::lock_guard lock(mutex_);
  return std::exchange(order_, std::nullopt);
}

void RestartDesk::failed(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  ++failed_;
  if (!last_) return;
  last_->outcome = "failed";
  last_->reason = reason;
  last_->ended_at = now_nanoseconds();
}

json::object RestartDesk::handed() const {
  const std::lock_guard lock(mutex_);
  const auto last = last_.value_or(Restart{});
  return {{"id", last.id}, {"began_at", last.began_at}, {"succeeded", succeeded_}, {"failed", failed_}};
}

void RestartDesk::succeeded(const json::object& handed) {
  const std::lock_guard lock(mutex_);
  succeeded_ = static_cast<std::uint64_t>(json::find_integer(handed, "succeeded").value_or(0)) + 1;
  failed_ = static_cast<std::uint64_t>(json::find_integer(handed, "failed").value_or(0));
  last_ = Restart{std::string(json::find_string(handed, "id").value_or("")), "succeeded", "",
                  json::find_integer(handed, "began_at").value_or(0), now_nanoseconds()};
}

void RestartDesk::write_metrics(telemetry::MetricText& into) const {
  const std::lock_guard lock(mutex_);
  auto& family = into.family("gantry_restarts_total", telemetry::MetricType::counter,
                             "Restarts by gantry restart. succeeded: the new process took over. failed: the old one "
                             "went on. Handed on from process to process.");
  family.add({{"outcome", "succeeded"}}, succeeded_);
  family.add({{"outcome", "failed"}}, failed_);
}

}  // namespace gantry::daemon
