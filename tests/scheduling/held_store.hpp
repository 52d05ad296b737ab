// SPDX-License-Identifier: Apache-2.0
//
// A store that lets a batch wait a little before it takes it, and any that come meanwhile go first. Two changes whose
// order in memory is not held until they are submitted are stored the other way round by it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "tests/scheduling/passing_store.hpp"

namespace gantry::scheduling {

class HeldStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;

  void submit(store::Batch batch, store::Done done, store::Undo undo) override {
    std::unique_lock lock(mutex_);
    if (!one_waits_) {
      one_waits_ = true;
      const auto before = taken_;
      another_.wait_for(lock, patience, [&] { return taken_ > before; });
      one_waits_ = false;
    }
    PassingStore::submit(std::move(batch), std::move(done), std::move(undo));
    ++taken_;
    another_.notify_all();
  }

 private:
  static constexpr std::chrono::milliseconds patience{3};

  std::mutex mutex_;
  std::condition_variable another_;
  bool one_waits_ = false;
  std::uint64_t taken_ = 0;
};

}  // namespace gantry::scheduling
