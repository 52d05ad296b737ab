// SPDX-License-Identifier: Apache-2.0
//
// Who serves which connection: those whose last request was a good one the workers; newcomers, those that were refused,
// and large bodies threads of their own, to which the kernel prefers the workers, and which rest for nine times as long as
// they worked while there are others, up to a bound: a fleet that comes back after a restart is not to wait for minutes. So
// a flood costs these little, however much of it waits.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gantry::transport {

enum class Standing : std::uint8_t { newcomer, large_body, proven };

class Lanes {
 public:
  // While there is one, all lanes are served: what lives in one may be finished in another.
  class Open {
   public:
    explicit Open(Lanes& lanes)
        : guards_{Guard(lanes.contexts_[0].get_executor()), Guard(lanes.contexts_[1].get_executor()),
                  Guard(lanes.contexts_[2].get_executor())} {}

   private:
    using Guard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;
    std::array<Guard, 3> guards_;
  };

  Lanes() = default;
  ~Lanes() { join(); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void start(std::uint32_t workers);
  // Waits until all is done and no Open is left.
  void join();
  bool started() const { return !threads_.empty(); }
  // Instead of threads: does what is ready, on this one.
  void poll();

  boost::asio::io_context& at(Standing standing) { return contexts_[static_cast<std::size_t>(standing)]; }

 private:
  friend class LaneExecutor;
  using Clock = std::chrono::steady_clock;

  void serve_first();
  void serve_after(boost::asio::io_context& lane, Clock::duration longest_rest);
  void rest_until(Clock::time_point end);
  bool are_others_there();
  void begin_threads(Standing standing, std::uint32_t count, const std::string& name);

  std::array<boost::asio::io_context, 3> contexts_;
  std::atomic<bool> others_served_{false};  // since it was looked at last
  std::atomic<Clock::duration> others_there_until_{};
  std::optional<Open> open_;
  std::vector<std::thread> threads_;
};

// Runs each step of one connection in the lane of the connection's standing, which its copies share.
class LaneExecutor {
  using Blocking = boost::asio::execution::blocking_t;

 public:
  explicit LaneExecutor(Lanes& lanes)
      : lanes_(&lanes), standing_(std::make_shared<std::atomic<Standing>>(Standing::newcomer)) {}

  Lanes& lanes() const noexcept { return *lanes_; }
  Standing standing() const noexcept { return standing_->load(std::memory_order_relaxed); }
  // For the steps that are not yet waiting.
  void set(Standing standing) const noexcept { standing_->store(standing, std::memory_order_relaxed); }

  boost::asio::execution_context& query(boost::asio::execution::context_t /*which*/) const noexcept {
    return lanes_->at(Standing::newcomer);
  }
  Blocking query(Blocking /*which*/) const noexcept {
    return never_blocks_ ? Blocking(Blocking::never) : Blocking::possibly;
  }
  LaneExecutor require(Blocking::never_t /*wanted*/) const { return with(true); }
  LaneExecutor require(Blocking::possibly_t /*wanted*/) const { return with(false); }

  template <class Step>
  void execute(Step&& step) const {
    const auto now = standing();
    if (now == Standing::proven && !lanes_->others_served_.load(std::memory_order_relaxed))
      lanes_->others_served_.store(true, std::memory_order_relaxed);
    const auto lane = lanes_->at(now).get_executor();
    if (never_blocks_)
      boost::asio::require(lane, boost::asio::execution::blocking.never).execute(std::forward<Step>(step));
    else
      lane.execute(std::forward<Step>(step));
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

// The executor of one connection's socket: a strand of its lane, and in which lane the kernel's news of it arrive.
class LaneStrand {
  using Strand = boost::asio::strand<LaneExecutor>;
  using Blocking = boost::asio::execution::blocking_t;

 public:
  explicit LaneStrand(Lanes& lanes) : LaneStrand(Strand(LaneExecutor(lanes)), Standing::newcomer) {}
  // Copied only, as Asio's sockets do even when they move.
  LaneStrand(const LaneStrand&) = default;
  LaneStrand& operator=(const LaneStrand&) = default;
  ~LaneStrand() = default;

  LaneExecutor lane() const { return strand_.get_inner_executor(); }
  Standing seat() const noexcept { return seat_; }
  // The same strand with another seat.
  LaneStrand seated(Standing seat) const { return {strand_, seat}; }

  boost::asio::execution_context& query(boost::asio::execution::context_t /*which*/) const noexcept {
    return lane().lanes().at(seat_);
  }
  Blocking query(Blocking which) const noexcept { return boost::asio::query(strand_, which); }
  LaneStrand require(Blocking::never_t wanted) const { return {boost::asio::require(strand_, wanted), seat_}; }
  LaneStrand require(Blocking::possibly_t wanted) const { return {boost::asio::require(strand_, wanted), seat_}; }

  template <class Step>
  void execute(Step&& step) const {
    strand_.execute(std::forward<Step>(step));
  }

  friend bool operator==(const LaneStrand& a, const LaneStrand& b) noexcept {
    return a.strand_ == b.strand_ && a.seat_ == b.seat_;
  }
  friend bool operator!=(const LaneStrand& a, const LaneStrand& b) noexcept { return !(a == b); }

 private:
  LaneStrand(Strand strand, Standing seat) : strand_(std::move(strand)), seat_(seat) {}

  Strand strand_;
  Standing seat_;
};

}  // namespace gantry::transport
