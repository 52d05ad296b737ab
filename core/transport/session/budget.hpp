// SPDX-License-Identifier: Apache-2.0
//
// A bound on an amount that all connections of a server use together: connections, waiting requests, bytes of bodies.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace gantry::transport {

// [any thread]
class Budget {
 public:
  explicit Budget(std::uint64_t most) : most_(most) {}

  std::uint64_t most() const { return most_; }
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  friend class BudgetLease;
  bool take(std::uint64_t amount) {
    if (taken_.fetch_add(amount, std::memory_order_relaxed) + amount <= most_) return true;
    give_back(amount);
    return false;
  }
  void give_back(std::uint64_t amount) { taken_.fetch_sub(amount, std::memory_order_relaxed); }

  const std::uint64_t most_;
  std::atomic<std::uint64_t> taken_{0};
};

// An amount that is taken from a budget, and given back when the lease is destroyed. An empty lease is false.
class BudgetLease {
 public:
  BudgetLease() = default;
  // Takes `amount`, which must not be 0. The lease is empty if the budget has less than that left.
  BudgetLease(std::shared_ptr<Budget> budget, std::uint64_t amount)
      : budget_(std::move(budget)), amount_(budget_->take(amount) ? amount : 0) {}
  ~BudgetLease() { release(); }
  BudgetLease(BudgetLease&& other) noexcept
      : budget_(std::move(other.budget_)), amount_(std::exchange(other.amount_, 0)) {}
  BudgetLease& operator=(BudgetLease&& other) noexcept {
    release();
    budget_ = std::move(other.budget_);
    amount_ = std::exchange(other.amount_, 0);
    return *this;
  }

  explicit operator bool() const { return amount_ > 0; }
  void release() {
    if (amount_ > 0) budget_->give_back(std::exchange(amount_, 0));
  }

 private:
  std::shared_ptr<Budget> budget_;
  std::uint64_t amount_ = 0;
};

}  // namespace gantry::transport
