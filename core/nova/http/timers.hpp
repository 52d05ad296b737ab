// SPDX-License-Identifier: Apache-2.0
//
// The time and what is to happen later, on one strand. Tests put their own clock in its place.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>
#include <functional>
#include <memory>

#include "core/nova/http/http_outcome.hpp"

namespace gantry::nova {

using Strand = boost::asio::strand<boost::asio::any_io_executor>;

class Timers {
 public:
  using Handle = std::shared_ptr<void>;

  virtual ~Timers() = default;
  virtual Clock::time_point now() const = 0;
  // Calls `then` at the time, never before this call returns. The end of the handle cancels the call.
  [[nodiscard]] virtual Handle at(Clock::time_point time, std::function<void()> then) = 0;
};

// The real time. [strand]
class AsioTimers final : public Timers {
 public:
  explicit AsioTimers(Strand strand) : strand_(std::move(strand)) {}
  Clock::time_point now() const override { return Clock::now(); }
  Handle at(Clock::time_point time, std::function<void()> then) override;

 private:
  Strand strand_;
};

}  // namespace gantry::nova
