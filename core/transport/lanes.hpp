// SPDX-License-Identifier: Apache-2.0
//
// In which order the workers serve connections: those whose last request was a good one at once; newcomers, those that
// were refused, and large bodies each in a lane of their own: one step at a time, between which all that is ready of the
// others is served, and for a quarter of a processor's time at most while there are others. So a flood costs them little,
// however much of it waits.
#pragma once

#include <atomic>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace gantry::transport {

// [any thread]
class Lane {
 public:
  // `others_served` is set whenever somebody was served who waits in no lane; without pauses that makes no difference.
  Lane(boost::asio::io_context& workers, std::atomic<bool>& others_served, bool pauses)
      : workers_(workers), others_served_(others_served), pauses_(pauses), pause_(workers) {}

  template <class Step>
  void push(Step&& step) {
    namespace execution = boost::asio::execution;
    boost::asio::require(queue_.get_executor(), execution::blocking.never).execute(std::forward<Step>(step));
    serve();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void serve();
  void turn();
  Clock::duration time_to_pause(Clock::time_point now);

  boost::asio::io_context& workers_;
  std::atomic<bool>& others_served_;
  const bool pauses_;
  boost::asio::steady_timer pause_;
  boost::asio::io_context queue_;  // never run, only asked for its next step
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_{queue_.get_executor()};
  std::mutex mutex_;
  std::uint64_t waiting_ = 0;
  bool serving_ = false;
  Clock::duration spent_{};  // of the time since
  Clock::time_point since_ = Clock::now();
};

struct Lanes {
  explicit Lanes(boost::asio::io_context& all, bool pauses = true)
      : workers(all), newcomers(all, others_served, pauses), large_bodies(all, others_served, pauses) {}

  boost::asio::io_context& workers;
  std::atomic<bool> others_served{false};
  Lane newcomers;
  Lane large_bodies;
};

enum class Standing : std::uint8_t { newcomer, large_body, proven };

// The executor of one connection: its copies share the connection's standing.
class LaneExecutor {
  using Blocking = boost::asio::execution::blocking_t;

 public:
  explicit LaneExecutor(Lanes& lanes)
      : lanes_(&lanes), standing_(std::make_shared<std::atomic<Standing>>(Standing::newcomer)) {}

  Standing standing() const noexcept { return standing_->load(std::memory_order_relaxed); }
  // For the steps that are not yet waiting.
  void set(Standing standing) const noexcept { standing_->store(standing, std::memory_order_relaxed); }

  boost::asio::execution_context& query(boost::asio::execution::context_t /*which*/) const noexcept {
    return lanes_->workers;
  }
  Blocking query(Blocking /*which*/) const noexcept {
    return never_blocks_ ? Blocking(Blocking::never) : Blocking::possibly;
  }
  LaneExecutor require(Blocking::never_t /*wanted*/) const { return with(true); }
  LaneExecutor require(Blocking::possibly_t /*wanted*/) const { return with(false); }

  template <class Step>
  void execute(Step&& step) const {
    switch (standing()) {
      case Standing::newcomer: return lanes_->newcomers.push(std::forward<Step>(step));
      case Standing::large_body: return lanes_->large_bodies.push(std::forward<Step>(step));
      case Standing::proven: break;
    }
    if (!lanes_->others_served.load(std::memory_order_relaxed))
      lanes_->others_served.store(true, std::memory_order_relaxed);
    const auto workers = lanes_->workers.get_executor();
    if (never_blocks_)
      boost::asio::require(workers, boost::asio::execution::blocking.never).execute(std::forward<Step>(step));
    else
      workers.execute(std::forward<Step>(step));
  }

  friend bool operator==(const LaneExecutor& a, const LaneExecutor& b) noexcept {
    return a.standing_ == b.standing_ && a.never_blocks_ == b.never_blocks_;
  }
  friend bool operator!=(const LaneExecutor& a, const LaneExecutor& b) noexcept { return !(a == b); }

 private:
  LaneExecutor with(bool never_blocks) const {
    LaneExecutor other = *this;
    other.never_blocks_ = never_blocks;
    return other;
  }

  Lanes* lanes_;
  std::shared_ptr<std::atomic<Standing>> standing_;
  bool never_blocks_ = false;
};

}  // namespace gantry::transport
