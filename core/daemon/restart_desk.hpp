// SPDX-License-Identifier: Apache-2.0
//
// Takes the orders to restart, and knows how the last restart ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/encoding/json.hpp"
#include "core/scheduling/restarts.hpp"
#include "core/telemetry/metrics/metric_text.hpp"

namespace gantry::daemon {

// [any thread]
class RestartDesk final : public scheduling::Restarts {
 public:
  struct Order {
    std::string id;
    std::chrono::milliseconds timeout;
  };

  // `order_came` is called after an order; take_order() then returns it.
  RestartDesk(std::chrono::milliseconds timeout, std::function<void()> order_came)
      : timeout_(timeout), order_came_(std::move(order_came)) {}

  Result<std::string> begin(std::optional<std::chrono::milliseconds> timeout) override;
  std::optional<json::object> last() const override;

  std::optional<Order> take_order();
  // Says that the restart under way has ended and this process goes on.
  void failed(const std::string& reason);

  // Returns what the successor goes on with: the restart under way, and the counts.
  json::object handed() const;
  // In the successor: takes what the predecessor has handed. The restart has succeeded.
  void succeeded(const json::object& handed);
  void write_metrics(telemetry::MetricText& into) const;

 private:
  struct Restart {
    std::string id;
    std::string outcome;  // under_way, succeeded, failed
    std::string reason;
    std::int64_t began_at = 0;  // nanoseconds since 1970
    std::int64_t ended_at = 0;
  };

  const std::chrono::milliseconds timeout_;
  const std::function<void()> order_came_;
  mutable std::mutex mutex_;
  std::optional<Order> order_;
  std::optional<Restart> last_;
  std::uint64_t succeeded_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace gantry::daemon
