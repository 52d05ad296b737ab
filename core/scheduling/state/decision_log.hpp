// SPDX-License-Identifier: Apache-2.0
//
// Keeps every decision in the archive, with the facts that it saw, on a thread of its own. A decision is in its file
// within a second after its answer. If the disk is full or decisions come faster than they can be written, records are
// lost and counted, and requests go on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/fleet/fleet.hpp"
#include "core/scheduling/state/decision_note.hpp"
#include "core/store/archive/decision_archive.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::scheduling {

struct DecisionLogSettings {
  store::ArchiveSettings archive;
  std::int64_t run = 0;  // the number of this process
};

class DecisionLog {
 public:
  // The fleet and the counters outlive the object.
  DecisionLog(fleet::Fleet& fleet, telemetry::Counters& counters, std::shared_ptr<telemetry::Logger> logger)
      : fleet_(fleet), counters_(counters), logger_(std::move(logger)) {}
  ~DecisionLog() { end(); }
  DecisionLog(const DecisionLog&) = delete;
  DecisionLog& operator=(const DecisionLog&) = delete;

  // Begins to keep decisions. Call before the first moment of the fleet is pinned.
  void begin(DecisionLogSettings settings);
  // Writes what is left and ends. Call after the last decision.
  void end();

  // Writes what is left and closes the archive, for another process, until release(). No decision is made meanwhile.
  void begin_hold();
  void wait_until_held();
  void release();

  // ---- [any thread]
  bool is_kept() const { return is_kept_.load(std::memory_order_relaxed); }
  void add(DecisionNote note);
  // Returns the archive, with all decisions that were added before the call. Fails with failed_precondition if decisions are not
  // kept, or with the reason why the archive cannot be used.
  Result<const store::DecisionArchive*> archive();
  // Returns the moment that a decision saw, made again from the archive. not_found if its facts are no longer kept. The latest one
  // is kept for the next question.
  Result<fleet::Moment> recall(std::int64_t run, std::uint64_t moment);
  const DecisionLogSettings& settings() const { return settings_; }
  // Returns why records are being lost, in a sentence. nullopt: they are not.
  std::optional<std::string> trouble() const;

 private:
  struct Recalled {
    std::int64_t run = 0;
    std::uint64_t number = 0;
    fleet::Moment moment;
  };

  void run();
  void stand_still(std::unique_lock<std::mutex>& lock);
  bool wait_for_work(std::unique_lock<std::mutex>& lock);
  Result<void> write(const std::vector<DecisionNote>& notes, bool is_in_trouble);
  Result<void> open();
  void note_result(const Result<void>& written, std::size_t notes);

  fleet::Fleet& fleet_;
  telemetry::Counters& counters_;
  std::shared_ptr<telemetry::Logger> logger_;
  DecisionLogSettings settings_;
  std::atomic<bool> is_kept_{false};

  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  std::vector<DecisionNote> queue_;
  std::uint64_t added_ = 0;
  std::uint64_t written_ = 0;  // so many of the added ones are in the archive, or lost
  bool is_urgent_ = false;
  bool is_ending_ = false;
  bool is_holding_ = false;  // begin_hold() was called
  bool is_closed_ = false;   // and the archive is closed
  std::optional<std::string> trouble_;
  std::unique_ptr<store::DecisionArchive> archive_;
  std::mutex recall_mutex_;
  Recalled recalled_;
  std::thread thread_;
};

}  // namespace gantry::scheduling
